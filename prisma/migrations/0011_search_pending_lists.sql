-- New rows of the text indexes may wait in a short list that searches read as well, and are put in their places together: a
-- large import writes rows in half the time. How long the list may become is up to the session that writes (gin_pending_list_limit):
-- a few pages for single changes, which no search feels, some megabytes for an import. Rows are the same either way.
ALTER INDEX addon_search_lexemes SET (fastupdate = on);
ALTER INDEX addon_search_lexemes_1 SET (fastupdate = on);
ALTER INDEX addon_search_lexemes_2 SET (fastupdate = on);
