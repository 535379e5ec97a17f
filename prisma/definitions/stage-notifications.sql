-- Every change of a version's stage reaches the subscribers of all web processes, in the order of the commits. A bulk load sets
-- `addons.bulk_load`: no client can have subscribed to its versions, so their first stage is not announced.
CREATE OR REPLACE FUNCTION announce_version_stage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF current_setting('addons.bulk_load', true) = 'on' THEN
      RETURN NULL;
    END IF;
  ELSIF NEW.stage IS NOT DISTINCT FROM OLD.stage THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('version_stage', json_build_object('versionId', NEW.id, 'stage', NEW.stage)::text);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER announce_version_stage AFTER INSERT OR UPDATE OF stage ON version
  FOR EACH ROW EXECUTE FUNCTION announce_version_stage();

-- Likewise for uploads. A null stage: the upload became a version, or was removed.
CREATE OR REPLACE FUNCTION announce_upload_stage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('version_stage', json_build_object('uploadId', OLD.id, 'stage',
    CASE WHEN TG_OP = 'UPDATE' THEN NEW.stage END)::text);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER announce_upload_stage AFTER UPDATE OF stage ON upload
  FOR EACH ROW WHEN (NEW.stage IS DISTINCT FROM OLD.stage) EXECUTE FUNCTION announce_upload_stage();
CREATE OR REPLACE TRIGGER announce_upload_removal AFTER DELETE ON upload
  FOR EACH ROW WHEN (OLD.stage IS NOT NULL) EXECUTE FUNCTION announce_upload_stage();
