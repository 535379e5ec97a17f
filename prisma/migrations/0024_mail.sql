-- The language of mails to an account, as its browser last sent it; null for the default of the installation.
ALTER TABLE account ADD COLUMN locale TEXT;

-- The outbox. A row is written in the transaction of its cause, and a worker sends it. `claimed_until` is the lease of the
-- worker that sends it now.
CREATE TABLE "outgoing_mail" (
    "id" SERIAL NOT NULL,
    "account_id" INTEGER,
    "address" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "notification" TEXT,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "headers" JSONB NOT NULL DEFAULT '[]',
    "version_id" INTEGER,
    "is_bulk" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_until" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent" TIMESTAMPTZ(3),

    CONSTRAINT "outgoing_mail_pkey" PRIMARY KEY ("id"),
    CONSTRAINT outgoing_mail_state_known CHECK (state IN ('queued', 'sent', 'failed')),
    CONSTRAINT outgoing_mail_sent_together CHECK ((state = 'sent') = (sent IS NOT NULL))
);
-- One mail per cause and recipient.
CREATE UNIQUE INDEX "outgoing_mail_account_id_cause_key" ON "outgoing_mail"("account_id", "cause");
CREATE INDEX "outgoing_mail_state_id_idx" ON "outgoing_mail"("state", "id");
CREATE INDEX "outgoing_mail_version_id_idx" ON "outgoing_mail"("version_id");
CREATE INDEX outgoing_mail_due ON outgoing_mail (is_bulk, next_attempt, id) WHERE state = 'queued';
CREATE INDEX outgoing_mail_lower_address ON outgoing_mail (lower(address), id);
ALTER TABLE "outgoing_mail" ADD CONSTRAINT "outgoing_mail_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "outgoing_mail" ADD CONSTRAINT "outgoing_mail_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A deleted account gets no mail, the outbox forgets its address, and its reply addresses end.
CREATE FUNCTION forget_mails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outgoing_mail WHERE account_id = NEW.id AND state <> 'sent';
  UPDATE outgoing_mail SET address = '' WHERE account_id = NEW.id;
  DELETE FROM reply_token WHERE account_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_mails AFTER UPDATE OF deleted_at ON account
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION forget_mails();

-- The token of a reply address is derived from the installation's secret key; only its hash is stored.
ALTER TABLE reply_token RENAME COLUMN token TO token_hash;
ALTER INDEX reply_token_token_key RENAME TO reply_token_token_hash_key;

-- Replies that were received by mail, so that none counts twice. The hash is SHA-256 of the Message-ID.
CREATE TABLE "received_mail" (
    "message_hash" TEXT NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "received_mail_pkey" PRIMARY KEY ("message_hash")
);
CREATE INDEX "received_mail_created_idx" ON "received_mail"("created");
