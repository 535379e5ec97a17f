-- What curators recommend in the add-ons manager of browsers, in their order. Null editions and languages are for all.
CREATE TABLE discovery_entry (
    id serial PRIMARY KEY,
    edition text,
    locale text,
    position integer NOT NULL,
    addon_id integer NOT NULL REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    heading jsonb NOT NULL DEFAULT '{}',
    description jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX discovery_entry_addon_id_idx ON discovery_entry (addon_id);

-- What the home page of front ends shows first: an add-on here, or one elsewhere.
CREATE TABLE hero_entry (
    id serial PRIMARY KEY,
    position integer NOT NULL,
    addon_id integer REFERENCES addon ON DELETE CASCADE ON UPDATE CASCADE,
    -- Of one elsewhere: guid, homepage, name, type.
    external jsonb,
    gradient_start text NOT NULL,
    gradient_end text NOT NULL,
    featured_image text,
    description jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT hero_entry_is_one CHECK ((addon_id IS NULL) <> (external IS NULL))
);
CREATE INDEX hero_entry_addon_id_idx ON hero_entry (addon_id);

-- Add-ons here that do what extensions of other browsers do.
CREATE TABLE browser_mapping (
    id serial PRIMARY KEY,
    browser text NOT NULL,
    extension_id text NOT NULL,
    addon_guid citext NOT NULL
);
CREATE UNIQUE INDEX browser_mapping_browser_extension_id_key ON browser_mapping (browser, extension_id);
