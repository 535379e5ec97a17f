import type { Transaction } from '../../infra/db.ts';

/** The listed, living, non-failed versions of an add-on, newest first, with the status of their files. */
async function listedVersions(tx: Transaction, addonId: number) {
  return tx.version.findMany({
    where: {
      addonId,
      channel: 'listed',
      deletedAt: null,
      stage: { notIn: ['invalid', 'error', 'received', 'validating'] },
    },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
    select: { id: true, files: { select: { status: true } } },
  });
}

const PUBLIC = 4;
const AWAITING = 1;

const isAlive = ({ status }: { status: number }): boolean => status === PUBLIC || status === AWAITING;

/**
 * Sets the status and the current version of an add-on from its versions, inside the transaction that changed one.
 * Of an add-on that is not public, the current version is the newest listed one that is not refused.
 * A disabled or deleted add-on keeps its status; personas have no versions of their own. An add-on with unlisted versions
 * only stays `incomplete`: it is not part of the public catalogue.
 */
export async function refreshAddonStatus(tx: Transaction, addonId: number): Promise<void> {
  const addon = await tx.addon.findUniqueOrThrow({ where: { id: addonId }, select: { status: true, type: true } });
  if (addon.status === 'deleted' || addon.type === 'persona') return;
  const versions = await listedVersions(tx, addonId);
  const withFile = (status: number) =>
    versions.find((version) => version.files.length > 0 && version.files.every((file) => file.status === status));
  const current = withFile(PUBLIC);
  const status = current ? 'public' : withFile(AWAITING) ? 'nominated' : 'incomplete';
  const shown = current ?? versions.find((version) => version.files.length > 0 && version.files.every(isAlive));
  await tx.addon.update({
    where: { id: addonId },
    data: {
      currentVersionId: shown?.id ?? null,
      ...(addon.status === 'disabled' ? { statusBeforeDisabling: status } : { status }),
    },
  });
}
