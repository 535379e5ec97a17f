import { db, type Transaction } from '../../infra/db.ts';
import { forgetReadOnlyState, READ_ONLY_ROW } from '../../infra/read-only.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type Actor, recordAudit } from '../activity/record-audit.ts';

/**
 * Stores whether a cause of read-only mode applies, with its activity and audit row. Returns false when it is stored already;
 * then only the time of the row is renewed.
 */
export async function storeCause(
  tx: Transaction,
  actor: Actor,
  name: string,
  facts: { readOnly: boolean; reason: string },
): Promise<boolean> {
  await tx.$executeRaw`INSERT INTO service_state (name, value) VALUES (${name}, 'false') ON CONFLICT DO NOTHING`;
  const [before] = await tx.$queryRaw<{ value: boolean }[]>`
    SELECT value::bool FROM service_state WHERE name = ${name} FOR UPDATE`;
  // The time of the database: reports are compared with it, and hosts may have other clocks.
  await tx.$executeRaw`
    UPDATE service_state SET value = to_jsonb(${facts.readOnly}::bool), modified = now() WHERE name = ${name}`;
  if (before?.value === facts.readOnly) return false;
  const accountId = typeof actor === 'string' ? null : actor.accountId;
  await recordActivity(tx, { action: 'read-only-switched', accountId, comments: facts.reason, details: { ...facts } });
  await recordAudit(tx, actor, 'read-only-switched', { ...facts });
  return true;
}

/**
 * Switches read-only (maintenance) mode of all processes, which follow within a second (docs/decisions.md D122). Read-only mode for
 * another cause, such as a full disk, stays. Idempotent.
 */
export async function switchReadOnly(actor: Actor, readOnly: boolean, reason: string): Promise<void> {
  await db.$transaction((tx) => storeCause(tx, actor, READ_ONLY_ROW, { readOnly, reason }));
  forgetReadOnlyState();
}
