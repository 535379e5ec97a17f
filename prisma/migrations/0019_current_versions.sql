-- Public personas have a current version, as every public add-on: the newest listed one of a catalogue that was imported, else
-- one without files that is made here. The flag for sensitive data follows the permissions of current versions uploaded here.
SELECT set_config('addons.bulk_load', 'on', true);

WITH made AS (
  INSERT INTO version (addon_id, version, channel, stage, license_id, reviewed, created)
  SELECT a.id, (
      SELECT '1.' || n FROM generate_series(0, (SELECT count(*) FROM version WHERE addon_id = a.id)) AS n
      WHERE NOT EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND v.version = '1.' || n) ORDER BY n LIMIT 1
    ), 'listed', 'signed', a.license_id, a.last_updated, a.last_updated
  FROM addon a WHERE a.type = 'persona' AND a.status = 'public'
    AND NOT EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND v.channel = 'listed' AND v.deleted_at IS NULL
      AND v.stage NOT IN ('received', 'validating', 'invalid', 'error')
      AND NOT EXISTS (SELECT FROM file f WHERE f.version_id = v.id AND f.status = 5))
  ORDER BY a.id RETURNING id
)
INSERT INTO version_compatibility (version_id, app, min, max, min_code, max_code)
SELECT id, app, '1.0', '*', 2199023321103, 9007199254675471
FROM made, unnest(ARRAY['desktop_browser', 'mobile_browser', 'suite_app', 'mail_client']) AS app;

UPDATE addon a SET current_version_id = (
  SELECT v.id FROM version v
  CROSS JOIN LATERAL (
    SELECT coalesce(bool_and(f.status = 4), true) AS is_public, coalesce(bool_and(f.status <> 5), true) AS is_alive
    FROM file f WHERE f.version_id = v.id
  ) AS files
  WHERE v.addon_id = a.id AND v.channel = 'listed' AND v.deleted_at IS NULL AND files.is_alive
    AND v.stage NOT IN ('received', 'validating', 'invalid', 'error')
  ORDER BY files.is_public DESC, v.created DESC, v.id DESC LIMIT 1
) WHERE a.type = 'persona' AND a.status <> 'deleted' AND a.current_version_id IS NULL;

UPDATE addon a SET requires_sensitive_data_access = true
WHERE EXISTS (SELECT FROM upload u WHERE u.version_id = a.current_version_id) AND EXISTS (
  SELECT FROM file f, unnest(f.permissions) AS permission WHERE f.version_id = a.current_version_id AND (
    permission IN ('<all_urls>', 'bookmarks', 'browsingData', 'clipboardRead', 'cookies', 'devtools', 'downloads', 'find',
      'geolocation', 'history', 'management', 'nativeMessaging', 'pkcs11', 'privacy', 'proxy', 'sessions', 'tabs', 'topSites',
      'webNavigation', 'webRequest')
    OR permission ~ '^(\*|https?|wss?|ftp)://\*(:(\d+|\*))?/'));

INSERT INTO addon_document (addon_id, body)
SELECT c.addon_id, c.body FROM current_addon_document c JOIN addon_document d USING (addon_id)
WHERE c.body::text IS DISTINCT FROM d.body::text ORDER BY c.addon_id
ON CONFLICT (addon_id) DO UPDATE SET body = excluded.body, row_version = excluded.row_version;

-- Searches filter personas by the applications and platforms of these versions: the worker writes all search rows again.
DELETE FROM service_state WHERE name = 'search';
