/*
 * SQL of an add-on line: pairs of json_build_object for a row `t` of the table, in the order of the format. Uploads that failed or
 * are still in validation are not exported.
 */

import type { NamedField } from '../listing/declared-fields.ts';
import { listingFields } from '../listing/fields.ts';
import { catalogueFields } from '../versions/fields.ts';
import { BUILTIN_LICENSES } from './addon-line.ts';
import { IS_EXPORTED, PACKAGE_ENDING, type PathPair } from './export-files.ts';

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

/** Pairs of an add-on. `path` adds the paths of exported files. */
export const addonPairs = (path: PathPair): string => `
  'id', t.id, 'guid', t.guid, 'slug', t.slug, 'type', t.type, 'status', t.status, ${pairsOf('t', listingFields)},
  'default_locale', t.default_locale, 'created', utc_seconds(t.created), 'last_updated', utc_seconds(t.last_updated),
  'tags', coalesce((SELECT json_agg(g.tag ORDER BY g.tag COLLATE "C") FROM addon_tag g WHERE g.addon_id = t.id), '[]'),
  'categories', ${CATEGORIES}, 'average_daily_users', t.average_daily_users, 'weekly_downloads', t.weekly_downloads,
  'hotness', t.hotness, 'ratings', json_build_object('count', t.rating_count, 'text_count', t.rating_text_count,
    'average', t.rating_average, 'bayesian_average', t.rating_bayesian),
  'previews', ${previews(path)}, 'theme_data', ${theme(path)},
  'authors', ${AUTHORS}, 'e10s', t.e10s, 'deleted', t.deleted_at IS NOT NULL${path('icon_path', 't.icon_sha256')}, 'versions', ${versions(path)}`;
