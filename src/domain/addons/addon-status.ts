import type { Transaction } from '../../infra/db.ts';
import { FILE_STATUS } from '../../package/enums.ts';
import { addPersonaVersions } from './persona-version.ts';
import { NOT_A_VERSION } from './stages.ts';

/** The listed versions of an add-on that are not deleted or failed, newest first, with the status of their files. */
async function listedVersions(tx: Transaction, addonId: number) {
  return tx.version.findMany({
    where: {
      addonId,
      channel: 'listed',
      deletedAt: null,
      stage: { notIn: [...NOT_A_VERSION] },
    },
    orderBy: [{ created: 'desc' }, { id: 'desc' }],
    select: { id: true, files: { select: { status: true, permissions: true } } },
  });
}

const isAlive = ({ status }: { status: number }): boolean =>
  status === FILE_STATUS.public || status === FILE_STATUS.awaitingReview;

/**
 * Derives the status and current version of an add-on from its versions. Call it in every transaction that changes a version.
 * If the add-on is not public, the current version is the newest listed one that is not rejected. A new current version also
 * sets `requiresSensitiveDataAccess`. Disabled and deleted add-ons and personas keep their status; public personas get a
 * version. An add-on with only unlisted versions stays `incomplete`, because it is not part of the public catalogue.
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

/** Manifest permissions that let an add-on read or change sensitive user data. */
const SENSITIVE: ReadonlySet<string> = new Set([
  ...['<all_urls>', 'bookmarks', 'browsingData', 'clipboardRead', 'cookies', 'devtools', 'downloads', 'find'],
  ...['geolocation', 'history', 'management', 'nativeMessaging', 'pkcs11', 'privacy', 'proxy', 'sessions', 'tabs'],
  ...['topSites', 'webNavigation', 'webRequest'],
]);

/** A match pattern whose host is `*`, with any port and path. */
const EVERY_HOST = /^(?:\*|https?|wss?|ftp):\/\/\*(?::(?:\d+|\*))?\//;

/**
 * The value of `requires_sensitive_data_access` (contract, Add-on). `permissions` contains the permissions, host permissions
 * and content script match patterns of a file, without optional permissions.
 */
export function requiresSensitiveAccess(permissions: readonly string[]): boolean {
  return permissions.some((permission) => SENSITIVE.has(permission) || EVERY_HOST.test(permission));
}
