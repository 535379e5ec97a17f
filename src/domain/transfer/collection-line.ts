/* Lines of collections of accounts: how they are read, staged, checked, loaded and exported. Those of the operator are lines of their own. */
import { z } from 'zod';
import type { BulkSession } from '../../infra/bulk-session.ts';
import { message } from '../../texts/messages.ts';
import {
  boundedText,
  derivedValue,
  guidValue,
  listValue,
  localeValue,
  nullIfAbsent,
  textLike,
  timestampValue,
  translatedText,
} from './line-values.ts';

const MAX_ITEMS = 2000;

const item = z.strictObject({ guid: guidValue, notes: translatedText, added: nullIfAbsent(timestampValue) });

export const collectionLine = z.strictObject({
  kind: derivedValue,
  uuid: textLike((value) => /^[0-9a-f]{32}$/i.test(value), message('line.expected_uuid')),
  account: boundedText(255),
  slug: textLike((value) => /^[A-Za-z0-9_-]+$/.test(value), message('line.expected_word')),
  name: translatedText,
  description: translatedText,
  default_locale: localeValue.default('en-US'),
  public: z.boolean().default(true),
  created: nullIfAbsent(timestampValue),
  modified: nullIfAbsent(timestampValue),
  addons: listValue(item, MAX_ITEMS),
});

/** The end of a statement for the staged collections with their accounts. */
const STAGED = `FROM s_account_collection s JOIN account a ON a.username = s.account AND a.id > 0`;

/** Loads staged collections; their add-ons become those of the line. */
export async function loadCollections(session: BulkSession): Promise<void> {
  await session.query(`INSERT INTO collection AS c (account_id, path, uuid, slug, name, description, default_locale, is_public, created, modified)
    SELECT a.id, s.uuid::uuid::text, s.uuid::uuid, s.slug, coalesce(s.name, '{}'), coalesce(s.description, '{}'), s.default_locale,
      s.is_public, coalesce(s.created, now()), coalesce(s.modified, s.created, now()) ${STAGED} ORDER BY s.line
    ON CONFLICT (uuid) DO UPDATE SET slug = excluded.slug, name = excluded.name, description = excluded.description,
      default_locale = excluded.default_locale, is_public = excluded.is_public, created = excluded.created, modified = excluded.modified
    WHERE (c.slug::text, c.name, c.description, c.default_locale, c.is_public, c.created, c.modified) IS DISTINCT FROM
      (excluded.slug::text, excluded.name, excluded.description, excluded.default_locale, excluded.is_public, excluded.created, excluded.modified)`);
  await session.query(`DELETE FROM collection_item i USING collection c, s_account_collection s
    WHERE c.uuid = s.uuid::uuid AND i.collection_id = c.id
      AND NOT EXISTS (SELECT FROM s_collection_item n WHERE n.line = s.line AND n.guid = i.guid)`);
  await session.query(`INSERT INTO collection_item AS i (collection_id, guid, position, notes, added)
    SELECT c.id, n.guid, n.place + 1, coalesce(n.notes, '{}'), coalesce(n.added, now())
    FROM s_collection_item n JOIN s_account_collection s USING (line) JOIN collection c ON c.uuid = s.uuid::uuid
    ORDER BY n.line, n.place
    ON CONFLICT (collection_id, guid) DO UPDATE SET position = excluded.position, notes = excluded.notes, added = excluded.added
    WHERE (i.position, i.notes, i.added) IS DISTINCT FROM (excluded.position, excluded.notes, excluded.added)`);
}

/** How collections of accounts are exported: those of the operator are lines of another kind. */
export const EXPORTED_COLLECTIONS = {
  from: 'collection t JOIN account a ON a.id = t.account_id AND a.id > 0',
  key: 't.id',
  body: `'uuid', replace(t.uuid::text, '-', ''), 'account', a.username, 'slug', t.slug, 'name', nullif(t.name, '{}'),
    'description', nullif(t.description, '{}'), 'default_locale', t.default_locale, 'public', t.is_public,
    'created', utc_seconds(t.created), 'modified', utc_seconds(t.modified), 'addons', coalesce((
      SELECT json_agg(json_build_object('guid', i.guid, 'notes', nullif(i.notes, '{}'), 'added', utc_seconds(i.added)) ORDER BY i.position)
      FROM collection_item i WHERE i.collection_id = t.id), '[]')`,
};
