-- A bulk load makes versions by the hundred thousand. Nobody can have subscribed to one of them before it is committed, so
-- the session that loads them says with `addons.bulk_load` that their first stage need not be announced.
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
