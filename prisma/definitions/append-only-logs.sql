-- Logs accept new rows only.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON activity
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON signing_certificate
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON log_checkpoint
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER append_only_truncate BEFORE TRUNCATE ON activity
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER append_only_truncate BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER append_only_truncate BEFORE TRUNCATE ON signing_certificate
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER append_only_truncate BEFORE TRUNCATE ON log_checkpoint
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Runs with the rights of its owner, so that a role which may only append to the logs cannot change their heads.
CREATE OR REPLACE FUNCTION advance_log_head() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.log_head SET size = size + 1, hash = NEW.hash WHERE log = TG_ARGV[0];
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER advance_log_head AFTER INSERT ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION advance_log_head('audit');
CREATE OR REPLACE TRIGGER advance_log_head AFTER INSERT ON signing_certificate
  FOR EACH ROW EXECUTE FUNCTION advance_log_head('signature');
