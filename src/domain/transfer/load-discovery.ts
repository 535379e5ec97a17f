/*
 * Loads staged curation and daily statistics, by one statement each. Existing entries that the file does not name stay.
 */
import type { BulkSession } from '../../infra/bulk-session.ts';
import { updateChanged } from './load-references.ts';

export async function loadDiscovery(session: BulkSession): Promise<void> {
  await session.query(`INSERT INTO featured_entry (addon_id, app, locale, category)
    SELECT a.id, s.app, s.locale, s.category FROM s_featured s JOIN addon a ON a.guid = s.guid
    WHERE NOT EXISTS (SELECT FROM featured_entry e WHERE e.addon_id = a.id AND e.app = s.app
      AND e.locale IS NOT DISTINCT FROM s.locale AND e.category IS NOT DISTINCT FROM s.category)
    ORDER BY s.line`);
  await session.query(`DELETE FROM recommendation_fallback t USING s_fallback s
    WHERE (t.guid = s.guid OR t.position = s.position) AND (t.guid::text, t.position) <> (s.guid::text, s.position)`);
  await session.query(
    'INSERT INTO recommendation_fallback (guid, position) SELECT guid, position FROM s_fallback ON CONFLICT DO NOTHING',
  );
  const collection = { path: 's.path', guids: 's.guids' };
  await session.query(updateChanged('collection', 's_collection s', 't.path = s.path', collection));
  await session.query(
    'INSERT INTO collection (path, guids) SELECT path, guids FROM s_collection ORDER BY line ON CONFLICT DO NOTHING',
  );
  const replacement = { guid: 's.guid', path: 's.path', guids: 's.guids' };
  await session.query(updateChanged('replacement', 's_replacement s', 't.guid = s.guid', replacement));
  await session.query(
    'INSERT INTO replacement (guid, path, guids) SELECT guid, path, guids FROM s_replacement ORDER BY line ON CONFLICT DO NOTHING',
  );
  await loadOverrides(session);
  await session.query(`INSERT INTO daily_statistics (addon_id, day, users, downloads)
    SELECT a.id, s.day, s.users, s.downloads FROM s_statistics s JOIN addon a ON a.guid = s.guid ORDER BY a.id, s.day
    ON CONFLICT (addon_id, day) DO UPDATE SET users = excluded.users, downloads = excluded.downloads,
      is_estimated = false
    WHERE (daily_statistics.users, daily_statistics.downloads, daily_statistics.is_estimated)
      IS DISTINCT FROM (excluded.users, excluded.downloads, false)`);
}

const RANGE = 'addon_min_version, addon_max_version, app, min_version, max_version';

/** Ranges have an order but no key: all ranges of an override are replaced when one differs. */
async function loadOverrides(session: BulkSession): Promise<void> {
  const override = { guid: 's.guid', name: 's.name' };
  await session.query(updateChanged('compat_override', 's_override s', 't.guid = s.guid', override));
  await session.query(
    'INSERT INTO compat_override (guid, name) SELECT guid, name FROM s_override ORDER BY line ON CONFLICT DO NOTHING',
  );
  await session.query(`CREATE TEMPORARY TABLE s_changed_override ON COMMIT DROP AS
    SELECT s.line, o.id FROM s_override s JOIN compat_override o ON o.guid = s.guid
    WHERE coalesce((SELECT json_agg(json_build_array(${RANGE}) ORDER BY r.id) FROM compat_override_range r WHERE r.override_id = o.id)::text, '')
      <> coalesce((SELECT json_agg(json_build_array(${RANGE}) ORDER BY r.place) FROM s_override_range r WHERE r.line = s.line)::text, '')`);
  await session.query('DELETE FROM compat_override_range r USING s_changed_override c WHERE r.override_id = c.id');
  await session.query(`INSERT INTO compat_override_range (override_id, ${RANGE})
    SELECT c.id, ${RANGE} FROM s_override_range r JOIN s_changed_override c USING (line) ORDER BY r.line, r.place`);
}
