-- Lists of ratings show the names of their writers: a change of a name changes the revision of the lists of the add-ons that the account has
-- rated or replied to.
CREATE OR REPLACE FUNCTION touch_rating_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM rating_sums WHERE addon_id IN (SELECT addon_id FROM rating WHERE account_id = NEW.id)
  ORDER BY addon_id FOR NO KEY UPDATE;
  UPDATE rating_sums SET revision = nextval(pg_get_serial_sequence('rating_sums', 'revision'))
  WHERE addon_id IN (SELECT addon_id FROM rating WHERE account_id = NEW.id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER touch_rating_lists AFTER UPDATE OF username, display_name, picture_sha256, disabled_at, deleted_at ON account
  FOR EACH ROW WHEN ((OLD.username, OLD.display_name, OLD.picture_sha256, OLD.disabled_at, OLD.deleted_at)
    IS DISTINCT FROM (NEW.username, NEW.display_name, NEW.picture_sha256, NEW.disabled_at, NEW.deleted_at))
  EXECUTE FUNCTION touch_rating_lists();
