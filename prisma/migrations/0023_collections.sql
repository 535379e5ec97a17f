-- Collections of accounts. Those of operators, which had a path and guids, become collections of a built-in account, which no request
-- signs in. Its negative id equals no imported id. Nothing shows its username, which leaves those that people may have free.
INSERT INTO account (id, username, disabled_at)
VALUES (-2, 'operator-' || replace(gen_random_uuid()::text, '-', ''), now());

-- `path` and `guids` stay what replacements and the previous release read: for collections of people, the path is the uuid and there are no
-- guids. A trigger gives a slug and a name to rows without them.
ALTER TABLE collection
    ADD COLUMN account_id integer NOT NULL DEFAULT -2 REFERENCES account ON DELETE CASCADE ON UPDATE CASCADE,
    ADD COLUMN uuid uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN slug citext,
    ADD COLUMN name jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN description jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN default_locale text NOT NULL DEFAULT 'en-US',
    ADD COLUMN is_public boolean NOT NULL DEFAULT true,
    ADD COLUMN created timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ADD COLUMN modified timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

UPDATE collection c SET name = jsonb_build_object('en-US', c.path::text),
  slug = CASE WHEN s.place > 1 OR s.slug = '' THEN concat_ws('-', nullif(s.slug, ''), c.id) ELSE s.slug END
FROM (
  SELECT id, slug, row_number() OVER (PARTITION BY lower(slug) ORDER BY id) AS place
  FROM (SELECT id, trim(BOTH '-' FROM regexp_replace(path::text, '[^A-Za-z0-9_-]+', '-', 'g')) AS slug FROM collection) named
) s WHERE s.id = c.id;

CREATE UNIQUE INDEX collection_uuid_key ON collection (uuid);
CREATE UNIQUE INDEX collection_account_id_slug_key ON collection (account_id, slug);
CREATE INDEX collection_account_id_modified_idx ON collection (account_id, modified);

-- By guid: collections of operators name add-ons that do not exist yet.
CREATE TABLE collection_item (
    collection_id integer NOT NULL REFERENCES collection ON DELETE CASCADE ON UPDATE CASCADE,
    guid citext NOT NULL,
    -- The order of collections of operators, and of addition.
    position integer NOT NULL,
    notes jsonb NOT NULL DEFAULT '{}',
    -- Installations by links of the collection.
    downloads integer NOT NULL DEFAULT 0,
    added timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (collection_id, guid)
);

INSERT INTO collection_item (collection_id, guid, position)
SELECT c.id, listed.guid::citext, min(listed.place) FROM collection c, unnest(c.guids) WITH ORDINALITY AS listed(guid, place)
GROUP BY c.id, listed.guid::citext;

-- Reports about collections. The name stays when the collection is deleted.
ALTER TABLE abuse_report
    ADD COLUMN collection_id integer REFERENCES collection ON DELETE SET NULL ON UPDATE CASCADE,
    ADD COLUMN collection_path text;
CREATE INDEX abuse_report_collection_id_idx ON abuse_report (collection_id);
