-- What the search in PostgreSQL reads. src/domain/search/postgres writes these tables with SQL of its own, in the transaction of each
-- change; only public add-ons have rows. Words of the contract are numbers here, see codes.ts.

-- One narrow row for each public add-on. A search visits many rows and few of their texts, so the texts are stored out of line:
-- PostgreSQL does that with rows over 2 kB, and the blanks of `pad`, which compress to almost nothing, make every row one. A statement
-- that sets a text must set `pad` too; otherwise the row is stored whole. Columns are ordered by their alignment.
--
-- The versions of an application that an add-on works in are bounds; NULL is no bound. `lexer` is the version of the text analysis that
-- made the row. There is no index on m or users: they change every day, and each change would rewrite the entries of the text indexes.
CREATE SEQUENCE addon_search_rev;
CREATE TABLE addon_search (
    m double precision NOT NULL,
    rating double precision NOT NULL,
    hotness double precision NOT NULL,
    created timestamptz(3) NOT NULL,
    last_updated timestamptz(3) NOT NULL,
    rev bigint NOT NULL DEFAULT nextval('addon_search_rev'),
    users integer NOT NULL,
    downloads integer NOT NULL,
    addon_id integer PRIMARY KEY,
    type smallint NOT NULL,
    apps smallint NOT NULL,
    platforms smallint NOT NULL,
    lvl smallint NOT NULL,
    lexer smallint NOT NULL,
    is_experimental boolean NOT NULL,
    is_featured boolean NOT NULL,
    desktop_min bigint,
    desktop_max bigint,
    mobile_min bigint,
    mobile_max bigint,
    suite_min bigint,
    suite_max bigint,
    mail_min bigint,
    mail_max bigint,
    name_lex tsvector NOT NULL,
    text_lex tsvector NOT NULL,
    pad text NOT NULL DEFAULT repeat(' ', 2100),
    -- A search that ends early relies on the greatest value of rows below a level: the numbers of popularity.ts.
    CONSTRAINT addon_search_level_1 CHECK (lvl >= 1 OR users < 15 AND m < 1.15),
    CONSTRAINT addon_search_level_2 CHECK (lvl >= 2 OR users < 250 AND m < 1.3)
) WITH (toast_tuple_target = 160, fillfactor = 85);
ALTER TABLE addon_search ALTER name_lex SET STORAGE EXTERNAL, ALTER text_lex SET STORAGE EXTERNAL;
CREATE INDEX addon_search_created ON addon_search (created DESC, addon_id);
-- New entries may wait in a list that searches read as well, and are merged together. Its length is up to the session that writes
-- (gin_pending_list_limit): a few pages for single changes, some megabytes for an import, which writes rows in half the time.
CREATE INDEX addon_search_lexemes ON addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on);
CREATE INDEX addon_search_lexemes_1 ON addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on) WHERE lvl >= 1;
CREATE INDEX addon_search_lexemes_2 ON addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on) WHERE lvl >= 2;
CREATE INDEX addon_search_rating ON addon_search (rating DESC, addon_id);
CREATE INDEX addon_search_updated ON addon_search (last_updated DESC, addon_id);

-- After a change of the text analysis, a worker writes the rows of all add-ons a second time, into a table of the same definition, and
-- then exchanges the two by moving them between schemas: names of indexes and constraints stay the same. `search_next` has the second
-- table, empty except during such a run; `search_previous` is used within the exchange only. A migration that changes addon_search must
-- change search_next.addon_search in the same way. No table owns the sequence, because it would move with the table.
CREATE SCHEMA search_next;
CREATE SCHEMA search_previous;
CREATE TABLE search_next.addon_search (LIKE addon_search INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
    WITH (toast_tuple_target = 160, fillfactor = 85);
ALTER TABLE search_next.addon_search ADD CONSTRAINT addon_search_pkey PRIMARY KEY (addon_id);
CREATE INDEX addon_search_created ON search_next.addon_search (created DESC, addon_id);
CREATE INDEX addon_search_lexemes ON search_next.addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on);
CREATE INDEX addon_search_lexemes_1 ON search_next.addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on) WHERE lvl >= 1;
CREATE INDEX addon_search_lexemes_2 ON search_next.addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on) WHERE lvl >= 2;
CREATE INDEX addon_search_rating ON search_next.addon_search (rating DESC, addon_id);
CREATE INDEX addon_search_updated ON search_next.addon_search (last_updated DESC, addon_id);

-- The same add-ons for lists without a query: columns to filter and sort by.
CREATE TABLE search_listing (
    addon_id integer PRIMARY KEY,
    users integer NOT NULL,
    downloads integer NOT NULL,
    hotness double precision NOT NULL,
    type smallint NOT NULL,
    apps smallint NOT NULL,
    platforms smallint NOT NULL,
    desktop_min bigint,
    desktop_max bigint,
    mobile_min bigint,
    mobile_max bigint,
    suite_min bigint,
    suite_max bigint,
    mail_min bigint,
    mail_max bigint,
    cats integer[] NOT NULL
) WITH (fillfactor = 85);
-- One index for each sort key, of all types: a list of several types merges their parts in order. The numbers change every day, and each
-- index that has one of them is written for every row whose numbers change.
CREATE INDEX search_listing_type_downloads ON search_listing (type, downloads DESC, addon_id);
CREATE INDEX search_listing_type_hotness ON search_listing (type, hotness DESC, addon_id);
CREATE INDEX search_listing_type_users ON search_listing (type, users DESC, addon_id);

-- The number of add-ons of each kind is sum(n). Each change inserts rows of +n and -n, so that no transaction waits for a counter; a job
-- sums them up.
CREATE TABLE search_facet (
    type smallint NOT NULL,
    apps smallint NOT NULL,
    platforms smallint NOT NULL,
    desktop_min bigint,
    desktop_max bigint,
    mobile_min bigint,
    mobile_max bigint,
    suite_min bigint,
    suite_max bigint,
    mail_min bigint,
    mail_max bigint,
    n integer NOT NULL
);

-- The words (t) and squashed names (q) that a misspelt query is compared with. Two transactions may add the same word, which costs less
-- than waiting; the job that sums up the counts removes duplicates and unused words.
CREATE TABLE search_word (
    kind "char" NOT NULL,
    c1 text COLLATE "C" NOT NULL,
    len smallint NOT NULL,
    term text COLLATE "C" NOT NULL
);
CREATE INDEX search_word_kind ON search_word (kind, c1, len, term);

-- Compares words in the database. On a server without the package of this extension, the program compares them.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'fuzzystrmatch is not available: %', SQLERRM;
END $$;

-- The indexes on the search server, if there is one. One is live; another may be under construction; the previous one is updated for a
-- while, so that an alias can return to it.
CREATE TABLE search_index (
    name text PRIMARY KEY,
    schema_hash text NOT NULL,
    lexer integer NOT NULL,
    result_window integer NOT NULL,
    state text NOT NULL DEFAULT 'building',
    backfilled_to integer NOT NULL DEFAULT 0,
    created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    retired timestamptz(3),
    CONSTRAINT search_index_state_known CHECK (state IN ('building', 'live', 'retired'))
);
CREATE UNIQUE INDEX search_index_live ON search_index (state) WHERE state = 'live';
