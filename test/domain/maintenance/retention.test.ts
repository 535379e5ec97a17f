import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';

const app = setUpApp();
let removeExpiredRows: () => Promise<void>;
let account: number;
beforeAll(async () => {
  ({ removeExpiredRows } = await import('../../../src/domain/maintenance/retention.ts'));
  account = (await app.developer()).accountId ?? 0;
});

const rows = async (table: string): Promise<unknown[]> =>
  (await app.sql<{ id: string }>(`SELECT id::text AS id FROM ${table} ORDER BY 1`)).map(({ id }) => id);

/** Inserts a row for each set of values, and returns their ids as texts. */
async function insert(table: string, columns: string, ...values: string[]): Promise<string[]> {
  const inserted = await app.sql<{ id: string }>(
    `INSERT INTO ${table} (${columns}) VALUES ${values.map((each) => `(${each})`).join(', ')} RETURNING id::text AS id`,
  );
  return inserted.map(({ id }) => id);
}

describe('the nightly removal of rows', () => {
  it('removes mails, tokens, invitations, reports and jobs after their time, and keeps what is open or younger', async () => {
    const ago = (days: number) => `now() - interval '${days} days'`;
    const mail = `address, cause, subject, text, html, state, sent, next_attempt`;
    const [, ...mails] = await insert(
      'outgoing_mail',
      mail,
      `'a', 'test', 's', 't', 'h', 'sent', ${ago(91)}, ${ago(91)}`,
      `'a', 'test', 's', 't', 'h', 'sent', ${ago(89)}, ${ago(91)}`,
      `'a', 'test', 's', 't', 'h', 'failed', NULL, ${ago(89)}`,
      `'a', 'test', 's', 't', 'h', 'queued', NULL, ${ago(300)}`,
    );
    const tokens = await insert(
      'access_token',
      'account_id, hash, expires, revoked_at',
      `${account}, '\\x01', ${ago(91)}, NULL`,
      `${account}, '\\x02', now() + interval '1 day', ${ago(91)}`,
      `${account}, '\\x03', ${ago(89)}, NULL`,
      `${account}, '\\x04', now() + interval '1 day', NULL`,
    );
    const [, ...reports] = await insert(
      'abuse_report',
      'message, state, decided',
      `'m', 'valid', ${ago(1_096)}`,
      `'m', 'dismissed', ${ago(1_094)}`,
      `'m', 'open', NULL`,
    );
    await app.sql("UPDATE abuse_report SET created = now() - interval '9 years'");
    const made = await addon();
    const [, version] = [made, made.versions[0]?.id];
    const [, kept] = await insert(
      'reply_address',
      'mail_id, token_hash, version_id, account_id, created',
      `1, 'a', ${version}, ${account}, ${ago(61)}`,
      `2, 'b', ${version}, ${account}, ${ago(59)}`,
    );
    const invitations = 'addon_id, account_id, role, listed, invited_by, expires';
    await insert('author_invitation', invitations, `${made.id}, ${account}, 'owner', true, ${account}, ${ago(91)}`);
    await app.sql("SELECT graphile_worker.add_job('failing', max_attempts => 1), graphile_worker.add_job('waiting')");
    await app.sql(
      "UPDATE graphile_worker._private_jobs SET attempts = max_attempts, updated_at = now() - interval '91 days' WHERE max_attempts = 1",
    );
    for (const run of [1, 2]) {
      await removeExpiredRows();
      expect(await rows('outgoing_mail'), `run ${run}`).toEqual(mails);
      expect(await rows('access_token')).toEqual(tokens.slice(2));
      expect(await rows('abuse_report')).toEqual(reports);
      expect(await rows('reply_address')).toEqual([kept]);
      expect(await rows('author_invitation')).toEqual([]);
      expect(await app.pendingJobs()).toEqual(['waiting']);
    }
    await app.sql('DELETE FROM access_token');
    await app.sql('DELETE FROM outgoing_mail');
    await app.sql('SELECT graphile_worker.complete_jobs(array(SELECT id FROM graphile_worker.jobs))');
  });

  it('removes the keys of jobs that have uploaded nothing, and keeps those of versions and of people', async () => {
    const columns = 'account_id, key, sealed_secret, expires, provenance';
    const ago = (days: number) => `now() - interval '${days} days'`;
    const job = `'{"issuer": "https://ci.example"}'`;
    const [removed, ...kept] = await insert(
      'api_key',
      columns,
      `${account}, 'job-old', '', ${ago(91)}, ${job}`,
      `${account}, 'job-young', '', ${ago(89)}, ${job}`,
      `${account}, 'job-used', '', ${ago(91)}, ${job}`,
      `${account}, 'of a person', '', ${ago(91)}, NULL`,
    );
    const { id, versions } = await addon();
    await app.sql(
      `INSERT INTO upload (pk, addon_id, version_id, account_id, file_name, api_key_id) VALUES ('used', $1, $2, $3, 'a.xpi', $4)`,
      [id, versions[0]?.id, account, kept[1]],
    );
    await removeExpiredRows();
    expect(await rows('api_key')).toEqual(expect.arrayContaining(kept));
    expect(await rows('api_key')).not.toContain(removed);
  });

  it('removes deliveries of webhooks after their end, and keeps those that wait', async () => {
    const [webhook] = await insert('webhook', 'url, sealed_secret, actions', `'https://a.example/', '', '{}'`);
    const delivery = (state: string, finished: string) => `${webhook}, 'published', '{}', '${state}', ${finished}`;
    const [, ...kept] = await insert(
      'webhook_delivery',
      'webhook_id, action, data, state, finished',
      delivery('failed', `now() - interval '31 days'`),
      delivery('delivered', `now() - interval '29 days'`),
      delivery('queued', 'NULL'),
    );
    await removeExpiredRows();
    expect(await rows('webhook_delivery')).toEqual(kept.toSorted());
  });

  it('removes thousands of rows in batches, skips those that are locked, and rests in read-only mode', async () => {
    await app.sql(`INSERT INTO outgoing_mail (address, cause, subject, text, html, state, sent)
      SELECT 'a', 'test', 's', 't', 'h', 'sent', now() - interval '100 days' FROM generate_series(1, 2500)`);
    app.config.READ_ONLY = true;
    await removeExpiredRows();
    app.config.READ_ONLY = false;
    expect(await rows('outgoing_mail')).toHaveLength(2_500);
    const { pool } = await import('../../../src/infra/db.ts');
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM outgoing_mail ORDER BY id LIMIT 1 FOR UPDATE');
    await removeExpiredRows();
    expect(await rows('outgoing_mail')).toHaveLength(1);
    await holder.query('COMMIT');
    holder.release();
    await removeExpiredRows();
    expect(await rows('outgoing_mail')).toEqual([]);
  });
});
