-- Collections of operators are a path and guids for replacements, for curators, and for processes of release 0.1.0. Rows that only have
-- these get a slug, a name and the items of the guids.
CREATE OR REPLACE FUNCTION complete_collection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.slug IS NULL THEN
    NEW.slug := trim(BOTH '-' FROM regexp_replace(NEW.path::text, '[^A-Za-z0-9_-]+', '-', 'g'));
    IF NEW.slug = '' OR EXISTS (SELECT FROM collection WHERE account_id = NEW.account_id AND slug = NEW.slug) THEN
      NEW.slug := concat_ws('-', nullif(NEW.slug::text, ''), NEW.id);
    END IF;
  END IF;
  IF NEW.name = '{}' THEN
    NEW.name := jsonb_build_object(NEW.default_locale, NEW.path::text);
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER complete_collection BEFORE INSERT ON collection FOR EACH ROW EXECUTE FUNCTION complete_collection();

-- The items follow the guids. A change of items of such a collection writes the same guids in the same transaction.
CREATE OR REPLACE FUNCTION list_collection_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM collection_item WHERE collection_id = NEW.id AND NOT guid = ANY (NEW.guids::citext[]);
  INSERT INTO collection_item (collection_id, guid, position)
  SELECT NEW.id, listed.guid::citext, min(listed.place) FROM unnest(NEW.guids) WITH ORDINALITY AS listed(guid, place)
  GROUP BY listed.guid::citext
  ON CONFLICT (collection_id, guid) DO UPDATE SET position = excluded.position
    WHERE collection_item.position <> excluded.position;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER list_collection_items AFTER INSERT OR UPDATE OF guids ON collection FOR EACH ROW
  WHEN (NEW.account_id = -2) EXECUTE FUNCTION list_collection_items();
