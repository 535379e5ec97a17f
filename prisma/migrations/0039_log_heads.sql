-- What shows that the logs have lost rows: the size and the newest hash of each log, and checkpoints that workers have signed.
LOCK TABLE audit_entry, signing_certificate IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "log_head" (
    "log" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "log_head_pkey" PRIMARY KEY ("log")
);

INSERT INTO log_head
  SELECT 'audit', count(*), coalesce((SELECT hash FROM audit_entry ORDER BY id DESC LIMIT 1), repeat('0', 64)) FROM audit_entry;
INSERT INTO log_head
  SELECT 'signature', count(*), coalesce((SELECT hash FROM signing_certificate ORDER BY id DESC LIMIT 1), repeat('0', 64))
  FROM signing_certificate;

-- With the rights of the owner, so that a role which may only append to the logs cannot change their heads.
CREATE FUNCTION advance_log_head() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.log_head SET size = size + 1, hash = NEW.hash WHERE log = TG_ARGV[0];
  RETURN NULL;
END $$;
CREATE TRIGGER advance_log_head AFTER INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION advance_log_head('audit');
CREATE TRIGGER advance_log_head AFTER INSERT ON signing_certificate FOR EACH ROW EXECUTE FUNCTION advance_log_head('signature');

-- CreateTable
CREATE TABLE "log_checkpoint" (
    "id" SERIAL NOT NULL,
    "note" TEXT NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "log_checkpoint_pkey" PRIMARY KEY ("id")
);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log_checkpoint FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON log_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
