-- Each rating changes the rating of an add-on, and each night may change all of them. Lists by rating are read from the narrow table, because
-- an index on addon_search(rating) made each change rewrite the entries of the text indexes.
--
-- The table is filled under another name and then exchanged, so that readers wait for the exchange only; writers wait for all of it. The
-- default is what processes of 0.1.0 write, until the next night.
LOCK TABLE search_listing IN SHARE MODE;
CREATE TABLE search_next.search_listing (LIKE search_listing) WITH (fillfactor = 85);
ALTER TABLE search_next.search_listing ADD COLUMN rating double precision NOT NULL DEFAULT 0;
INSERT INTO search_next.search_listing
SELECT l.*, s.rating FROM search_listing l JOIN addon_search s USING (addon_id) ORDER BY addon_id;
ALTER TABLE search_next.search_listing ADD CONSTRAINT search_listing_pkey PRIMARY KEY (addon_id);
CREATE INDEX search_listing_type_downloads ON search_next.search_listing (type, downloads DESC, addon_id);
CREATE INDEX search_listing_type_hotness ON search_next.search_listing (type, hotness DESC, addon_id);
CREATE INDEX search_listing_type_rating ON search_next.search_listing (type, rating DESC, addon_id);
CREATE INDEX search_listing_type_users ON search_next.search_listing (type, users DESC, addon_id);
ANALYZE search_next.search_listing;
DO $$
BEGIN
  EXECUTE format('ALTER TABLE search_next.search_listing OWNER TO %s',
    (SELECT relowner::regrole FROM pg_class WHERE oid = 'search_listing'::regclass));
END $$;
ALTER TABLE search_listing SET SCHEMA search_previous;
ALTER TABLE search_next.search_listing SET SCHEMA public;
DROP TABLE search_previous.search_listing;
DROP INDEX addon_search_rating;
DROP INDEX search_next.addon_search_rating;
