import type { Transaction } from '../../infra/db.ts';
import { FILE_STATUS } from '../../package/words.ts';
import { addPersonaVersions } from './persona-version.ts';
import { requiresSensitiveAccess } from './sensitive-access.ts';

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
    select: { id: true, files: { select: { status: true, permissions: true } } },
  });
}

const isAlive = ({ status }: { status: number }): boolean =>
  status === FILE_STATUS.public || status === FILE_STATUS.awaitingReview;

/**
 * Sets the status and the current version of an add-on from its versions, inside the transaction that changed one.
 * Of an add-on that is not public, the current version is the newest listed one that is not rejected. A new current version
 * decides about `requiresSensitiveDataAccess`.
 * A disabled or deleted add-on keeps its status, and so does a persona, which gets a version when it is public. An add-on
 * with unlisted versions only stays `incomplete`: it is not part of the public catalogue.
 */
export async function refreshAddonStatus(tx: Transaction, addonId: number): Promise<void> {
  const addon = await tx.addon.findUniqueOrThrow({
    where: { id: addonId },
    select: { status: true, type: true, currentVersionId: true },
  });
  if (addon.status === 'deleted') return;
  const isPersona = addon.type === 'persona';
  if (isPersona) await tx.$executeRawUnsafe(addPersonaVersions('a.id = $1'), addonId);
  const versions = (await listedVersions(tx, addonId)).filter(({ files }) => isPersona || files.length > 0);
  const withFile = (status: number) => versions.find(({ files }) => files.every((file) => file.status === status));
  const current = withFile(FILE_STATUS.public);
  const status = current ? 'public' : withFile(FILE_STATUS.awaitingReview) ? 'nominated' : 'incomplete';
  const shown = current ?? versions.find(({ files }) => files.every(isAlive)) ?? null;
  const permissions = shown?.files.flatMap((file) => file.permissions) ?? [];
  await tx.addon.update({
    where: { id: addonId },
    data: {
      currentVersionId: shown?.id ?? null,
      ...(shown && shown.id === addon.currentVersionId
        ? {}
        : { requiresSensitiveDataAccess: requiresSensitiveAccess(permissions) }),
      ...(isPersona ? {} : addon.status === 'disabled' ? { statusBeforeDisabling: status } : { status }),
    },
  });
}
