-- requires: timestamps

-- A version with its files. Without the text of its licence, which is long and rarely read.
CREATE OR REPLACE VIEW version_document AS
SELECT v.id AS version_id, v.addon_id, row_to_json(d) AS body
FROM version v
JOIN addon a ON a.id = v.addon_id
CROSS JOIN LATERAL (SELECT
  v.id AS "id",
  v.addon_id AS "addonId",
  a.slug AS "addonSlug",
  a.default_locale AS "defaultLocale",
  v.version AS "version",
  v.channel AS "channel",
  coalesce((
    SELECT json_agg(json_build_object('app', c.app, 'min', c.min, 'max', c.max) ORDER BY c.app)
    FROM version_compatibility c WHERE c.version_id = v.id
  ), '[]'::json) AS "compatibility",
  coalesce((
    SELECT json_agg(json_build_object(
      'id', f.id,
      'name', f.name,
      'created', utc_seconds(f.created),
      'sha256', f.sha256,
      'signedSha256', f.signed_sha256,
      'certificateSerial', f.certificate_serial,
      'size', f.size,
      'status', f.status,
      'platform', f.platform,
      'permissions', f.permissions,
      'optionalPermissions', f.optional_permissions,
      'hostPermissions', f.host_permissions,
      'dataCollectionPermissions', f.data_collection_permissions,
      'optionalDataCollectionPermissions', f.optional_data_collection_permissions,
      'isWebextension', f.is_webextension,
      'isRestartRequired', f.is_restart_required,
      'isVendorSignedExtension', f.is_vendor_signed_extension,
      'isStored', f.is_stored
    ) ORDER BY f.id)
    FROM file f WHERE f.version_id = v.id
  ), '[]'::json) AS "files",
  (
    SELECT json_build_object('id', l.id, 'builtin', l.builtin, 'name', l.name, 'url', l.url)
    FROM license l WHERE l.id = v.license_id
  ) AS "license",
  nullif(v.release_notes, '{}') AS "releaseNotes",
  v.is_strict_compatibility_enabled AS "isStrictCompatibilityEnabled",
  utc_seconds(v.reviewed) AS "reviewed",
  utc_seconds(v.created) AS "created"
) d;
