-- A file is signed once: neither a second worker nor a suspended one that continues may replace the first result.
CREATE OR REPLACE FUNCTION file_signed_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.signed_sha256 IS NOT NULL AND NEW.signed_sha256 IS DISTINCT FROM OLD.signed_sha256 THEN
    RAISE EXCEPTION 'file % is signed already', OLD.id;
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER file_signed_once BEFORE UPDATE ON file
  FOR EACH ROW EXECUTE FUNCTION file_signed_once();
