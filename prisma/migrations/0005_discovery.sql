-- What curators and operators maintain about the catalogue, and statistics.

CREATE TABLE featured_entry (
    id serial PRIMARY KEY,
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    app text NOT NULL,
    locale text,
    category text
);
CREATE INDEX featured_entry_addon_id_idx ON featured_entry (addon_id);
CREATE INDEX featured_entry_app_idx ON featured_entry (app);

CREATE TABLE collection (
    id serial PRIMARY KEY,
    path citext NOT NULL,
    guids text[] DEFAULT ARRAY[]::text[]
);
CREATE UNIQUE INDEX collection_path_key ON collection (path);

CREATE TABLE replacement (
    id serial PRIMARY KEY,
    guid citext NOT NULL,
    path text,
    guids text[] DEFAULT ARRAY[]::text[]
);
CREATE UNIQUE INDEX replacement_guid_key ON replacement (guid);

CREATE TABLE compat_override (
    id serial PRIMARY KEY,
    guid citext NOT NULL,
    name text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX compat_override_guid_key ON compat_override (guid);
-- Applications send dozens of guids at a time; see addon_lower_guid.
CREATE INDEX compat_override_lower_guid ON compat_override (lower(guid::text));

CREATE TABLE compat_override_range (
    id serial PRIMARY KEY,
    override_id integer NOT NULL REFERENCES compat_override ON DELETE CASCADE ON UPDATE CASCADE,
    addon_min_version text NOT NULL,
    addon_max_version text NOT NULL,
    app text NOT NULL,
    min_version text NOT NULL,
    max_version text NOT NULL
);
CREATE INDEX compat_override_range_override_id_idx ON compat_override_range (override_id);

CREATE TABLE recommendation_fallback (
    position integer PRIMARY KEY,
    guid citext NOT NULL
);
CREATE UNIQUE INDEX recommendation_fallback_guid_key ON recommendation_fallback (guid);

-- Recommended add-ons of an add-on, best first. They are computed for all add-ons at once, so a row may name add-ons that are no longer
-- public.
CREATE TABLE recommendation (
    addon_id integer PRIMARY KEY REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    recommended integer[]
);

CREATE TABLE application_version (
    app text NOT NULL,
    version text NOT NULL,
    code bigint NOT NULL,
    PRIMARY KEY (app, version)
);

-- Imported days have precedence over estimates, which count update checks and have no downloads. Rows outlive their add-on.
CREATE TABLE daily_statistics (
    addon_id integer NOT NULL,
    day date NOT NULL,
    users integer NOT NULL DEFAULT 0,
    downloads integer NOT NULL DEFAULT 0,
    is_estimated boolean NOT NULL DEFAULT false,
    PRIMARY KEY (addon_id, day)
);
-- Weeks end with the newest day of any statistics.
CREATE INDEX daily_statistics_day_idx ON daily_statistics (day);
-- The newest imported day. Without estimates, the look-up is cheap when there are no imports, too.
CREATE INDEX daily_statistics_imported_day ON daily_statistics (day) WHERE NOT is_estimated;
