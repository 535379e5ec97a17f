-- What every installation needs at first: licences, a category per kind, application versions, an account, records of the service.

INSERT INTO license (builtin, name, url) VALUES
  ('MPL-2.0', '{"en-US": "Mozilla Public License 2.0"}', 'https://spdx.org/licenses/MPL-2.0.html'),
  ('Apache-2.0', '{"en-US": "Apache License 2.0"}', 'https://spdx.org/licenses/Apache-2.0.html'),
  ('MIT', '{"en-US": "MIT License"}', 'https://spdx.org/licenses/MIT.html'),
  ('ISC', '{"en-US": "ISC License"}', 'https://spdx.org/licenses/ISC.html'),
  ('BSD-2-Clause', '{"en-US": "BSD 2-Clause License"}', 'https://spdx.org/licenses/BSD-2-Clause.html'),
  ('GPL-2.0-or-later', '{"en-US": "GNU General Public License v2.0 or later"}', 'https://spdx.org/licenses/GPL-2.0-or-later.html'),
  ('GPL-3.0-or-later', '{"en-US": "GNU General Public License v3.0 or later"}', 'https://spdx.org/licenses/GPL-3.0-or-later.html'),
  ('LGPL-2.1-or-later', '{"en-US": "GNU Lesser General Public License v2.1 or later"}', 'https://spdx.org/licenses/LGPL-2.1-or-later.html'),
  ('LGPL-3.0-or-later', '{"en-US": "GNU Lesser General Public License v3.0 or later"}', 'https://spdx.org/licenses/LGPL-3.0-or-later.html'),
  ('AGPL-3.0-or-later', '{"en-US": "GNU Affero General Public License v3.0 or later"}', 'https://spdx.org/licenses/AGPL-3.0-or-later.html'),
  ('Unlicense', '{"en-US": "The Unlicense"}', 'https://spdx.org/licenses/Unlicense.html'),
  ('CC0-1.0', '{"en-US": "Creative Commons Zero v1.0 Universal"}', 'https://spdx.org/licenses/CC0-1.0.html'),
  ('CC-BY-4.0', '{"en-US": "Creative Commons Attribution 4.0"}', 'https://spdx.org/licenses/CC-BY-4.0.html'),
  ('CC-BY-SA-4.0', '{"en-US": "Creative Commons Attribution Share Alike 4.0"}', 'https://spdx.org/licenses/CC-BY-SA-4.0.html'),
  ('all-rights-reserved', '{"en-US": "All Rights Reserved"}', NULL);

INSERT INTO category (app, type, slug, name)
SELECT app, type, 'other', '{"en-US": "Other"}'::jsonb
FROM unnest(ARRAY['desktop_browser', 'mail_client', 'suite_app', 'mobile_browser']) AS app,
     unnest(ARRAY['extension', 'theme', 'dictionary', 'search', 'language', 'persona', 'statictheme']) AS type
ORDER BY app, type;

-- Codes are the 53-bit integers of the application version encoding: major * 2^41, three minors of 8 bits, then
-- "no suffix" (65551). `*` fills the minors.
INSERT INTO application_version (app, version, code)
SELECT app, v.version, v.code
FROM unnest(ARRAY['desktop_browser', 'mail_client', 'suite_app', 'mobile_browser']) AS app,
     LATERAL (
       SELECT n || '.0' AS version, n * 2199023255552 + 65551 AS code FROM generate_series(1::bigint, 200) AS n
       UNION ALL
       SELECT n || '.*', n * 2199023255552 + 16777215::bigint * 131072 + 65551 FROM generate_series(1::bigint, 200) AS n
       UNION ALL
       SELECT '*', 9007199254675471
     ) AS v;

-- The account that makes automatic decisions. Its negative id equals no imported id, and no request can name it. It has no credentials,
-- and none authenticate it (src/auth/credential-account.ts).
INSERT INTO account (id, username, disabled_at) VALUES (-1, 'automatic-review', now());

-- The logs are empty.
INSERT INTO log_head (log, size, hash) VALUES ('audit', 0, repeat('0', 64)), ('signature', 0, repeat('0', 64));

-- The id of this installation, which its file store has, too: a store of another installation is not used, and no file of it is removed.
INSERT INTO service_state (name, value) VALUES ('installation', to_jsonb(gen_random_uuid()));
