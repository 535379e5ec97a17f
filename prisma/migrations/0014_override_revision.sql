-- Applications ask with every start for the overrides of dozens of add-ons, of which few have one. Processes hold the overrides
-- in memory and ask the database only whether they are still these: every statement that changes one writes another revision.
-- Whoever writes it has the row until the end of the transaction, so one revision stands for one committed state. An import has
-- a row of its own: it may take minutes, and nobody else who changes an override is to wait for its end.
CREATE TABLE compat_override_revision (
  bulk_load boolean PRIMARY KEY,
  revision uuid NOT NULL
);

CREATE FUNCTION renew_override_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO compat_override_revision (bulk_load, revision)
  VALUES (coalesce(current_setting('addons.bulk_load', true), '') = 'on', gen_random_uuid())
  ON CONFLICT (bulk_load) DO UPDATE SET revision = excluded.revision;
  RETURN NULL;
END $$;

CREATE TRIGGER renew_revision AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON compat_override
  FOR EACH STATEMENT EXECUTE FUNCTION renew_override_revision();
CREATE TRIGGER renew_revision AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON compat_override_range
  FOR EACH STATEMENT EXECUTE FUNCTION renew_override_revision();
