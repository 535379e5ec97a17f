-- What the search in PostgreSQL reads. src/domain/search/postgres writes these tables, by SQL of its own, in the transaction
-- of each change; only publicly visible add-ons have rows. The words of the contract are numbers here, see codes.ts.

-- One narrow row for each add-on. A search visits many rows and few of their texts, so the texts are kept out of line:
-- PostgreSQL does that with rows over 2 kB, and the blanks of `pad` (compressed to almost nothing) make every row one. A
-- statement that sets a text has to set `pad` too, or the row is stored whole.
--
-- The versions of an application that an add-on works in are bounds; NULL is no bound. There is no index on m or users, as
-- these change every day and each change would rewrite the entries of the text indexes.
CREATE SEQUENCE addon_search_rev;
CREATE TABLE addon_search (
    m DOUBLE PRECISION NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    hotness DOUBLE PRECISION NOT NULL,
    created TIMESTAMPTZ(3) NOT NULL,
    last_updated TIMESTAMPTZ(3) NOT NULL,
    rev BIGINT NOT NULL DEFAULT nextval('addon_search_rev'),
    users INTEGER NOT NULL,
    downloads INTEGER NOT NULL,
    addon_id INTEGER NOT NULL PRIMARY KEY,
    type SMALLINT NOT NULL,
    apps SMALLINT NOT NULL,
    platforms SMALLINT NOT NULL,
    lvl SMALLINT NOT NULL,
    is_experimental BOOLEAN NOT NULL,
    is_featured BOOLEAN NOT NULL,
    desktop_min BIGINT,
    desktop_max BIGINT,
    mobile_min BIGINT,
    mobile_max BIGINT,
    suite_min BIGINT,
    suite_max BIGINT,
    mail_min BIGINT,
    mail_max BIGINT,
    name_lex TSVECTOR NOT NULL,
    text_lex TSVECTOR NOT NULL,
    pad TEXT NOT NULL DEFAULT repeat(' ', 2100),

    -- A search that ends early relies on what rows below a level can be worth at most: the numbers of popularity.ts.
    CONSTRAINT addon_search_level_2 CHECK (lvl >= 2 OR (users < 250 AND m < 1.3)),
    CONSTRAINT addon_search_level_1 CHECK (lvl >= 1 OR (users < 15 AND m < 1.15))
) WITH (toast_tuple_target = 160, fillfactor = 85);
ALTER SEQUENCE addon_search_rev OWNED BY addon_search.rev;
ALTER TABLE addon_search ALTER name_lex SET STORAGE EXTERNAL, ALTER text_lex SET STORAGE EXTERNAL;

CREATE INDEX addon_search_created ON addon_search (created DESC, addon_id);
CREATE INDEX addon_search_updated ON addon_search (last_updated DESC, addon_id);
CREATE INDEX addon_search_rating ON addon_search (rating DESC, addon_id);
CREATE INDEX addon_search_lexemes ON addon_search USING gin (name_lex, text_lex) WITH (fastupdate = off);
CREATE INDEX addon_search_lexemes_1 ON addon_search USING gin (name_lex, text_lex) WITH (fastupdate = off) WHERE lvl >= 1;
CREATE INDEX addon_search_lexemes_2 ON addon_search USING gin (name_lex, text_lex) WITH (fastupdate = off) WHERE lvl >= 2;

-- The same add-ons for lists without a query: what they are filtered and ordered by.
CREATE TABLE search_listing (
    addon_id INTEGER NOT NULL PRIMARY KEY,
    users INTEGER NOT NULL,
    downloads INTEGER NOT NULL,
    hotness DOUBLE PRECISION NOT NULL,
    type SMALLINT NOT NULL,
    apps SMALLINT NOT NULL,
    platforms SMALLINT NOT NULL,
    desktop_min BIGINT,
    desktop_max BIGINT,
    mobile_min BIGINT,
    mobile_max BIGINT,
    suite_min BIGINT,
    suite_max BIGINT,
    mail_min BIGINT,
    mail_max BIGINT,
    cats INTEGER[] NOT NULL
) WITH (fillfactor = 85);
CREATE INDEX search_listing_downloads ON search_listing (downloads DESC, addon_id);
CREATE INDEX search_listing_type_downloads ON search_listing (type, downloads DESC, addon_id);
CREATE INDEX search_listing_users ON search_listing (users DESC, addon_id);
CREATE INDEX search_listing_type_users ON search_listing (type, users DESC, addon_id);
CREATE INDEX search_listing_hotness ON search_listing (hotness DESC, addon_id);

-- How many add-ons there are of each kind: sum(n). Every change adds rows of +n and -n, so that nobody waits for a counter;
-- a job folds them together.
CREATE TABLE search_facet (
    type SMALLINT NOT NULL,
    apps SMALLINT NOT NULL,
    platforms SMALLINT NOT NULL,
    desktop_min BIGINT,
    desktop_max BIGINT,
    mobile_min BIGINT,
    mobile_max BIGINT,
    suite_min BIGINT,
    suite_max BIGINT,
    mail_min BIGINT,
    mail_max BIGINT,
    n INTEGER NOT NULL
);

-- The words (t) and squashed names (q) that a misspelt query is compared with. Two transactions may add the same word, as
-- waiting for each other would cost more than the double; the job that folds the counts removes what is double or gone.
CREATE TABLE search_word (
    kind "char" NOT NULL,
    c1 TEXT COLLATE "C" NOT NULL,
    len SMALLINT NOT NULL,
    term TEXT COLLATE "C" NOT NULL
);
CREATE INDEX search_word_kind ON search_word (kind, c1, len, term);

-- Compares words in the database. Without it, on a server that lacks its package, they are compared by the program.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'fuzzystrmatch is not available: %', SQLERRM;
END $$;
