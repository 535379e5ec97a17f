import type { Transaction } from '../../infra/db.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { changeStage } from './change-stage.ts';
import type { Stage } from './stages.ts';

const PUBLIC = 4;

/** OpenSearch descriptions carry no signature, and the operator's privileged one is kept: these files are not signed here. */
export function isServedAsUploaded(file: { format: string; isVendorSignedExtension: boolean }): boolean {
  return file.format === 'opensearch' || file.isVendorSignedExtension;
}

/**
 * The last step of an upload: its files become public, the add-on's status and current version follow. They are of listed
 * versions only, so an unlisted one changes nothing that the catalogue shows. Returns false, having written nothing, when
 * the version has left the stages that the step starts from.
 */
export async function publishVersion(
  tx: Transaction,
  { versionId, from, accountId = null }: { versionId: number; from: readonly Stage[]; accountId?: number | null },
): Promise<boolean> {
  const published = await changeStage(tx, { versionId, from, to: 'signed', action: 'published', accountId });
  if (published === null) return false;
  await tx.file.updateMany({ where: { versionId }, data: { status: PUBLIC } });
  if (published.channel === 'unlisted') return true;
  const { addonId } = published;
  await tx.addon.update({ where: { id: addonId }, data: { lastUpdated: new Date() } });
  await refreshAddonStatus(tx, addonId);
  await publishAddons(tx, [addonId]);
  return true;
}
