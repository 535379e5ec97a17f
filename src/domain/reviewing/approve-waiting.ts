import { AUTOMATIC_REVIEW_ID } from '../../auth/credential-account.ts';
import { config } from '../../config.ts';
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { isReadOnly } from '../../infra/read-only.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { lockVersion } from './lock-version.ts';
import { approve } from './review-version.ts';

const BATCH = 100;

/** Listed versions that have waited for `hours` and without a claim, an open request and a referral (docs/decisions.md D117). */
const isDue = (hours: number): Prisma.Sql => Prisma.sql`q.channel = 'listed'
  AND q.waiting_since <= now() - make_interval(secs => ${hours * 3_600})
  AND coalesce(q.claimed_until <= now(), true) AND NOT q.is_information_requested AND NOT q.is_referred
  AND EXISTS (SELECT FROM addon a WHERE a.id = q.addon_id AND a.deleted_at IS NULL AND a.status <> 'disabled')
  AND NOT EXISTS (SELECT FROM file f WHERE f.version_id = q.version_id AND NOT f.is_stored)`;

/**
 * Approves the versions that have waited for REVIEW_AUTO_APPROVE_HOURS, as the built-in account; none without the setting and in
 * read-only mode. Several workers may run it at the same time. Returns the number of approved versions.
 */
export async function approveWaiting(): Promise<number> {
  const { REVIEW_AUTO_APPROVE_HOURS: hours } = config;
  if (hours === undefined || (await isReadOnly())) return 0;
  const due = await db.$queryRaw<{ id: number }[]>`
    SELECT q.version_id AS id FROM review_queue q WHERE ${isDue(hours)} ORDER BY q.waiting_since LIMIT ${BATCH}`;
  let approved = 0;
  for (const { id } of due) {
    try {
      if (await db.$transaction((tx) => approveIfDue(tx, id, hours))) approved++;
    } catch (error) {
      log.warn({ err: error, versionId: id }, 'The automatic approval of a version failed; it is retried.');
    }
  }
  return approved;
}

/** Under the lock that decisions, claims and notes take, so that none of them is overtaken. */
async function approveIfDue(tx: Transaction, versionId: number, hours: number): Promise<boolean> {
  const version = await lockVersion(tx, versionId);
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM review_queue q WHERE q.version_id = ${versionId} AND ${isDue(hours)}`;
  if (rows.length === 0) return false;
  await approve(tx, version, AUTOMATIC_REVIEW_ID, '');
  await recordAudit(tx, 'automatic review', 'version-approved', { addonId: version.addon.id, versionId });
  return true;
}
