-- Identities at the provider: an account may have several. account.idp_id is read by processes of the previous release only.
CREATE TABLE account_identity (
    id serial PRIMARY KEY,
    account_id integer NOT NULL REFERENCES account(id) ON DELETE CASCADE ON UPDATE CASCADE,
    issuer text NOT NULL,
    subject text NOT NULL,
    email citext,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used timestamptz(3)
);

CREATE UNIQUE INDEX account_identity_issuer_subject_key ON account_identity(issuer, subject);
CREATE INDEX account_identity_account_id_idx ON account_identity(account_id);

-- An issuer has no fragment. Ids of accounts for tests may have no issuer.
INSERT INTO account_identity (account_id, issuer, subject, email, last_used)
SELECT id,
    CASE WHEN position('#' IN idp_id) > 0 THEN split_part(idp_id, '#', 1) ELSE '' END,
    CASE WHEN position('#' IN idp_id) > 0 THEN substr(idp_id, position('#' IN idp_id) + 1) ELSE idp_id END,
    email, last_login
FROM account WHERE idp_id IS NOT NULL AND deleted_at IS NULL;

-- The account that the identity of a started sign-in will be linked to; null for a sign-in.
ALTER TABLE login_attempt ADD COLUMN link_account_id integer REFERENCES account(id) ON DELETE CASCADE ON UPDATE CASCADE;
