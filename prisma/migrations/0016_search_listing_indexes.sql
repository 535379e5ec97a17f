-- One index for each key, of all types: a list of several types merges their parts in order. Numbers change every day, and each
-- index that has one of them is written for every row whose numbers change.
CREATE INDEX search_listing_type_hotness ON search_listing (type, hotness DESC, addon_id);
DROP INDEX search_listing_downloads, search_listing_users, search_listing_hotness;
