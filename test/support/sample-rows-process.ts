import { withDatabase } from '../../src/commands/with-database.ts';
import { pool } from '../../src/infra/db.ts';
import { makeJob } from './jobs.ts';

/*
 * Adds rows that no client can add: a failed job about the newest version of the add-on with this slug; the job of continuous integration
 * that uploaded its version 1.1; a note with more comments on lines than one page has, about the newest version of the add-on with this guid;
 * webhooks of the first add-on and of the service, with deliveries in every state, which send nothing.
 * Prints the number of the failed job.
 */
const [slug, guid] = process.argv.slice(2);

const CAUSE = "The file store cannot be written to: EROFS: read-only file system, open '/srv/addons/store/probe'";

const PROVENANCE = {
  issuer: 'https://token.actions.githubusercontent.com',
  repository: 'example/tab-notes',
  commit: '4f0c2d9be1a7755d2f4e0c6b8a9d3f1e5c7b2a40',
  workflow: 'example/tab-notes/.github/workflows/publish.yml@refs/heads/main',
  runUrl: 'https://github.com/example/tab-notes/actions/runs/1234567890',
};

await withDatabase(async () => {
  const sql = async <Row>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as Row[];
  const [newest] = await sql<{ id: number }>(
    'SELECT max(version.id) AS id FROM version JOIN addon ON addon.id = addon_id WHERE slug = $1',
    [slug],
  );
  await sql(
    `WITH of AS (SELECT upload.id, upload.account_id FROM upload JOIN version ON version.id = version_id
         JOIN addon ON addon.id = version.addon_id WHERE slug = $1 AND version.version = '1.1'),
       made AS (INSERT INTO api_key (account_id, key, sealed_secret, expires, provenance)
         SELECT account_id, 'job:' || gen_random_uuid(), '', now(), $2 FROM of RETURNING id)
     UPDATE upload SET api_key_id = made.id FROM made, of WHERE upload.id = of.id`,
    [slug, PROVENANCE],
  );
  await sql(
    `WITH of AS (SELECT max(version.id) AS id, addon_id FROM version JOIN addon ON addon.id = addon_id WHERE guid = $1 GROUP BY addon_id),
       reviewer AS (SELECT id FROM account WHERE username = 'demo-reviewer'),
       note AS (INSERT INTO activity (action, account_id, addon_id, version_id, comments)
         SELECT 'more-information-requested', reviewer.id, of.addon_id, of.id, 'Please see the lines.' FROM of, reviewer RETURNING id)
     INSERT INTO line_comment (version_id, account_id, activity_id, path, line, quote, text)
     SELECT of.id, reviewer.id, note.id, 'background.js', 1 + n / 2, 'const reminder', CASE n % 2 WHEN 0 THEN 'Why this interval?'
       ELSE E'The same as above.\\n\\nPlease read it from the settings, so that people can change it.' END
     FROM of, reviewer, note, generate_series(0, 239) AS n`,
    [guid],
  );
  await sql(
    `WITH made AS (INSERT INTO webhook (addon_id, url, sealed_secret, sealed_previous, previous_until, actions, failures, paused_until)
         SELECT id, 'https://ci.example.org/hooks/add-ons?project=notes', '', '', now() + interval '20 hours', '{rejected,published}', 3,
           now() + interval '100 days' FROM (SELECT id FROM addon WHERE slug = $1 UNION ALL SELECT NULL) of RETURNING id)
     INSERT INTO webhook_delivery (webhook_id, action, data, state, attempts, response_status, last_error, finished)
     SELECT made.id, action, '{}', state, attempts, status, error::jsonb, CASE WHEN state <> 'queued' THEN now() END
     FROM made, (VALUES ('published', 'delivered', 1, 204, NULL),
       ('rejected', 'failed', 12, 500, '{"code":"webhook.refused","params":{"status":"500"}}'),
       ('rejected', 'queued', 3, NULL, '{"code":"webhook.tls_failed","params":{"code":"DEPTH_ZERO_SELF_SIGNED_CERT"}}')
     ) AS d(action, state, attempts, status, error)`,
    [slug],
  );
  const payload = { versionId: newest?.id };
  process.stdout.write(await makeJob({ sql }, { task: 'sign-version', payload, cause: CAUSE }));
});
