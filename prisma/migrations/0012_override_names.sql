-- Applications ask for the overrides of everything that is installed, some dozens of guids at a time. Comparing them in lower
-- case, as citext does, makes both sides of every comparison anew; in this index the one side is stored that way.
CREATE INDEX compat_override_lower_guid ON compat_override (lower(guid::text));
