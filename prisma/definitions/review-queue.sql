-- Keeps the queue equal to the versions that wait, whichever statement changes them. A version waits since its review was
-- requested, an imported one since its creation; a deletion that is undone does not change that. The type of an add-on never
-- changes.
CREATE OR REPLACE FUNCTION keep_review_queue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.stage = 'awaiting_review' AND NEW.deleted_at IS NULL THEN
    INSERT INTO review_queue (version_id, addon_id, type, channel, waiting_since)
    SELECT NEW.id, NEW.addon_id, addon.type, NEW.channel, coalesce(
      (SELECT max(created) FROM activity WHERE version_id = NEW.id AND action = 'review-requested'),
      CASE WHEN TG_OP = 'INSERT' OR OLD.stage = 'awaiting_review' THEN NEW.created ELSE now() END)
    FROM addon WHERE addon.id = NEW.addon_id
    ON CONFLICT (version_id) DO UPDATE SET channel = EXCLUDED.channel;
  ELSE
    DELETE FROM review_queue WHERE version_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER enter_review_queue AFTER INSERT ON version
  FOR EACH ROW WHEN (NEW.stage = 'awaiting_review') EXECUTE FUNCTION keep_review_queue();
CREATE OR REPLACE TRIGGER keep_review_queue AFTER UPDATE OF stage, channel, deleted_at ON version
  FOR EACH ROW WHEN (
    (OLD.stage = 'awaiting_review' OR NEW.stage = 'awaiting_review')
    AND (OLD.stage, OLD.channel, OLD.deleted_at) IS DISTINCT FROM (NEW.stage, NEW.channel, NEW.deleted_at)
  ) EXECUTE FUNCTION keep_review_queue();
