/*
 * Exports a catalogue as the lines that an import reads: kind after kind, each ordered by id. One snapshot covers all lines, and a
 * cursor keeps at most some hundred in memory.
 */
import { BulkSession } from '../../infra/bulk-session.ts';
import { APPLICATION_IDS } from '../../package/enums.ts';
import type { NamedField } from '../listing/declared-fields.ts';
import { listingFields } from '../listing/fields.ts';
import { catalogueFields } from '../versions/fields.ts';
import { BUILTIN_LICENSES } from './addon-line.ts';
import { EXPORTED_COLLECTIONS } from './collection-line.ts';
import { EXPORTED_LISTS } from './curated-lines.ts';
import {
  copyFiles,
  type ExportedFiles,
  type FilesFolder,
  IS_EXPORTED,
  PACKAGE_ENDING,
  type PathPair,
  pathsBelow,
  WITHOUT_FILES,
} from './export-files.ts';
import type { LineKind } from './stage-line.ts';

/*
 * SQL of an add-on line: pairs of json_build_object for a row `t` of the table, in the order of the format. Uploads that failed or
 * are still in validation are not exported.
 */

const text = (column: string): string => `nullif(${column}, '{}')`;

/** Pairs of the declared fields of a row. */
const pairsOf = (row: string, fields: readonly NamedField[]): string =>
  fields
    .map(({ column, isTranslated }) => `'${column}', ${isTranslated ? text(`${row}.${column}`) : `${row}.${column}`}`)
    .join(', ');

const AUTHORS = `coalesce((
  SELECT json_agg(json_build_object('username', p.username, 'role', w.role, 'listed', w.listed, 'position', w.position)
    ORDER BY w.position, p.id)
  FROM addon_author w JOIN account p ON p.id = w.account_id WHERE w.addon_id = t.id), '[]')`;

const CATEGORIES = `coalesce((
  SELECT json_object_agg(app, slugs ORDER BY app) FROM (
    SELECT c.app, json_agg(c.slug ORDER BY c.weight DESC, c.slug) AS slugs
    FROM addon_category ac JOIN category c ON c.id = ac.category_id WHERE ac.addon_id = t.id GROUP BY c.app
  ) AS of_apps), '{}')`;

const previews = (path: PathPair): string => `coalesce((
  SELECT json_agg(json_build_object('id', p.id, 'caption', ${text('p.caption')},
    'image_size', json_build_array(p.image_width, p.image_height),
    'thumbnail_size', json_build_array(p.thumbnail_width, p.thumbnail_height)${path('path', 'p.image_sha256')}) ORDER BY p.position, p.id)
  FROM preview p WHERE p.addon_id = t.id), '[]')`;

const STORED_HASH = 'CASE WHEN f.is_stored THEN f.sha256 END';

const files = (path: PathPair): string => `coalesce((
  SELECT json_agg(json_build_object('id', f.id, 'created', utc_seconds(f.created), 'hash', 'sha256:' || f.sha256,
    'is_vendor_signed_extension', f.is_vendor_signed_extension, 'is_restart_required', f.is_restart_required,
    'is_webextension', f.is_webextension, 'permissions', f.permissions,
    'optional_permissions', f.optional_permissions, 'host_permissions', f.host_permissions,
    'data_collection_permissions', f.data_collection_permissions,
    'optional_data_collection_permissions', f.optional_data_collection_permissions,
    'status_when_enabled', f.status_when_enabled, 'platform', f.platform, 'size', f.size,
    'status', f.status${path('path', STORED_HASH, PACKAGE_ENDING)}) ORDER BY f.id)
  FROM file f WHERE f.version_id = v.id), '[]')`;

/** Operator-defined licences are exported as texts, since other installations do not have them. */
const BUILTIN = `CASE WHEN l.builtin IN (${BUILTIN_LICENSES.map((name) => `'${name}'`).join(', ')}) THEN l.builtin END`;

const LICENSE = `(
  SELECT json_build_object('builtin', ${BUILTIN}, 'name', ${text('l.name')}, 'text', ${text('l.text')}, 'url', l.url)
  FROM license l WHERE l.id = v.license_id)`;

