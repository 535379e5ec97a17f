-- Jobs of continuous integration that an add-on trusts: their ID tokens are exchanged for short-lived keys.
CREATE TABLE trusted_publisher (
    id serial PRIMARY KEY,
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    -- The owner who added it, for whom the keys upload.
    account_id integer NOT NULL REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    issuer text NOT NULL,
    subject text NOT NULL,
    audience text NOT NULL,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used timestamptz(3)
);
CREATE UNIQUE INDEX trusted_publisher_addon_id_issuer_subject_audience_key ON trusted_publisher (addon_id, issuer, subject, audience);
CREATE INDEX trusted_publisher_account_id_idx ON trusted_publisher (account_id);

-- What a job says of itself, of a key that it got for its ID token; null for keys that people have made.
ALTER TABLE api_key ADD COLUMN provenance jsonb;
