-- A mail to an account that its transaction disables or deletes. It does not refer to the account; the outbox forgets the address
-- once the mail is sent or given up.
ALTER TABLE outgoing_mail ADD COLUMN is_farewell BOOLEAN NOT NULL DEFAULT false;
