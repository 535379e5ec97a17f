/* Removes rows whose time is over, in short statements that lock only the rows that they delete. docs/retention.md lists all tables. */
import { config } from '../../config.ts';
import { BulkSession } from '../../infra/bulk-session.ts';
import { log } from '../../infra/log.ts';
import { isReadOnly } from '../../infra/read-only.ts';

/** Rows of one statement. */
const BATCH = 1_000;

type RetentionSetting =
  | 'MAIL_RETENTION_DAYS'
  | 'WEBHOOK_RETENTION_DAYS'
  | 'REPLY_ADDRESS_DAYS'
  | 'TOKEN_RETENTION_DAYS'
  | 'REPORT_RETENTION_DAYS'
  | 'FAILED_JOB_RETENTION_DAYS';

interface Rule {
  table: string;
  setting: RetentionSetting;
  /** Of rows whose time is over; $1 is the number of days. */
  expired: string;
}

const before = (time: string): string => `${time} < now() - make_interval(days => $1::int)`;

const RULES: readonly Rule[] = [
  {
    table: 'outgoing_mail',
    setting: 'MAIL_RETENTION_DAYS',
    expired: `state <> 'queued' AND ${before('coalesce(sent, next_attempt)')}`,
  },
  { table: 'webhook_delivery', setting: 'WEBHOOK_RETENTION_DAYS', expired: before('finished') },
  { table: 'reply_address', setting: 'REPLY_ADDRESS_DAYS', expired: before('created') },
  { table: 'access_token', setting: 'TOKEN_RETENTION_DAYS', expired: before('least(expires, revoked_at)') },
  {
    // Keys of jobs of continuous integration. Those that have uploaded state where a version was built.
    table: 'api_key',
    setting: 'TOKEN_RETENTION_DAYS',
    expired: `provenance IS NOT NULL AND ${before('least(expires, revoked_at)')}
      AND NOT EXISTS (SELECT FROM upload WHERE upload.api_key_id = api_key.id)`,
  },
  { table: 'author_invitation', setting: 'TOKEN_RETENTION_DAYS', expired: before('expires') },
  { table: 'abuse_report', setting: 'REPORT_RETENTION_DAYS', expired: `state <> 'open' AND ${before('decided')}` },
  {
    table: 'graphile_worker._private_jobs',
    setting: 'FAILED_JOB_RETENTION_DAYS',
    expired: `locked_at IS NULL AND attempts >= max_attempts AND ${before('updated_at')}`,
  },
];

/** The nightly job. Safe to run twice. Waits in read-only mode for the next night. */
export async function removeExpiredRows(): Promise<void> {
  if (await isReadOnly()) return;
  await BulkSession.during('addons-retention', async (session) => {
    for (const { table, setting, expired } of RULES) {
      const removed = await removeExpired(session, table, expired, config[setting]);
      if (removed > 0) log.info({ table, removed, days: config[setting] }, 'Rows whose time is over were removed.');
    }
  });
}

/** In the order of the ids, as old rows have low ones: each statement continues after the last row of the one before. */
async function removeExpired(session: BulkSession, table: string, expired: string, days: number): Promise<number> {
  let removed = 0;
  for (let after = '0'; ; ) {
    const rows = await session.query<{ id: string }>(
      `DELETE FROM ${table} WHERE id IN (
         SELECT id FROM ${table} WHERE id > $2::int8 AND ${expired} ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING id::text AS id`,
      [days, after],
    );
    removed += rows.length;
    if (rows.length < BATCH) return removed;
    after = String(rows.map(({ id }) => BigInt(id)).reduce((one, other) => (one > other ? one : other)));
  }
}
