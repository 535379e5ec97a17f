-- Activity and the logs, reviewing, mail, abuse reports.

-- Append-only: every state change of an upload, version, add-on or account, with actor and reason.
CREATE TABLE activity (
    id serial PRIMARY KEY,
    action text NOT NULL,
    account_id integer REFERENCES account ON DELETE SET NULL ON UPDATE CASCADE,
    addon_id integer REFERENCES addon ON DELETE SET NULL ON UPDATE CASCADE,
    version_id integer REFERENCES version ON DELETE SET NULL ON UPDATE CASCADE,
    comments text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX activity_account_id_id_idx ON activity (account_id, id);
CREATE INDEX activity_addon_id_id_idx ON activity (addon_id, id);
-- The thread of a version, newest first.
CREATE INDEX activity_review_notes ON activity (version_id, created DESC, id DESC) WHERE action IN ('approved', 'rejected',
    'review-requested', 'more-information-requested', 'super-review-requested', 'comment', 'review-note', 'source-code-uploaded');
-- What reviewers did, newest first.
CREATE INDEX activity_review_log ON activity (created DESC, id DESC) WHERE action IN ('approved', 'rejected',
    'more-information-requested', 'super-review-requested', 'comment') AND version_id IS NOT NULL;
-- The reason of the last disabling of an account, for its owner.
CREATE INDEX activity_account_disabled ON activity ((details->>'accountId'), id) WHERE action = 'account-disabled';
-- The replies to an abuse report.
CREATE INDEX activity_abuse_replies ON activity ((details->>'reportId'), id) WHERE action = 'abuse-reply-sent';
CREATE INDEX activity_version_id_id_idx ON activity (version_id, id);

-- Append-only: actions of operators. Each row contains the hash of the previous one.
CREATE TABLE audit_entry (
    id bigserial PRIMARY KEY,
    actor text NOT NULL,
    action text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    created timestamptz(3) NOT NULL,
    previous_hash text NOT NULL,
    hash text NOT NULL
);
CREATE INDEX audit_entry_action_id_idx ON audit_entry (action, id);
CREATE INDEX audit_entry_actor_id_idx ON audit_entry (actor, id);
CREATE UNIQUE INDEX audit_entry_hash_key ON audit_entry (hash);
CREATE UNIQUE INDEX audit_entry_previous_hash_key ON audit_entry (previous_hash);

-- Size and newest hash of the logs `audit` and `signature`, which show when a log has lost rows. A trigger updates them.
CREATE TABLE log_head (
    log text PRIMARY KEY,
    size bigint NOT NULL,
    hash text NOT NULL
);

-- Append-only: checkpoints of the logs that workers have signed.
CREATE TABLE log_checkpoint (
    id serial PRIMARY KEY,
    note text NOT NULL,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- A version in stage `awaiting_review`, with its marks. A trigger on `version` inserts and deletes the rows.
CREATE TABLE review_queue (
    version_id integer PRIMARY KEY REFERENCES version ON DELETE CASCADE ON UPDATE CASCADE,
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    type text NOT NULL,
    channel text NOT NULL,
    waiting_since timestamptz(3) NOT NULL,
    claimed_by integer REFERENCES account ON DELETE SET NULL ON UPDATE CASCADE,
    claimed_until timestamptz(3),
    is_information_requested boolean NOT NULL DEFAULT false,
    is_referred boolean NOT NULL DEFAULT false
);
CREATE INDEX review_queue_addon_id_idx ON review_queue (addon_id);
CREATE INDEX review_queue_waiting_since_version_id_idx ON review_queue (waiting_since, version_id);

-- Comments of reviewers on lines of versions. Those that no note has sent are drafts; a trigger deletes them with their version or account.
-- Without a reference to `activity`: its check locks the row, and the service may not change rows of that table.
CREATE TABLE line_comment (
    id serial PRIMARY KEY,
    version_id integer NOT NULL REFERENCES version ON DELETE CASCADE ON UPDATE CASCADE,
    account_id integer NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
    activity_id integer,
    path text NOT NULL,
    line integer NOT NULL,
    quote text NOT NULL,
    text text NOT NULL,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX line_comment_version_id_path_line_idx ON line_comment (version_id, path, line);
CREATE INDEX line_comment_activity_id_idx ON line_comment (activity_id);
CREATE INDEX line_comment_account_id_idx ON line_comment (account_id);

-- Reviewers who get mails about the reviews of an add-on.
CREATE TABLE review_subscription (
    account_id integer NOT NULL REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    mailed_until timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (account_id, addon_id)
);
CREATE INDEX review_subscription_addon_id_idx ON review_subscription (addon_id);

-- Texts that reviewers reuse, by language.
CREATE TABLE canned_response (
    id serial PRIMARY KEY,
    name citext NOT NULL,
    text jsonb NOT NULL,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX canned_response_name_key ON canned_response (name);

-- The outbox. A row is written in the transaction of its cause, and a worker sends it; `claimed_until` is that worker's lease.
CREATE TABLE outgoing_mail (
    id serial PRIMARY KEY,
    account_id integer REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    address text NOT NULL,
    cause text NOT NULL,
    notification text,
    subject text NOT NULL,
    text text NOT NULL,
    html text NOT NULL,
    headers jsonb NOT NULL DEFAULT '[]',
    version_id integer REFERENCES version ON DELETE SET NULL ON UPDATE CASCADE,
    is_bulk boolean NOT NULL DEFAULT false,
    is_farewell boolean NOT NULL DEFAULT false,
    state text NOT NULL DEFAULT 'queued',
    attempts integer NOT NULL DEFAULT 0,
    next_attempt timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    claimed_until timestamptz(3),
    last_error text,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    sent timestamptz(3),
    CONSTRAINT outgoing_mail_sent_together CHECK ((state = 'sent') = (sent IS NOT NULL)),
    CONSTRAINT outgoing_mail_state_known CHECK (state IN ('queued', 'sent', 'failed'))
);
-- One mail per cause and recipient.
CREATE UNIQUE INDEX outgoing_mail_account_id_cause_key ON outgoing_mail (account_id, cause);
CREATE INDEX outgoing_mail_due ON outgoing_mail (is_bulk, next_attempt, id) WHERE state = 'queued';
CREATE INDEX outgoing_mail_lower_address ON outgoing_mail (lower(address), id);
CREATE INDEX outgoing_mail_state_id_idx ON outgoing_mail (state, id);
CREATE INDEX outgoing_mail_version_id_idx ON outgoing_mail (version_id);

-- An address takes the replies to one mail. Its token is derived from the installation's secret key; only the hash is stored.
CREATE TABLE reply_address (
    id serial PRIMARY KEY,
    mail_id integer NOT NULL,
    token_hash text NOT NULL,
    version_id integer NOT NULL REFERENCES version ON DELETE RESTRICT ON UPDATE CASCADE,
    account_id integer NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
    use_count integer NOT NULL DEFAULT 0,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX reply_address_account_id_idx ON reply_address (account_id);
CREATE INDEX reply_address_created_idx ON reply_address (created);
CREATE UNIQUE INDEX reply_address_mail_id_key ON reply_address (mail_id);
CREATE UNIQUE INDEX reply_address_token_hash_key ON reply_address (token_hash);
CREATE INDEX reply_address_version_id_idx ON reply_address (version_id);

-- Mails that were received, so that none counts twice. The hash is SHA-256 of the Message-ID.
CREATE TABLE received_mail (
    message_hash text PRIMARY KEY,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX received_mail_created_idx ON received_mail (created);

CREATE TABLE abuse_report (
    id serial PRIMARY KEY,
    reporter_id integer REFERENCES account ON DELETE SET NULL ON UPDATE CASCADE,
    account_id integer REFERENCES account ON DELETE SET NULL ON UPDATE CASCADE,
    addon_guid text,
    addon_id integer,
    message text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    ip_address text,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    state text NOT NULL DEFAULT 'open',
    note text,
    decided_by integer REFERENCES account ON DELETE SET NULL ON UPDATE CASCADE,
    decided timestamptz(3),
    CONSTRAINT abuse_report_decided_together CHECK ((state = 'open') = (decided IS NULL)),
    CONSTRAINT abuse_report_state_known CHECK (state IN ('open', 'valid', 'dismissed', 'duplicate'))
);
CREATE INDEX abuse_report_account_id_idx ON abuse_report (account_id);
CREATE INDEX abuse_report_addon_id_idx ON abuse_report (addon_id);
CREATE INDEX abuse_report_lower_guid ON abuse_report (lower(addon_guid));
CREATE INDEX abuse_report_state_id_idx ON abuse_report (state, id);

-- Logs are append-only by rights as well as by trigger. The owner of a table can grant itself the rights again; a role that is not the
-- owner cannot (docs/operating.md).
REVOKE UPDATE, DELETE, TRUNCATE ON activity, audit_entry, signing_certificate FROM PUBLIC, CURRENT_USER;
