import { isDeepStrictEqual } from 'node:util';
import { db } from '../../infra/db.ts';
import { forgetReadOnlyState, type OperatorTexts, SITE_NOTICE_ROW } from '../../infra/read-only.ts';
import { type AuditActor, recordAudit } from '../activity/record-audit.ts';

/**
 * Replaces the notice on all pages; no texts end it. With `replaced`, another present notice stays. Every process follows within a
 * second. Idempotent.
 */
export async function setSiteNotice(
  actor: AuditActor,
  texts: OperatorTexts,
  { replaced }: { replaced?: OperatorTexts } = {},
): Promise<void> {
  const name = SITE_NOTICE_ROW;
  await db.$transaction(async (tx) => {
    await tx.serviceState.createMany({ data: [{ name, value: {} }], skipDuplicates: true });
    await tx.$queryRaw`SELECT FROM service_state WHERE name = ${name} FOR UPDATE`;
    const present = await tx.serviceState.findUniqueOrThrow({ where: { name } });
    if (isDeepStrictEqual(present.value, texts)) return;
    if (replaced !== undefined && !isDeepStrictEqual(present.value, replaced)) return;
    await tx.serviceState.update({ where: { name }, data: { value: texts } });
    await recordAudit(tx, actor, 'site-notice-set', { texts });
  });
  forgetReadOnlyState();
}
