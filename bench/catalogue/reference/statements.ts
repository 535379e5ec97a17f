/*
 * The statements of the hand-written server: one aggregate statement returns whole add-ons, so that a page takes as many round
 * trips as a single add-on. `pg` prepares named statements.
 */
import { typeCode } from '../../../src/domain/search/index/codes.ts';

const MOMENT = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`;
const utc = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', ${MOMENT})`;

/** The licence and the notes of a version are part of the detail form only. */
const versionColumns = (isDetail: boolean) => `
  v.id, v.version, v.channel, v.is_strict_compatibility_enabled, ${utc('v.reviewed')} AS reviewed,
  (SELECT coalesce(json_agg(json_build_object('app', c.app, 'min', c.min, 'max', c.max) ORDER BY c.app), '[]')
    FROM version_compatibility c WHERE c.version_id = v.id) AS compatibility,
  (SELECT coalesce(json_agg(json_build_object('id', f.id, 'created', ${utc('f.created')}, 'sha256', f.sha256,
      'is_vendor_signed_extension', f.is_vendor_signed_extension, 'is_restart_required', f.is_restart_required,
      'is_webextension', f.is_webextension, 'permissions', f.permissions, 'platform', f.platform, 'size', f.size,
      'status', f.status, 'name', f.name) ORDER BY f.id), '[]')
    FROM file f WHERE f.version_id = v.id) AS files
  ${
    isDetail
      ? `, nullif(v.release_notes, '{}') AS release_notes,
  (SELECT json_build_object('id', l.id, 'name', nullif(l.name, '{}'), 'url', l.url)
    FROM license l WHERE l.id = v.license_id) AS license`
      : ''
  }`;

const addonColumns = (isDetail: boolean) => `
  a.id, a.guid, a.slug, a.type, a.status, a.default_locale,
  nullif(a.name, '{}') AS name, nullif(a.summary, '{}') AS summary, nullif(a.description, '{}') AS description,
  nullif(a.developer_comments, '{}') AS developer_comments, nullif(a.homepage, '{}') AS homepage,
  nullif(a.support_email, '{}') AS support_email, nullif(a.support_url, '{}') AS support_url,
  a.contributions_url, a.eula <> '{}' AS has_eula, a.privacy_policy <> '{}' AS has_privacy_policy, a.icon_sha256,
  a.is_experimental, a.is_source_public, a.public_stats, a.requires_payment, a.requires_sensitive_data_access,
  a.average_daily_users, a.weekly_downloads, a.rating_count, a.rating_text_count, a.rating_average, a.rating_bayesian,
  ${utc('a.created')} AS created, ${utc('a.last_updated')} AS last_updated,
  (SELECT coalesce(json_agg(t.tag ORDER BY t.tag COLLATE "C"), '[]') FROM addon_tag t WHERE t.addon_id = a.id) AS tags,
  (SELECT coalesce(json_agg(json_build_object('app', c.app, 'slug', c.slug, 'name', c.name)
      ORDER BY c.app, c.weight DESC, c.slug), '[]')
    FROM addon_category ac JOIN category c ON c.id = ac.category_id WHERE ac.addon_id = a.id) AS categories,
  (SELECT coalesce(json_agg(json_build_object('id', p.id, 'username', p.username, 'display_name', p.display_name,
      'has_chosen_username', p.has_chosen_username, 'picture_sha256', p.picture_sha256) ORDER BY w.position, p.id), '[]')
    FROM addon_author w JOIN account p ON p.id = w.account_id WHERE w.addon_id = a.id AND w.listed) AS authors,
  (SELECT coalesce(json_agg(json_build_object('id', p.id, 'caption', nullif(p.caption, '{}'),
      'image_sha256', p.image_sha256, 'image_width', p.image_width, 'image_height', p.image_height,
      'thumbnail_sha256', p.thumbnail_sha256, 'thumbnail_width', p.thumbnail_width,
      'thumbnail_height', p.thumbnail_height) ORDER BY p.position, p.id), '[]')
    FROM preview p WHERE p.addon_id = a.id) AS previews,
  (SELECT json_build_object('accent_color', p.accent_color, 'text_color', p.text_color,
      'header_sha256', p.header_sha256, 'footer_sha256', p.footer_sha256)
    FROM persona p WHERE p.addon_id = a.id) AS persona,
  EXISTS (SELECT FROM featured_entry e WHERE e.addon_id = a.id) AS is_featured,
  (SELECT row_to_json(d) FROM (SELECT ${versionColumns(isDetail)}) AS d WHERE v.id IS NOT NULL) AS current_version`;

const PUBLIC = `a.status = 'public' AND NOT a.is_disabled_by_developer`;

/** One public add-on by its id: `$1`. */
export const DETAIL = {
  name: 'detail',
  text: `SELECT ${addonColumns(true)} FROM addon a LEFT JOIN version v ON v.id = a.current_version_id
    WHERE a.id = $1 AND ${PUBLIC}`,
};

/** The number of extensions in the search tables. */
const EXTENSION = typeCode('extension');

/**
 * A page of public extensions by downloads: `$1` of them from offset `$2`. Order and count come from the same index and stored
 * sums as in the service, so that only the construction of add-ons is compared.
 */
export const PAGE = {
  name: 'page',
  text: `WITH page AS MATERIALIZED (SELECT addon_id, row_number() OVER (ORDER BY downloads DESC, addon_id) AS place
      FROM search_listing WHERE type = ${EXTENSION} ORDER BY downloads DESC, addon_id LIMIT $1 OFFSET $2)
    SELECT ${addonColumns(false)}
    FROM page JOIN addon a ON a.id = page.addon_id LEFT JOIN version v ON v.id = a.current_version_id
    WHERE ${PUBLIC} ORDER BY page.place`,
};

/** The number of public extensions. */
export const COUNT = {
  name: 'count',
  text: `SELECT coalesce(sum(n), 0)::int AS n FROM search_facet WHERE type = ${EXTENSION}`,
};
