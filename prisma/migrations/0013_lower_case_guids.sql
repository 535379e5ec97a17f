-- Overrides name the add-on that they are for. A comparison as citext does it makes both sides anew, some fifteen times for one
-- look into an index; here the one side is stored in lower case.
CREATE INDEX addon_lower_guid ON addon (lower(guid::text));
