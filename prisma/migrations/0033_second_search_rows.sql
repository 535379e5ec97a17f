-- After a change of the text analysis, a worker writes the rows of all add-ons a second time, into a table of the same definition, and
-- then exchanges the two tables. `lexer` is the version of the analysis that made a row; the rows of before this column are of version 2.
ALTER TABLE addon_search ADD COLUMN lexer SMALLINT NOT NULL DEFAULT 2;

-- Moving a table to another schema would move the sequences that it owns.
ALTER SEQUENCE addon_search_rev OWNED BY NONE;

-- `search_next` has the second table, empty except during such a run. Tables are exchanged by moving them between schemas: names of
-- indexes and constraints stay the same. `search_previous` is used within the exchange only.
--
-- A migration that changes addon_search has to change search_next.addon_search in the same way.
CREATE SCHEMA search_next;
CREATE SCHEMA search_previous;
CREATE TABLE search_next.addon_search (LIKE addon_search INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
    WITH (toast_tuple_target = 160, fillfactor = 85);
ALTER TABLE search_next.addon_search ADD CONSTRAINT addon_search_pkey PRIMARY KEY (addon_id);
CREATE INDEX addon_search_created ON search_next.addon_search (created DESC, addon_id);
CREATE INDEX addon_search_updated ON search_next.addon_search (last_updated DESC, addon_id);
CREATE INDEX addon_search_rating ON search_next.addon_search (rating DESC, addon_id);
CREATE INDEX addon_search_lexemes ON search_next.addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on);
CREATE INDEX addon_search_lexemes_1 ON search_next.addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on) WHERE lvl >= 1;
CREATE INDEX addon_search_lexemes_2 ON search_next.addon_search USING gin (name_lex, text_lex) WITH (fastupdate = on) WHERE lvl >= 2;
