-- A deleted account gets no mail, the outbox forgets its address, and its reply addresses end. Its collections are deleted.
CREATE OR REPLACE FUNCTION forget_mails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outgoing_mail WHERE account_id = NEW.id AND state <> 'sent';
  UPDATE outgoing_mail SET address = '' WHERE account_id = NEW.id;
  DELETE FROM reply_address WHERE account_id = NEW.id;
  DELETE FROM collection WHERE account_id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER forget_mails AFTER UPDATE OF deleted_at ON account
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION forget_mails();
