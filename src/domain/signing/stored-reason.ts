import { Prisma } from '../../infra/db.ts';
import type { Message } from '../../texts/messages.ts';

/** Why a version has its stage: a message of the service, or the words of a reviewer. */
export type StageReason = Message | string;

/** SQL that sets the reason of a stage: the words of a reviewer as text, a message of the service as code and parameters. */
export function setReason(reason: StageReason | null): Prisma.Sql {
  const words = typeof reason === 'string' ? reason : null;
  const message = reason === null || typeof reason === 'string' ? null : JSON.stringify(reason);
  return Prisma.sql`reason = ${words}, reason_message = ${message}::jsonb`;
}
