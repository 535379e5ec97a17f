import type { Transaction } from '../../infra/db.ts';
import { encodeApplicationVersion } from '../../package/application-version.ts';
import { APPLICATIONS, FILE_STATUS } from '../../package/enums.ts';
import { NOT_A_VERSION, stagesSql } from './stages.ts';

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

const CODES = ['1.0', '*'].map(encodeApplicationVersion).join(', ');

/** A listed version `v` that is neither deleted, failed, unfinished nor rejected. */
const IS_PERSONA_VERSION = `v.channel = 'listed' AND v.deleted_at IS NULL AND v.stage NOT IN ${stagesSql(NOT_A_VERSION)}
  AND NOT EXISTS (SELECT FROM file f WHERE f.version_id = v.id AND f.status = ${FILE_STATUS.disabled})`;

/**
 * SQL that adds a listed version to the public personas without one among the add-ons `a` that match `condition` (SQL), so
 * that `current_version` is an object (contract, Add-on). The version is compatible with all applications, because clients
 * expect a range for theirs. Its number is 1.0, or the first free one after it. It has no file.
 */
export const addPersonaVersions = (condition: string): string => `
  WITH made AS (
    INSERT INTO version (addon_id, version, channel, stage, license_id, reviewed, created)
    SELECT a.id, (
        SELECT '1.' || n FROM generate_series(0, (SELECT count(*) FROM version WHERE addon_id = a.id)) AS n
        WHERE NOT EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND v.version = '1.' || n) ORDER BY n LIMIT 1
      ), 'listed', 'signed', a.license_id, a.last_updated, a.last_updated
    FROM addon a WHERE ${condition} AND a.type = 'persona' AND a.status = 'public'
      AND NOT EXISTS (SELECT FROM version v WHERE v.addon_id = a.id AND ${IS_PERSONA_VERSION})
    ORDER BY a.id RETURNING id
  )
  INSERT INTO version_compatibility (version_id, app, min, max, min_code, max_code)
  SELECT id, app, '1.0', '*', ${CODES}
  FROM made, unnest(ARRAY[${APPLICATIONS.map((app) => `'${app}'`).join(', ')}]) AS app`;
