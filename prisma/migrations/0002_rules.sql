-- What the tables promise beyond their columns: allowed words, numbers that are taken once, and logs that only grow.

ALTER TABLE addon
  ADD CONSTRAINT addon_type_known CHECK (type IN ('extension', 'theme', 'dictionary', 'search', 'language', 'persona', 'statictheme')),
  ADD CONSTRAINT addon_status_known CHECK (status IN ('lite', 'public', 'deleted', 'pending', 'disabled', 'rejected', 'nominated',
    'incomplete', 'unreviewed', 'lite-nominated', 'review-pending')),
  ADD CONSTRAINT addon_deleted_together CHECK ((status = 'deleted') = (deleted_at IS NOT NULL)),
  ADD CONSTRAINT addon_e10s_known CHECK (e10s IN ('compatible', 'compatible-webextension', 'incompatible', 'unknown'));

ALTER TABLE addon_author ADD CONSTRAINT addon_author_role_known CHECK (role IN ('owner', 'developer'));

ALTER TABLE version
  ADD CONSTRAINT version_channel_known CHECK (channel IN ('listed', 'unlisted')),
  ADD CONSTRAINT version_stage_known CHECK (stage IN ('received', 'validating', 'invalid', 'valid', 'awaiting_review', 'signing',
    'signed', 'rejected', 'error'));

-- A version number is taken once. Failed, rejected and broken-down uploads give it back; deleted versions keep it.
CREATE UNIQUE INDEX version_number_taken ON version (addon_id, version) WHERE stage NOT IN ('invalid', 'rejected', 'error');

-- What waits for a worker or a reviewer is looked up all the time and is always a small part of the table.
CREATE INDEX version_in_progress ON version (stage, id) WHERE stage NOT IN ('invalid', 'rejected', 'error', 'signed');

ALTER TABLE file
  ADD CONSTRAINT file_status_known CHECK (status IN (1, 4, 5)),
  ADD CONSTRAINT file_platform_known CHECK (platform IN ('all', 'mac', 'linux', 'android', 'windows')),
  ADD CONSTRAINT file_format_known CHECK (format IN ('webextension', 'install-rdf', 'opensearch')),
  ADD CONSTRAINT file_signed_together CHECK ((signed_sha256 IS NULL) = (signed_at IS NULL));

-- A file is signed once, ever: neither a second worker nor a stopped one that wakes up may replace the first result.
CREATE FUNCTION file_signed_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.signed_sha256 IS NOT NULL AND NEW.signed_sha256 IS DISTINCT FROM OLD.signed_sha256 THEN
    RAISE EXCEPTION 'file % is signed already', OLD.id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER file_signed_once BEFORE UPDATE ON file FOR EACH ROW EXECUTE FUNCTION file_signed_once();

-- Every change of a version's stage reaches the subscribers of all web processes, in the order of the commits.
CREATE FUNCTION announce_version_stage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW.stage IS DISTINCT FROM OLD.stage THEN
    PERFORM pg_notify('version_stage', json_build_object('versionId', NEW.id, 'stage', NEW.stage)::text);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER announce_version_stage AFTER INSERT OR UPDATE OF stage ON version
  FOR EACH ROW EXECUTE FUNCTION announce_version_stage();

-- Logs only grow.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON activity FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON signing_certificate FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON activity FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON signing_certificate FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
