-- The review queue: one row per version in stage `awaiting_review`, with its marks.
CREATE TABLE "review_queue" (
    "version_id" INTEGER NOT NULL,
    "addon_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "waiting_since" TIMESTAMPTZ(3) NOT NULL,
    "claimed_by" INTEGER,
    "claimed_until" TIMESTAMPTZ(3),
    "is_information_requested" BOOLEAN NOT NULL DEFAULT false,
    "is_referred" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "review_queue_pkey" PRIMARY KEY ("version_id")
);
CREATE INDEX "review_queue_waiting_since_version_id_idx" ON "review_queue"("waiting_since", "version_id");
CREATE INDEX "review_queue_addon_id_idx" ON "review_queue"("addon_id");
ALTER TABLE "review_queue" ADD CONSTRAINT "review_queue_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "review_queue" ADD CONSTRAINT "review_queue_addon_id_fkey" FOREIGN KEY ("addon_id") REFERENCES "addon"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "review_queue" ADD CONSTRAINT "review_queue_claimed_by_fkey" FOREIGN KEY ("claimed_by") REFERENCES "account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Keeps the queue equal to the versions that wait, whichever statement changes them. A version waits since its review was
-- requested, an imported one since its creation; a deletion that is undone does not change that. The type of an add-on never
-- changes.
CREATE FUNCTION keep_review_queue() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER enter_review_queue AFTER INSERT ON version
  FOR EACH ROW WHEN (NEW.stage = 'awaiting_review') EXECUTE FUNCTION keep_review_queue();
CREATE TRIGGER keep_review_queue AFTER UPDATE OF stage, channel, deleted_at ON version
  FOR EACH ROW WHEN (
    (OLD.stage = 'awaiting_review' OR NEW.stage = 'awaiting_review')
    AND (OLD.stage, OLD.channel, OLD.deleted_at) IS DISTINCT FROM (NEW.stage, NEW.channel, NEW.deleted_at)
  ) EXECUTE FUNCTION keep_review_queue();

INSERT INTO review_queue (version_id, addon_id, type, channel, waiting_since)
SELECT v.id, v.addon_id, a.type, v.channel, coalesce((
    SELECT max(r.created) FROM activity r WHERE r.version_id = v.id AND r.action = 'review-requested'
  ), v.created)
FROM version v JOIN addon a ON a.id = v.addon_id WHERE v.stage = 'awaiting_review' AND v.deleted_at IS NULL;

-- The thread of a version, newest first.
CREATE INDEX activity_review_notes ON activity (version_id, created DESC, id DESC) WHERE action IN
  ('approved', 'rejected', 'review-requested', 'more-information-requested', 'super-review-requested', 'comment', 'review-note');

CREATE TABLE "canned_response" (
    "id" SERIAL NOT NULL,
    "name" CITEXT NOT NULL,
    "text" JSONB NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "modified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "canned_response_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "canned_response_name_key" ON "canned_response"("name");

-- The account of automatic decisions. Its negative id equals no imported id, and no request can name it.
-- It has no credentials, and none authenticate it (src/auth/key-holder.ts).
INSERT INTO account (id, username, disabled_at) VALUES (-1, CASE
  WHEN EXISTS (SELECT FROM account WHERE username = 'automatic-review')
  THEN 'automatic-review-' || left(md5(random()::text), 8) ELSE 'automatic-review' END, now());
