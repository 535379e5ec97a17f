import { isDeepStrictEqual } from 'node:util';
import { refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { forgetReadOnlyState, type OperatorTexts, READ_ONLY_ROW, READ_ONLY_TEXT_ROW } from '../../infra/read-only.ts';
import { message } from '../../texts/messages.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';

interface SwitchFacts {
  readOnly: boolean;
  reason: string;
  /** What refusals say. */
  text?: OperatorTexts;
}

/**
 * Stores whether a cause of read-only mode applies, with its activity and audit row. Returns false when it is stored already;
 * then only the time of the row is renewed.
 */
export async function storeCause(
  tx: Transaction,
  actor: AuditActor,
  name: string,
  facts: SwitchFacts,
): Promise<boolean> {
  await tx.$executeRaw`INSERT INTO service_state (name, value) VALUES (${name}, 'false') ON CONFLICT DO NOTHING`;
  const [before] = await tx.$queryRaw<{ value: boolean }[]>`
    SELECT value::bool FROM service_state WHERE name = ${name} FOR UPDATE`;
  // The time of the database: reports are compared with it, and hosts may have other clocks.
  await tx.$executeRaw`
    UPDATE service_state SET value = to_jsonb(${facts.readOnly}::bool), modified = now() WHERE name = ${name}`;
  if (before?.value === facts.readOnly) return false;
  await recordSwitch(tx, actor, facts);
  return true;
}

async function recordSwitch(tx: Transaction, actor: AuditActor, facts: SwitchFacts): Promise<void> {
  const accountId = typeof actor === 'string' ? null : actor.accountId;
  await recordActivity(tx, { action: 'read-only-switched', accountId, comments: facts.reason, details: { ...facts } });
  await recordAudit(tx, actor, 'read-only-switched', { ...facts });
}

/**
 * Switches read-only (maintenance) mode of all processes, which follow within a second (docs/decisions.md D122). Read-only mode for
 * another cause, such as a full disk, stays. `text` is what refusals say until the mode ends; without it, the texts of a mode that is on
 * stay. Idempotent.
 */
export async function switchReadOnly(
  actor: AuditActor,
  readOnly: boolean,
  reason: string,
  text?: OperatorTexts,
): Promise<void> {
  const given = readOnly && text !== undefined && Object.keys(text).length > 0 ? { text } : {};
  await db.$transaction(async (tx) => {
    if (await storeCause(tx, actor, READ_ONLY_ROW, { readOnly, reason, ...given }))
      await storeTexts(tx, given.text ?? {});
    else if (readOnly && text !== undefined) await replaceTexts(tx, actor, text);
  });
  forgetReadOnlyState();
}

/** Replaces what refusals say. @throws {InvalidInputError} when the switch is off. */
export async function changeReadOnlyTexts(actor: AuditActor, text: OperatorTexts): Promise<void> {
  await db.$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ value: boolean }[]>`
      SELECT value::bool FROM service_state WHERE name = ${READ_ONLY_ROW} FOR UPDATE`;
    if (row?.value !== true) throw refusedField('text', message('service.not_read_only'));
    await replaceTexts(tx, actor, text);
  });
  forgetReadOnlyState();
}

async function replaceTexts(tx: Transaction, actor: AuditActor, text: OperatorTexts): Promise<void> {
  if (await storeTexts(tx, text)) await recordSwitch(tx, actor, { readOnly: true, reason: '', text });
}

/** Whether these differ from the stored texts, which they replace. */
async function storeTexts(tx: Transaction, texts: OperatorTexts): Promise<boolean> {
  const name = READ_ONLY_TEXT_ROW;
  const present = await tx.serviceState.findUnique({ where: { name } });
  if (isDeepStrictEqual(present?.value ?? {}, texts)) return false;
  await tx.serviceState.upsert({ where: { name }, create: { name, value: texts }, update: { value: texts } });
  return true;
}
