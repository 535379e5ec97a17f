-- Accounts, their groups, credentials and sessions. schema.prisma describes the columns of all tables.

CREATE EXTENSION IF NOT EXISTS citext;

-- The account -1 makes automatic decisions (0008_reference_data.sql).
CREATE TABLE account (
    id serial PRIMARY KEY,
    username citext NOT NULL,
    display_name text,
    email citext,
    biography text,
    homepage text,
    location text,
    occupation text,
    picture_sha256 text,
    is_verified boolean NOT NULL DEFAULT false,
    has_chosen_username boolean NOT NULL DEFAULT true,
    read_dev_agreement timestamptz(3),
    last_login timestamptz(3),
    last_login_ip text,
    locale text,
    disabled_at timestamptz(3),
    deleted_at timestamptz(3),
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
-- Pages find add-ons by the display name of an author.
CREATE INDEX account_display_name ON account (lower(display_name)) WHERE display_name IS NOT NULL;
CREATE INDEX account_display_name_beginning ON account (lower(display_name) text_pattern_ops) WHERE display_name IS NOT NULL;
CREATE INDEX account_email_beginning ON account (lower(email::text) text_pattern_ops) WHERE email IS NOT NULL;
CREATE INDEX account_username_beginning ON account (lower(username::text) text_pattern_ops);
CREATE UNIQUE INDEX account_email_key ON account (email);
CREATE UNIQUE INDEX account_username_key ON account (username);

-- A person at the identity provider who signs in to the account; an account may have several.
CREATE TABLE account_identity (
    id serial PRIMARY KEY,
    account_id integer NOT NULL REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    issuer text NOT NULL,
    subject text NOT NULL,
    email citext,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used timestamptz(3)
);
CREATE INDEX account_identity_account_id_idx ON account_identity (account_id);
CREATE UNIQUE INDEX account_identity_issuer_subject_key ON account_identity (issuer, subject);

CREATE TABLE permission_group (
    id serial PRIMARY KEY,
    name citext NOT NULL,
    rules text[],
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX permission_group_name_key ON permission_group (name);

CREATE TABLE group_member (
    group_id integer NOT NULL REFERENCES permission_group ON DELETE CASCADE ON UPDATE CASCADE,
    account_id integer NOT NULL REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (group_id, account_id)
);
CREATE INDEX group_member_account_id_idx ON group_member (account_id);

-- The secret is encrypted: checking the signature of a one-time token needs it.
CREATE TABLE api_key (
    id serial PRIMARY KEY,
    account_id integer NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
    key text NOT NULL,
    label text NOT NULL DEFAULT '',
    sealed_secret bytea NOT NULL,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires timestamptz(3),
    revoked_at timestamptz(3),
    last_used timestamptz(3)
);
CREATE INDEX api_key_account_id_idx ON api_key (account_id);
CREATE UNIQUE INDEX api_key_key_key ON api_key (key);

CREATE TABLE access_token (
    id serial PRIMARY KEY,
    account_id integer NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
    hash bytea NOT NULL,
    label text NOT NULL DEFAULT '',
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    last_used timestamptz(3)
);
CREATE INDEX access_token_account_id_idx ON access_token (account_id);
CREATE UNIQUE INDEX access_token_hash_key ON access_token (hash);

CREATE TABLE page_session (
    access_token_id integer PRIMARY KEY REFERENCES access_token ON DELETE CASCADE ON UPDATE CASCADE,
    hash bytea NOT NULL,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires timestamptz(3) NOT NULL
);
CREATE INDEX page_session_expires_idx ON page_session (expires);
CREATE UNIQUE INDEX page_session_hash_key ON page_session (hash);

-- A sign-in at the identity provider that has started and not ended. The state and the browser's cookie are stored as SHA-256.
CREATE TABLE login_attempt (
    state_hash bytea PRIMARY KEY,
    browser_hash bytea NOT NULL,
    nonce text NOT NULL,
    verifier text NOT NULL,
    next_path text,
    expires timestamptz(3) NOT NULL,
    link_account_id integer REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX login_attempt_expires_idx ON login_attempt (expires);

-- Used one-time tokens, kept until they have expired. A token may return for a short time if it is the same (`token_sha256`).
CREATE TABLE spent_token (
    issuer text NOT NULL,
    jti text NOT NULL,
    expires timestamptz(3) NOT NULL,
    token_sha256 text NOT NULL,
    first_used timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    is_repeatable boolean NOT NULL DEFAULT false,
    PRIMARY KEY (issuer, jti)
);
CREATE INDEX spent_token_expires_idx ON spent_token (expires);

CREATE TABLE notification_setting (
    account_id integer NOT NULL REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    name text NOT NULL,
    enabled boolean NOT NULL,
    PRIMARY KEY (account_id, name)
);