const versions = (path: PathPair): string => `coalesce((
  SELECT json_agg(json_build_object('id', v.id, 'channel', v.channel, 'compatibility', coalesce((
      SELECT json_object_agg(c.app, json_build_object('min', c.min, 'max', c.max) ORDER BY c.app)
      FROM version_compatibility c WHERE c.version_id = v.id), '{}'),
    'files', ${files(path)}, 'license', ${LICENSE}, ${pairsOf('v', catalogueFields)},
    'reviewed', utc_seconds(v.reviewed),
    'version', v.version, 'created', utc_seconds(v.created), 'deleted', v.deleted_at IS NOT NULL) ORDER BY v.id)
  FROM version v WHERE v.addon_id = t.id AND ${IS_EXPORTED}), '[]')`;

const theme = (path: PathPair): string => `(
  SELECT json_build_object('accentcolor', '#' || p.accent_color, 'textcolor', '#' || p.text_color
    ${path('header_path', 'p.header_sha256')}${path('footer_path', 'p.footer_sha256')})
  FROM persona p WHERE p.addon_id = t.id)`;

const SUMS = `'count', t.rating_count, 'text_count', t.rating_text_count, 'average', t.rating_average, 'bayesian_average', t.rating_bayesian`;

/** Of an add-on with ratings, also the part of its sums that has none. */
const RATINGS = `coalesce((SELECT json_build_object(${SUMS}, 'imported', json_build_object('count', z.imported_count,
    'text_count', z.imported_text_count, 'average', z.imported_average)) FROM rating_sums z WHERE z.addon_id = t.id),
  json_build_object(${SUMS}))`;

/** Pairs of an add-on. `path` adds the paths of exported files. */
const addonPairs = (path: PathPair): string => `
  'id', t.id, 'guid', t.guid, 'slug', t.slug, 'type', t.type, 'status', t.status, ${pairsOf('t', listingFields)},
  'default_locale', t.default_locale, 'created', utc_seconds(t.created), 'last_updated', utc_seconds(t.last_updated),
  'tags', coalesce((SELECT json_agg(g.tag ORDER BY g.tag COLLATE "C") FROM addon_tag g WHERE g.addon_id = t.id), '[]'),
  'categories', ${CATEGORIES}, 'average_daily_users', t.average_daily_users, 'weekly_downloads', t.weekly_downloads,
  'hotness', t.hotness, 'ratings', ${RATINGS},
  'previews', ${previews(path)}, 'theme_data', ${theme(path)},
  'authors', ${AUTHORS}, 'e10s', t.e10s, 'deleted', t.deleted_at IS NOT NULL${path('icon_path', 't.icon_sha256')}, 'versions', ${versions(path)}`;

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

const EXPORTED: Readonly<Record<LineKind, Exported>> = {
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
  // Those of the operator.
  collection: {
    from: '(SELECT * FROM collection WHERE account_id = -2) t',
    key: 't.id',
    body: `'path', t.path, 'guids', ${list('t.guids')}`,
  },
  account_collection: EXPORTED_COLLECTIONS,
  ...EXPORTED_LISTS,
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
  rating: {
    from: `rating t JOIN addon a ON a.id = t.addon_id JOIN account c ON c.id = t.account_id LEFT JOIN version v ON v.id = t.version_id`,
    // Ratings before the replies to them.
    key: 't.reply_to IS NOT NULL, t.id',
    body: `'id', t.id, 'addon', a.guid, 'user', c.username, 'version', v.version, 'reply_to', t.reply_to, 'score', t.score, 'body', t.body,
      'hold_reason', t.hold_reason, 'deleted', t.deleted_at IS NOT NULL, 'created', utc_seconds(t.created), 'updated', utc_seconds(t.modified)`,
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

async function* linesOf(session: BulkSession, kind: LineKind, path: PathPair): AsyncGenerator<string> {
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

interface ExportOptions {
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
    for (const kind of Object.keys(EXPORTED) as LineKind[]) yield* linesOf(session, kind, path);
    await session.query('COMMIT');
  } finally {
    await session.close();
  }
}
