-- Uploads that are no versions yet. Until it is submitted, an upload has a stage of its own, its package and what that says about
-- itself; a submission replaces these by an add-on and a version. Uploads that make a version at once never have them.
ALTER TABLE upload
  ALTER COLUMN addon_id DROP NOT NULL,
  ALTER COLUMN version_id DROP NOT NULL,
  ADD COLUMN channel text,
  ADD COLUMN stage text,
  ADD COLUMN reason text,
  ADD COLUMN sha256 text,
  ADD COLUMN size bigint,
  ADD COLUMN manifest jsonb,
  ADD COLUMN expires timestamptz(3),
  ADD COLUMN makes_addon boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT upload_waits_or_is_version CHECK (
    num_nonnulls(addon_id, version_id) = 0 AND num_nonnulls(channel, stage, sha256, size, manifest, expires) = 6
    OR num_nonnulls(addon_id, version_id) = 2 AND num_nulls(channel, stage, reason, sha256, size, manifest, expires) = 7),
  ADD CONSTRAINT upload_makes_addon_as_version CHECK (NOT makes_addon OR version_id IS NOT NULL),
  ADD CONSTRAINT upload_channel_known CHECK (channel IN ('listed', 'unlisted')),
  ADD CONSTRAINT upload_stage_known CHECK (stage IN ('received', 'validating', 'invalid', 'valid', 'error')),
  ADD CONSTRAINT upload_size_positive CHECK (size >= 0);

-- Few rows wait at any time; each of these indexes holds only them.
CREATE INDEX upload_waiting_of_account ON upload (account_id, id) WHERE version_id IS NULL;
CREATE INDEX upload_to_validate ON upload (id) WHERE stage IN ('received', 'validating');
CREATE INDEX upload_expires ON upload (expires) WHERE expires IS NOT NULL;
CREATE INDEX upload_sha256 ON upload (sha256) WHERE sha256 IS NOT NULL;

-- As for the stages of versions. A null stage: the upload became a version, or was removed.
CREATE FUNCTION announce_upload_stage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('version_stage', json_build_object('uploadId', OLD.id, 'stage',
    CASE WHEN TG_OP = 'UPDATE' THEN NEW.stage END)::text);
  RETURN NULL;
END $$;
CREATE TRIGGER announce_upload_stage AFTER UPDATE OF stage ON upload
  FOR EACH ROW WHEN (NEW.stage IS DISTINCT FROM OLD.stage) EXECUTE FUNCTION announce_upload_stage();
CREATE TRIGGER announce_upload_removal AFTER DELETE ON upload
  FOR EACH ROW WHEN (OLD.stage IS NOT NULL) EXECUTE FUNCTION announce_upload_stage();

-- What the developers write for reviewers.
ALTER TABLE version ADD COLUMN approval_notes text NOT NULL DEFAULT '';
