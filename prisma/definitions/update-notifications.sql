-- Processes hold responses to update checks in memory. Each transaction that changes what they say names the add-on on the channel
-- `addon_updates`; a bulk load sends one empty notification, after which processes drop all responses.
CREATE OR REPLACE FUNCTION announce_updates_of_addon() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM pg_notify('addon_updates', OLD.guid::text);
  END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.guid IS DISTINCT FROM OLD.guid) THEN
    PERFORM pg_notify('addon_updates', NEW.guid::text);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_updates_of_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('addon_updates', guid::text) FROM addon WHERE id IN (NEW.addon_id, OLD.addon_id);
  RETURN NULL;
END $$;

-- For rows that belong to a version. Those of versions in other stages are in no response.
CREATE OR REPLACE FUNCTION announce_updates_of_version_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('addon_updates', a.guid::text) FROM version v JOIN addon a ON a.id = v.addon_id
  WHERE v.id IN (NEW.version_id, OLD.version_id) AND v.stage = 'signed' AND v.channel = 'listed';
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_updates_of_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('addon_updates', '');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_updates_insert AFTER INSERT ON addon FOR EACH ROW
  WHEN (NEW.status = 'public' AND current_setting('addons.bulk_load', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_updates_of_addon();
CREATE OR REPLACE TRIGGER announce_updates_update AFTER UPDATE OF guid, slug, type, status, is_disabled_by_developer ON addon FOR EACH ROW
  WHEN ((OLD.guid::text, OLD.slug::text, OLD.type, OLD.status, OLD.is_disabled_by_developer)
      IS DISTINCT FROM (NEW.guid::text, NEW.slug::text, NEW.type, NEW.status, NEW.is_disabled_by_developer)
    AND current_setting('addons.bulk_load', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_updates_of_addon();
CREATE OR REPLACE TRIGGER announce_updates_delete AFTER DELETE ON addon FOR EACH ROW
  WHEN (current_setting('addons.bulk_load', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_updates_of_addon();

CREATE OR REPLACE TRIGGER announce_updates_insert AFTER INSERT ON version FOR EACH ROW
  WHEN (NEW.stage = 'signed' AND NEW.channel = 'listed' AND current_setting('addons.bulk_load', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_updates_of_version();
CREATE OR REPLACE TRIGGER announce_updates_update
  AFTER UPDATE OF addon_id, version, channel, stage, release_notes, is_strict_compatibility_enabled, deleted_at, created ON version
  FOR EACH ROW
  WHEN ((OLD.stage = 'signed' OR NEW.stage = 'signed')
    AND (OLD.addon_id, OLD.version, OLD.channel, OLD.stage, OLD.release_notes = '{}', OLD.is_strict_compatibility_enabled,
        OLD.deleted_at, OLD.created)
      IS DISTINCT FROM (NEW.addon_id, NEW.version, NEW.channel, NEW.stage, NEW.release_notes = '{}',
        NEW.is_strict_compatibility_enabled, NEW.deleted_at, NEW.created)
    AND current_setting('addons.bulk_load', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_updates_of_version();
CREATE OR REPLACE TRIGGER announce_updates_delete AFTER DELETE ON version FOR EACH ROW
  WHEN (OLD.stage = 'signed' AND current_setting('addons.bulk_load', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_updates_of_version();

CREATE OR REPLACE TRIGGER announce_updates AFTER INSERT OR UPDATE OR DELETE ON version_compatibility FOR EACH ROW
  WHEN (current_setting('addons.bulk_load', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_updates_of_version_part();
CREATE OR REPLACE TRIGGER announce_updates AFTER INSERT OR UPDATE OR DELETE ON file FOR EACH ROW
  WHEN (current_setting('addons.bulk_load', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_updates_of_version_part();

CREATE OR REPLACE TRIGGER announce_updates_of_all AFTER INSERT OR UPDATE OR DELETE ON addon
  FOR EACH STATEMENT WHEN (current_setting('addons.bulk_load', true) = 'on') EXECUTE FUNCTION announce_updates_of_all();
CREATE OR REPLACE TRIGGER announce_updates_of_all AFTER INSERT OR UPDATE OR DELETE ON version
  FOR EACH STATEMENT WHEN (current_setting('addons.bulk_load', true) = 'on') EXECUTE FUNCTION announce_updates_of_all();
CREATE OR REPLACE TRIGGER announce_updates_of_all AFTER INSERT OR UPDATE OR DELETE ON version_compatibility
  FOR EACH STATEMENT WHEN (current_setting('addons.bulk_load', true) = 'on') EXECUTE FUNCTION announce_updates_of_all();
CREATE OR REPLACE TRIGGER announce_updates_of_all AFTER INSERT OR UPDATE OR DELETE ON file
  FOR EACH STATEMENT WHEN (current_setting('addons.bulk_load', true) = 'on') EXECUTE FUNCTION announce_updates_of_all();
