import type { Transaction } from '../../infra/db.ts';
import { FILE_STATUS } from '../../package/words.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { changeStage } from './change-stage.ts';
import { lockForSigning } from './signing-hold.ts';

/** A signed file in the blob store, verified by the second implementation. `size` is in bytes. */
export interface SignedFile {
  fileId: number;
  size: number;
  sha256: string;
  serial: string;
}

/**
 * Publishes a version in stage `signing` with its signed files. Status and current version of the add-on depend on listed
 * versions only, so an unlisted version changes nothing else in the catalogue. Returns false and writes nothing when the
 * version is in another stage, deleted or held (see `lockForSigning`).
 */
export async function publishVersion(
  tx: Transaction,
  versionId: number,
  signedFiles: readonly SignedFile[],
): Promise<boolean> {
  if ((await lockForSigning(tx, versionId)).isHeld) return false;
  const published = await changeStage(tx, { versionId, from: ['signing'], to: 'signed', action: 'published' });
  if (published === null) return false;
  for (const { fileId, size, sha256, serial } of signedFiles) {
    await tx.file.update({
      where: { id: fileId },
      data: { signedSha256: sha256, sha256, size: BigInt(size), signedAt: new Date(), certificateSerial: serial },
    });
  }
  await tx.file.updateMany({ where: { versionId }, data: { status: FILE_STATUS.public } });
  if (published.channel === 'unlisted') return true;
  const { addonId } = published;
  await tx.addon.update({ where: { id: addonId }, data: { lastUpdated: new Date() } });
  await refreshAddonStatus(tx, addonId);
  await publishAddons(tx, [addonId]);
  return true;
}
