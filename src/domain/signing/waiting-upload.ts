import { type InvalidInputError, refusedField, UPLOAD_NOT_VALID } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Channel } from '../../package/words.ts';
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

/** The refusal of an upload that is unknown, of another account, expired, not validated yet or invalid. */
export const notValid = (): InvalidInputError => refusedField('upload', UPLOAD_NOT_VALID);

type Row = Omit<WaitingUpload, 'isVendorSigned' | 'size'> & { size: string; isUsable: boolean };

/**
 * Reads an upload of the account. Locks it until the end of the transaction unless it is submitted: signing updates the
 * upload of a version after it has locked the add-on.
 * @throws what `notValid` returns.
 */
export async function lockUpload(
  tx: Transaction,
  accountId: number,
  pk: string,
): Promise<WaitingUpload | SubmittedUpload> {
  const key = pk.replaceAll('\0', '');
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT id, channel, manifest, file_name AS "fileName", size::text, sha256, stage = 'valid' AND expires > now() AS "isUsable"
    FROM upload WHERE pk = ${key} AND account_id = ${accountId} AND version_id IS NULL FOR UPDATE`;
  if (row === undefined) return submittedUpload(tx, accountId, key);
  const { isUsable, size, ...upload } = row;
  if (!isUsable) throw notValid();
  return { ...upload, size: Number(size), isVendorSigned: upload.manifest.isVendorSigned };
}

async function submittedUpload(tx: Transaction, accountId: number, pk: string): Promise<SubmittedUpload> {
  const found = await tx.upload.findFirst({
    where: { pk, accountId },
    select: { id: true, versionId: true, makesAddon: true },
  });
  if (found?.versionId == null) throw notValid();
  return { ...found, versionId: found.versionId };
}
