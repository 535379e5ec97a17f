-- Reply addresses: one for each mail and recipient. reply_token is used by processes of the previous release only.
CREATE TABLE reply_address (
    id serial PRIMARY KEY,
    mail_id integer,
    token_hash text NOT NULL,
    version_id integer NOT NULL REFERENCES version(id) ON DELETE RESTRICT ON UPDATE CASCADE,
    account_id integer NOT NULL REFERENCES account(id) ON DELETE RESTRICT ON UPDATE CASCADE,
    use_count integer NOT NULL DEFAULT 0,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE UNIQUE INDEX reply_address_mail_id_key ON reply_address(mail_id);
CREATE UNIQUE INDEX reply_address_token_hash_key ON reply_address(token_hash);
CREATE INDEX reply_address_account_id_idx ON reply_address(account_id);
CREATE INDEX reply_address_created_idx ON reply_address(created);
CREATE INDEX reply_address_version_id_idx ON reply_address(version_id);

-- Addresses in earlier mails work for as long as new ones.
INSERT INTO reply_address (token_hash, version_id, account_id)
SELECT token_hash, version_id, account_id FROM reply_token;
