import { type InvalidInputError, refusedField } from '../../errors.ts';
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
export const notValid = (): InvalidInputError =>
  refusedField('upload', 'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid).');

type Row = Omit<WaitingUpload, 'isVendorSigned' | 'size'> & { size: string; versionId: number | null } & {
  makesAddon: boolean;
  isUsable: boolean;
};

/**
 * Locks an upload of the account until the end of the transaction and reads it.
 * @throws what `notValid` returns.
 */
export async function lockUpload(
  tx: Transaction,
  accountId: number,
  pk: string,
): Promise<WaitingUpload | SubmittedUpload> {
  const [row] = await tx.$queryRaw<Row[]>`
    SELECT id, channel, manifest, file_name AS "fileName", size::text, sha256, version_id AS "versionId",
      makes_addon AS "makesAddon", stage = 'valid' AND expires > now() AS "isUsable"
    FROM upload WHERE pk = ${pk.replaceAll('\0', '')} AND account_id = ${accountId} FOR UPDATE`;
  if (row === undefined) throw notValid();
  const { id, versionId, makesAddon, isUsable, manifest, ...upload } = row;
  if (versionId !== null) return { id, versionId, makesAddon };
  if (!isUsable) throw notValid();
  return { ...upload, id, manifest, size: Number(upload.size), isVendorSigned: manifest.isVendorSigned };
}
