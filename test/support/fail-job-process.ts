import { withDatabase } from '../../src/commands/with-database.ts';
import { pool } from '../../src/infra/db.ts';
import { makeJob } from './jobs.ts';

/** Adds a job about the newest version of an add-on that has failed for good, and prints its number. */
const [slug] = process.argv.slice(2);
await withDatabase(async () => {
  const sql = async <Row>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as Row[];
  const [version] = await sql<{ id: number }>(
    'SELECT max(version.id) AS id FROM version JOIN addon ON addon.id = addon_id WHERE slug = $1',
    [slug],
  );
  const cause = "The file store cannot be written to: EROFS: read-only file system, open '/srv/addons/store/probe'";
  process.stdout.write(await makeJob({ sql }, { task: 'sign-version', payload: { versionId: version?.id }, cause }));
});
