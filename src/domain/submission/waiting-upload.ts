import { type InvalidInputError, refusedField } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { Stage } from '../addons/stages.ts';
import type { StoredManifest } from './create-upload.ts';

/** A validated upload that is not submitted. */
export interface WaitingUpload {
  id: number;
  channel: Channel;
  manifest: StoredManifest;
  isVendorSigned: boolean;
  fileName: string;
  /** In bytes. */
  size: number;
  sha256: string;
}

/** An upload that is a version already. `makesAddon`: its submission named no add-on. */
export interface SubmittedUpload {
  id: number;
  versionId: number;
  makesAddon: boolean;
}

/** The refusal of an upload. Uploads of other accounts read as unknown. */
export const notValid = (problem: Message): InvalidInputError => refusedField('upload', problem);

interface Row extends Omit<WaitingUpload, 'isVendorSigned' | 'size'> {
  size: string;
  stage: Stage;
  /** When it expired; null before. */
  expired: Date | null;
}

/**
 * Reads an upload of the account. Locks it until the end of the transaction unless it is submitted: signing updates the
 * upload of a version after it has locked the add-on.
 * @throws {InvalidInputError} on `upload`, for one that is unknown, of another account, expired, not validated yet or invalid.
 */
export async function lockUpload(
  tx: Transaction,
  accountId: number,
  pk: string,
): Promise<WaitingUpload | SubmittedUpload> {
  const key = pk.replaceAll('\0', '');
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT id, channel, manifest, file_name AS "fileName", size::text, sha256, stage,
      CASE WHEN expires <= now() THEN expires END AS expired
    FROM upload WHERE pk = ${key} AND account_id = ${accountId} AND version_id IS NULL FOR UPDATE`;
  if (row === undefined) return submittedUpload(tx, accountId, key);
  const { stage, expired, size, ...upload } = row;
  if (expired !== null) throw notValid(message('upload.expired', { time: expired.toISOString() }));
  if (stage !== 'valid') throw notValid(message(UNUSABLE[stage] ?? 'upload.not_validated'));
  return { ...upload, size: Number(size), isVendorSigned: upload.manifest.isVendorSigned };
}

/** The refusals of uploads whose validation has ended. */
const UNUSABLE: Partial<Record<Stage, 'upload.invalid' | 'upload.not_checked'>> = {
  invalid: 'upload.invalid',
  error: 'upload.not_checked',
};

async function submittedUpload(tx: Transaction, accountId: number, pk: string): Promise<SubmittedUpload> {
  const found = await tx.upload.findFirst({
    where: { pk, accountId },
    select: { id: true, versionId: true, makesAddon: true },
  });
  if (found?.versionId == null) throw notValid(message('upload.unknown', { pk: printable(pk) }));
  return { ...found, versionId: found.versionId };
}
