-- Ratings of add-ons by visitors, with the replies of authors and the flags of readers.

CREATE TABLE rating (
    id serial PRIMARY KEY,
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    version_id integer REFERENCES version ON DELETE SET NULL ON UPDATE CASCADE,
    account_id integer NOT NULL REFERENCES account ON DELETE RESTRICT ON UPDATE CASCADE,
    -- The rating that a reply belongs to; null for a rating.
    reply_to integer REFERENCES rating ON DELETE CASCADE ON UPDATE CASCADE,
    -- Null for a reply.
    score smallint,
    body text,
    -- Whether it counts: the newest rating of the account on the add-on that is neither deleted nor on hold.
    is_latest boolean NOT NULL DEFAULT false,
    -- Earlier ratings of the account on the add-on that are neither deleted nor on hold.
    previous_count integer NOT NULL DEFAULT 0,
    deleted_at timestamptz(3),
    held_at timestamptz(3),
    -- Why it is on hold.
    hold_reason text,
    -- Flags that no moderator has decided about.
    open_flags integer NOT NULL DEFAULT 0,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT rating_held_together CHECK ((held_at IS NULL) = (hold_reason IS NULL)),
    CONSTRAINT rating_hold_reason_known CHECK (hold_reason IN ('new_account', 'text', 'moderator')),
    CONSTRAINT rating_latest_is_shown CHECK (NOT is_latest OR (reply_to IS NULL AND deleted_at IS NULL AND held_at IS NULL)),
    CONSTRAINT rating_score_known CHECK (score BETWEEN 1 AND 5),
    CONSTRAINT rating_scored_unless_reply CHECK ((score IS NULL) = (reply_to IS NOT NULL))
);
CREATE INDEX rating_account_id_created_id_idx ON rating (account_id, created, id);
CREATE INDEX rating_addon_id_account_id_idx ON rating (addon_id, account_id);
CREATE INDEX rating_version_id_created_id_idx ON rating (version_id, created, id);
CREATE UNIQUE INDEX rating_reply_to_key ON rating (reply_to);
-- The lists of an add-on in their order; pages with a high number skip entries of the index alone.
CREATE INDEX rating_latest ON rating (addon_id, created, id) INCLUDE (score) WHERE is_latest;
CREATE INDEX rating_latest_text ON rating (addon_id, created, id) INCLUDE (score) WHERE is_latest AND body IS NOT NULL;
-- All ratings of an add-on by age, for lists with deleted ones and for floods.
CREATE INDEX rating_addon_id_created_id_idx ON rating (addon_id, created, id);
-- An account has at most one rating of a version.
CREATE UNIQUE INDEX rating_of_version ON rating (version_id, account_id) WHERE reply_to IS NULL AND deleted_at IS NULL;
-- The inbox of moderators.
CREATE INDEX rating_open ON rating (created, id) WHERE deleted_at IS NULL AND (open_flags > 0 OR hold_reason <> 'moderator');

-- One flag for each account; without an account, the service itself raised it.
CREATE TABLE rating_flag (
    id serial PRIMARY KEY,
    rating_id integer NOT NULL REFERENCES rating ON DELETE CASCADE ON UPDATE CASCADE,
    account_id integer REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    reason text NOT NULL,
    note text,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- When a moderator decided about it.
    decided timestamptz(3),
    CONSTRAINT rating_flag_reason_known CHECK (reason IN ('spam', 'language', 'bug_support', 'other', 'flood'))
);
CREATE INDEX rating_flag_account_id_idx ON rating_flag (account_id);
CREATE UNIQUE INDEX rating_flag_rating_id_account_id_key ON rating_flag (rating_id, account_id);

-- What the numbers of an add-on with rows are made of: imported sums, and counts of the ratings that count, by score from 1 to 5.
CREATE TABLE rating_sums (
    addon_id integer PRIMARY KEY REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    imported_count integer NOT NULL DEFAULT 0,
    imported_text_count integer NOT NULL DEFAULT 0,
    imported_average double precision NOT NULL DEFAULT 0,
    scores integer[] DEFAULT ARRAY[0, 0, 0, 0, 0]::integer[],
    texts integer[] DEFAULT ARRAY[0, 0, 0, 0, 0]::integer[],
    -- Changes with each change to a rating of the add-on.
    revision bigserial NOT NULL
);

-- What the Bayesian averages start from: the mean number of ratings and the mean average of rated public add-ons.
CREATE TABLE rating_mean (
    id integer PRIMARY KEY DEFAULT 1,
    count double precision NOT NULL,
    average double precision NOT NULL,
    CONSTRAINT rating_mean_one_row CHECK (id = 1)
);
INSERT INTO rating_mean (count, average)
SELECT coalesce(avg(rating_count), 0), coalesce(avg(rating_average), 0) FROM addon
WHERE status = 'public' AND NOT is_disabled_by_developer AND rating_count > 0;

-- Reports about ratings.
ALTER TABLE abuse_report ADD COLUMN rating_id integer REFERENCES rating ON DELETE SET NULL ON UPDATE CASCADE;
CREATE INDEX abuse_report_rating_id_idx ON abuse_report (rating_id);
