import type { Transaction } from '../../infra/db.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';
import { type Notice, queueFarewell, queueNotice } from './notice.ts';

/** What staff, or an operator by a command, did to an add-on or account of others. */
interface StaffAct {
  /** Action of the audit log. */
  action: string;
  /** Details of the audit log, without secrets. */
  details: Record<string, unknown>;
  /** The mail to those whom the act concerns. */
  notice: Notice;
}

/**
 * Records an act of staff on what belongs to others: an entry of the audit log and a mail to each owner but the actor, in the
 * transaction of the change. Every mutation and command in which a permission, not authorship or the own account, allows the change
 * calls this, for add-ons by `recordAddonAct`. Call it last: the audit log is locked until the transaction ends.
 */
export async function recordStaffAct(
  tx: Transaction,
  actor: AuditActor,
  ownerIds: readonly number[],
  { action, details, notice }: StaffAct,
): Promise<void> {
  const actorId = typeof actor === 'string' ? null : actor.accountId;
  const others = ownerIds.filter((id) => id !== actorId);
  await queueNotice(tx, others, { ...notice, byStaff: true });
  await recordAudit(tx, actor, action, details);
}

/**
 * Records an act of staff on one account, as `recordStaffAct` does. Does nothing when the actor is the account itself.
 */
export async function recordAccountAct(
  tx: Transaction,
  actor: AuditActor,
  accountId: number,
  act: StaffAct,
): Promise<void> {
  if (typeof actor !== 'string' && actor.accountId === accountId) return;
  await recordStaffAct(tx, actor, [accountId], act);
}

/** Queues the mail about the end of an account, with the reason. Call it before the change; the caller then writes the audit entry. */
export async function announceEnd(
  tx: Transaction,
  actor: AuditActor,
  accountId: number,
  name: 'account-disabled' | 'account-deleted',
  reason = '',
): Promise<void> {
  if (typeof actor !== 'string' && actor.accountId === accountId) return;
  await queueFarewell(tx, [accountId], { name, byStaff: true, quotedText: reason });
}
