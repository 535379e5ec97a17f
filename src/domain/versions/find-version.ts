import { canSeeDeletedVersions, canSeeVersionsOf, refuse } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool } from '../../infra/db.ts';
import type { Channel } from '../../package/words.ts';
import { type AddonRights, requireVisible } from '../addons/find-addon.ts';

/** A version as far as permissions are concerned. */
export interface VersionFacts {
  id: number;
  addonId: number;
  channel: Channel;
  stage: string;
  deletedAt: Date | null;
  /** Whether each of its files is public; a version without files has none, unless it is of a persona. */
  hasPublicFiles: boolean;
}

/** Stages of uploads that are not versions yet, or never became one. */
export const NOT_A_VERSION: readonly string[] = ['received', 'validating', 'invalid', 'error'];

/** SQL: whether the files of a version `v` are public. Versions of personas may have no file. */
export const HAS_PUBLIC_FILES = `(NOT EXISTS (SELECT FROM file f WHERE f.version_id = v.id AND f.status <> 4)
  AND (EXISTS (SELECT FROM file f WHERE f.version_id = v.id)
    OR EXISTS (SELECT FROM addon a WHERE a.id = v.addon_id AND a.type = 'persona')))`;

const FACTS = {
  name: 'version-facts',
  text: `SELECT v.id, v.addon_id AS "addonId", v.channel, v.stage, v.deleted_at AS "deletedAt",
      ${HAS_PUBLIC_FILES} AS "hasPublicFiles"
    FROM version v WHERE v.id = ANY($1)`,
};

/** What is to be known of versions by their ids; NotFoundError for an unknown one. */
export const versionFacts = perRequest<number, VersionFacts>(async (ids) => {
  const { rows } = await lookupPool.query<VersionFacts>({ ...FACTS, values: [ids] });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? new NotFoundError());
});

/**
 * Lets a viewer pass who may see a version: everybody a public one of an add-on that he may see, its authors and reviewers
 * any that has not been deleted (contract, versions).
 * @throws {NotFoundError} for a deleted version, and an upload that is no version, of somebody else; what `requireVisible`
 * throws; NotAuthenticatedError or NotPermittedError for another version that is not public.
 */
export function requireVisibleVersion(viewer: Viewer, addon: AddonRights, version: VersionFacts): void {
  requireVisible(viewer, addon);
  const { channel, stage, deletedAt, hasPublicFiles } = version;
  if (deletedAt !== null) {
    if (canSeeDeletedVersions(viewer)) return;
    throw new NotFoundError();
  }
  const isVersion = !NOT_A_VERSION.includes(stage);
  if (isVersion && channel === 'listed' && hasPublicFiles) return;
  if (canSeeVersionsOf(viewer, addon, channel)) return;
  throw isVersion ? refuse(viewer) : new NotFoundError();
}
