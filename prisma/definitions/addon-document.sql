-- requires: timestamps, version-document

-- An add-on with its current version. Without EULA and privacy policy, like the texts of licences.
CREATE OR REPLACE VIEW current_addon_document AS
SELECT a.id AS addon_id, row_to_json(d) AS body
FROM addon a
CROSS JOIN LATERAL (SELECT
  a.id AS "id",
  a.guid AS "guid",
  a.slug AS "slug",
  a.type AS "type",
  a.status AS "status",
  a.default_locale AS "defaultLocale",
  -- Written by `npm run generate:schema` from src/domain/listing/fields.ts:
  nullif(a.name, '{}') AS "name",
  nullif(a.summary, '{}') AS "summary",
  nullif(a.description, '{}') AS "description",
  nullif(a.developer_comments, '{}') AS "developerComments",
  nullif(a.homepage, '{}') AS "homepage",
  nullif(a.support_email, '{}') AS "supportEmail",
  nullif(a.support_url, '{}') AS "supportUrl",
  a.contributions_url AS "contributionsUrl",
  a.is_experimental AS "isExperimental",
  a.is_source_public AS "isSourcePublic",
  a.public_stats AS "publicStats",
  a.requires_payment AS "requiresPayment",
  a.requires_sensitive_data_access AS "requiresSensitiveDataAccess",
  a.target_locale AS "targetLocale",
  a.locale_disambiguation AS "localeDisambiguation",
  a.is_disabled_by_developer AS "isDisabledByDeveloper",
  -- End of the written part.
  a.eula <> '{}' AS "hasEula",
  a.privacy_policy <> '{}' AS "hasPrivacyPolicy",
  a.icon_sha256 AS "iconSha256",
  a.average_daily_users AS "averageDailyUsers",
  a.weekly_downloads AS "weeklyDownloads",
  a.hotness AS "hotness",
  json_build_object('count', a.rating_count, 'textCount', a.rating_text_count,
    'average', a.rating_average, 'bayesianAverage', a.rating_bayesian) AS "ratings",
  a.e10s AS "e10s",
  a.license_id AS "licenseId",
  utc_seconds(a.created) AS "created",
  utc_seconds(a.last_updated) AS "lastUpdated",
  coalesce((
    SELECT json_agg(t.tag ORDER BY t.tag COLLATE "C") FROM addon_tag t WHERE t.addon_id = a.id
  ), '[]'::json) AS "tags",
  coalesce((
    SELECT json_agg(json_build_object('id', c.id, 'app', c.app, 'type', c.type, 'slug', c.slug, 'name', c.name, 'weight', c.weight)
      ORDER BY c.app, c.weight DESC, c.slug)
    FROM addon_category ac JOIN category c ON c.id = ac.category_id WHERE ac.addon_id = a.id
  ), '[]'::json) AS "categories",
  coalesce((
    SELECT json_agg(json_build_object('id', p.id, 'username', p.username, 'displayName', p.display_name,
      'hasChosenUsername', p.has_chosen_username, 'role', w.role, 'position', w.position,
      'pictureSha256', CASE WHEN p.disabled_at IS NULL THEN p.picture_sha256 END,
      'isPublic', a.status = 'public' AND NOT a.is_disabled_by_developer AND p.disabled_at IS NULL AND p.deleted_at IS NULL)
      ORDER BY w.position, p.id)
    FROM addon_author w JOIN account p ON p.id = w.account_id WHERE w.addon_id = a.id AND w.listed
  ), '[]'::json) AS "authors",
  coalesce((
    SELECT json_agg(json_build_object('id', p.id, 'caption', nullif(p.caption, '{}'),
      'imageSha256', p.image_sha256, 'imageWidth', p.image_width, 'imageHeight', p.image_height,
      'thumbnailSha256', p.thumbnail_sha256, 'thumbnailWidth', p.thumbnail_width, 'thumbnailHeight', p.thumbnail_height)
      ORDER BY p.position, p.id)
    FROM preview p WHERE p.addon_id = a.id
  ), '[]'::json) AS "previews",
  (
    SELECT json_build_object('accentColor', p.accent_color, 'textColor', p.text_color,
      'headerSha256', p.header_sha256, 'footerSha256', p.footer_sha256)
    FROM persona p WHERE p.addon_id = a.id
  ) AS "persona",
  coalesce((
    SELECT json_agg(json_build_object('app', e.app, 'locale', e.locale, 'category', e.category) ORDER BY e.id)
    FROM featured_entry e WHERE e.addon_id = a.id
  ), '[]'::json) AS "featured",
  (SELECT v.body FROM version_document v WHERE v.version_id = a.current_version_id) AS "currentVersion"
) d;

-- Publishes the documents that this changes, with a new `row_version`, so that processes do not serve those in their memory. Replacing
-- the view waits for all transactions that have read it and blocks others until the end of the migration, so no document is older than
-- its rows.
INSERT INTO addon_document (addon_id, body)
SELECT c.addon_id, c.body FROM current_addon_document c JOIN addon_document d USING (addon_id)
WHERE c.body::text IS DISTINCT FROM d.body::text ORDER BY c.addon_id
ON CONFLICT (addon_id) DO UPDATE SET body = excluded.body, row_version = excluded.row_version;
