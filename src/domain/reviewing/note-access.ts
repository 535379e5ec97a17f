import { refuse } from '../../auth/permissions.ts';
import { canReadReviewerComments, canReadReviewNotes } from '../../auth/review-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import { type AddonRights, disabledFlags, findServedAddon, requireVisible } from '../addons/find-addon.ts';
import { isOneOf, NOT_A_VERSION } from '../addons/stages.ts';
import {
  findVersionByNumber,
  NO_VERSION,
  type VersionFacts,
  versionFacts,
  versionWithAddon,
} from '../versions/find-version.ts';
import type { VersionRefInput } from '../versions/queries.ts';

/** A thread that the viewer may read. `seesComments`: with the comments between reviewers. */
export interface ReadableThread {
  versionId: number;
  seesComments: boolean;
}

/**
 * Throws unless the viewer may read the notes of the version (docs/decisions.md D113). `version` is null when it does not exist.
 * @throws {NotFoundError} for a deleted add-on, an unknown version, one of another add-on, and an upload of other accounts that is
 * not a version; NotAuthenticatedError or NotPermittedError, with the two disabled flags for an add-on that is not public.
 */
function requireReader(viewer: Viewer, addon: AddonRights, version: VersionFacts | null): ReadableThread {
  if (addon.deletedAt !== null) throw new NotFoundError();
  if (version === null || version.addonId !== addon.id) {
    requireVisible(viewer, addon);
    throw new NotFoundError();
  }
  const { id: versionId, stage } = version;
  if (canReadReviewNotes(viewer, addon, version)) {
    return { versionId, seesComments: canReadReviewerComments(viewer, addon, version) };
  }
  requireVisible(viewer, addon);
  throw isOneOf(NOT_A_VERSION, stage) ? new NotFoundError() : refuse(viewer, disabledFlags(addon));
}

/** The version's facts; null for an unknown one. */
async function factsOrNull(context: Context, versionId: number): Promise<VersionFacts | null> {
  const [facts] = await versionFacts(context).loadMany([versionId]);
  if (facts instanceof NotFoundError || facts === undefined) return null;
  if (facts instanceof Error) throw facts;
  return facts;
}

/** The thread of a version of the add-on that `by` names. @throws what `requireReader` throws; {NotFoundError} for hidden types. */
export async function threadOfAddon(
  context: Context,
  by: AddonRef,
  { databaseId, number }: typeof VersionRefInput.$inferInput,
): Promise<ReadableThread> {
  const addon = await findServedAddon(context, by);
  if (addon.deletedAt !== null) throw new NotFoundError();
  const versionId = databaseId ?? (await findVersionByNumber(context, addon.id, number ?? '')) ?? NO_VERSION;
  return requireReader(context.viewer, addon, await factsOrNull(context, versionId));
}

/** The thread of a version. @throws what `requireReader` throws. */
export async function threadOfVersion(context: Context, versionId: number): Promise<ReadableThread> {
  const { facts, addon } = await versionWithAddon(context, versionId);
  return requireReader(context.viewer, addon, facts);
}
