-- Every search counts its matches: a count that is valid until any row changes is of no use while add-ons are edited.
DROP TABLE search_change;
