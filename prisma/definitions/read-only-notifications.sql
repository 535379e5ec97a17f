-- Processes keep in memory whether the service is in read-only mode, and the notice of operators on all pages. Each change of such a row
-- is announced: the switch of operators with its texts, the reports of hosts whose disk is nearly full, and the notice.
CREATE OR REPLACE FUNCTION announce_service_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('service_state', '');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER announce_service_state AFTER INSERT OR UPDATE ON service_state FOR EACH ROW
  WHEN (NEW.name IN ('read_only', 'read_only_text', 'site_notice') OR starts_with(NEW.name, 'low_disk:')) EXECUTE FUNCTION announce_service_state();
CREATE OR REPLACE TRIGGER announce_service_state_removal AFTER DELETE ON service_state FOR EACH ROW
  WHEN (OLD.name IN ('read_only', 'read_only_text', 'site_notice') OR starts_with(OLD.name, 'low_disk:')) EXECUTE FUNCTION announce_service_state();
