import type { TestApp } from './app.ts';

/** Collections of an account, the last of them with all add-ons. Returns its UUID. */
export async function addCollections(
  app: TestApp,
  { size, accountId, guids }: { size: number; accountId: number; guids: readonly string[] },
): Promise<string> {
  await app.sql(
    `INSERT INTO collection (account_id, path, slug, name) SELECT $1, gen_random_uuid()::text, 'other-' || n, '{"en-US": "Other"}'
     FROM generate_series(1, $2::int) n`,
    [accountId, size],
  );
  const [made] = await app.sql<{ id: number; uuid: string }>(
    `INSERT INTO collection (account_id, path, slug, name) VALUES ($1, gen_random_uuid()::text, 'mine', '{"en-US": "Mine"}')
     RETURNING id, replace(uuid::text, '-', '') AS uuid`,
    [accountId],
  );
  await app.sql(
    `INSERT INTO collection_item (collection_id, guid, position, notes)
     SELECT $1, guid, place, '{"en-US": "Good"}' FROM unnest($2::text[]) WITH ORDINALITY AS listed(guid, place)`,
    [made?.id, guids],
  );
  return made?.uuid ?? '';
}

/** What curators edit. */
export async function addLists(app: TestApp, size: number, guids: string[]): Promise<void> {
  await app.sql(
    `WITH made AS (INSERT INTO compat_override (guid) SELECT 'over-' || $1 || '-' || n || '@example' FROM generate_series(1, $1::int) AS n RETURNING id)
     INSERT INTO compat_override_range (override_id, addon_min_version, addon_max_version, app, min_version, max_version)
     SELECT id, '1.0', '2.0', 'desktop_browser', '40.0', '*' FROM made`,
    [size],
  );
  const paths = ['list', `author-${size}/list`, `shelf/author-${size}/list`];
  await app.sql(
    'INSERT INTO collection (path, guids) SELECT unnest($1::text[]), $2 ON CONFLICT (path) DO UPDATE SET guids = excluded.guids',
    [paths, guids],
  );
  await app.sql('INSERT INTO replacement (guid, guids) VALUES ($1, $2)', [`old-${size}@example`, guids]);
  await app.sql(
    `INSERT INTO discovery_entry (edition, position, addon_id) SELECT 'of-' || $1, place, id FROM unnest($2::text[])
     WITH ORDINALITY AS listed(guid, place) JOIN addon USING (guid)`,
    [size, [...guids, `pencil-${size}@example`]],
  );
  await app.sql(
    `INSERT INTO hero_entry (id, position, addon_id, gradient_start, gradient_end)
     SELECT 1000 * $1 + n, n, (SELECT id FROM addon WHERE guid = $2), '#000000', '#ffffff' FROM generate_series(1, $1::int) n`,
    [size, guids[0]],
  );
  await app.sql(
    `INSERT INTO browser_mapping (browser, extension_id, addon_guid)
     SELECT 'chrome', $1 || '-' || n, 'x@example' FROM generate_series(1, $1::int) n`,
    [size],
  );
}
