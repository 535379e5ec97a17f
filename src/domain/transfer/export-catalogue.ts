/*
 * Exports a catalogue as the lines that an import reads: kind after kind, each ordered by id. One snapshot covers all lines, and a
 * cursor keeps at most some hundred in memory.
 */
import { BulkSession } from '../../infra/bulk-session.ts';
import { APPLICATION_IDS } from '../../package/enums.ts';
import { addonPairs } from './export-addon.ts';
import {
  copyFiles,
  type ExportedFiles,
  type FilesFolder,
  type PathPair,
  pathsBelow,
  WITHOUT_FILES,
} from './export-files.ts';
import type { Kind } from './stage-line.ts';

/** Query for the lines of a kind. `key` is the sort key and follows an index where there are many rows. */
interface Exported {
  from: string;
  key: string;
  /** SQL pairs of json_build_object, without `kind`. */
  body: string | ((path: PathPair) => string);
}

const list = (guids: string) => `to_json(${guids})`;

const APPLICATIONS = `(VALUES ${Object.entries(APPLICATION_IDS)
  .map(([app, { id, guid }]) => `('${app}', ${id}, '${guid}')`)
  .join(', ')}) AS known(app, id, guid)`;

const EXPORTED: Readonly<Record<Kind, Exported>> = {
  application_version: {
    from: 'application_version t',
    key: 't.app, t.code, t.version',
    body: `'app', t.app, 'version', t.version`,
  },
  category: {
    from: 'category t',
    key: 't.id',
    body: `'id', t.id, 'app', t.app, 'type', t.type, 'slug', t.slug, 'name', t.name, 'weight', t.weight`,
  },
  account: {
    // Without the built-in account, which every installation has.
    from: '(SELECT * FROM account WHERE id > 0) t',
    key: 't.id',
    body: (
      path,
    ) => `'id', t.id, 'username', t.username, 'display_name', t.display_name, 'email', t.email, 'created', utc_seconds(t.created),
      'biography', t.biography, 'homepage', t.homepage, 'location', t.location, 'occupation', t.occupation,
      'is_verified', t.is_verified, 'read_dev_agreement', utc_seconds(t.read_dev_agreement),
      'deleted', t.deleted_at IS NOT NULL, 'groups', coalesce((SELECT json_agg(g.name ORDER BY g.name) FROM group_member m
        JOIN permission_group g ON g.id = m.group_id WHERE m.account_id = t.id), '[]')${path('picture_path', 't.picture_sha256')}`,
  },
  addon: { from: 'addon t', key: 't.id', body: addonPairs },
  featured: {
    from: 'featured_entry t JOIN addon a ON a.id = t.addon_id',
    key: 't.id',
    body: `'addon', a.guid, 'app', t.app, 'locale', t.locale, 'category', t.category`,
  },
  recommendation_fallback: {
    from: 'recommendation_fallback t',
    key: 't.position',
    body: `'guid', t.guid, 'position', t.position`,
  },
  collection: { from: 'collection t', key: 't.id', body: `'path', t.path, 'guids', ${list('t.guids')}` },
  replacement: {
    from: 'replacement t',
    key: 't.id',
    body: `'guid', t.guid, 'path', t.path, 'replacement', CASE WHEN t.path IS NULL THEN ${list('t.guids')} END`,
  },
  compat_override: {
    from: 'compat_override t LEFT JOIN addon a ON a.guid = t.guid AND a.deleted_at IS NULL',
    key: 't.id',
    // Ranges with the same versions of the add-on form one entry.
    body: `'addon_id', a.id, 'addon_guid', t.guid, 'name', t.name, 'version_ranges', coalesce((
      SELECT json_agg(json_build_object('addon_min_version', g.first, 'addon_max_version', g.last, 'applications', g.apps) ORDER BY g.id)
      FROM (
        SELECT min(r.id) AS id, r.addon_min_version AS first, r.addon_max_version AS last, json_agg(json_build_object(
          'name', r.app, 'id', known.id, 'min_version', r.min_version, 'max_version', r.max_version, 'guid', known.guid)
          ORDER BY r.id) AS apps
        FROM compat_override_range r JOIN ${APPLICATIONS} USING (app) WHERE r.override_id = t.id GROUP BY r.addon_min_version, r.addon_max_version
      ) AS g), '[]')`,
  },
  daily_statistics: {
    // The format has no mark for estimates, so an import would take them for days without downloads.
    from: 'daily_statistics t JOIN addon a ON a.id = t.addon_id AND NOT t.is_estimated',
    key: 't.addon_id, t.day',
    body: `'guid', a.guid, 'date', t.day, 'users', t.users, 'downloads', t.downloads`,
  },
};

/** Lines per fetch; an add-on with all its versions may be long. */
const FETCHED = 200;

async function* linesOf(session: BulkSession, kind: Kind, path: PathPair): AsyncGenerator<string> {
  const { from, key, body } = EXPORTED[kind];
  const pairs = typeof body === 'string' ? body : body(path);
  const cursor = `export_${kind}`;
  await session.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR
    SELECT json_build_object('kind', '${kind}', ${pairs})::text AS line FROM ${from} ORDER BY ${key}`);
  for (;;) {
    const rows = await session.query<{ line: string }>(`FETCH ${FETCHED} FROM ${cursor}`);
    for (const { line } of rows) yield line;
    if (rows.length < FETCHED) break;
  }
  await session.query(`CLOSE ${cursor}`);
}

export interface ExportOptions {
  /** Copies packages and pictures too and adds their paths to the lines. */
  files?: FilesFolder | undefined;
  /** Called after the files are copied, before the first line. */
  onFiles?: (files: ExportedFiles) => void;
}

/** The lines of the whole catalogue in the database of this process, without line ends, as of the first line. */
export async function* exportCatalogue({ files, onFiles }: ExportOptions = {}): AsyncGenerator<string> {
  const session = await BulkSession.open('addons-export');
  try {
    // The planner should prefer plans that return the first rows early.
    await session.query(
      'SET jit = off; SET cursor_tuple_fraction = 0.001; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    );
    const exported = files && (await copyFiles(session, files));
    if (exported) onFiles?.(exported);
    const path = files && exported ? pathsBelow(files, exported) : WITHOUT_FILES;
    for (const kind of Object.keys(EXPORTED) as Kind[]) yield* linesOf(session, kind, path);
    await session.query('COMMIT');
  } finally {
    await session.close();
  }
}
