import type { StoredFileError } from '../../infra/blob-store/stored-file-error.ts';
import { Prisma } from '../../infra/db.ts';
import { type Message, message } from '../../texts/messages.ts';

/** Why a version has its stage: a message of the service, or the words of a reviewer. */
export type StageReason = Message | string;

/** SQL that sets the reason of a stage: the words of a reviewer as text, a message of the service as code and parameters. */
export function setReason(reason: StageReason | null): Prisma.Sql {
  const words = typeof reason === 'string' ? reason : null;
  const json = reason === null || typeof reason === 'string' ? null : JSON.stringify(reason);
  return Prisma.sql`reason = ${words}, reason_message = ${json}::jsonb`;
}

/** Why an upload ends in `error` when the store no longer has the bytes of its package: neither a validator nor the signer may use others. */
export const unusableReason = ({ problem }: StoredFileError): Message =>
  message(problem === 'lost' ? 'package.lost' : 'package.replaced');
