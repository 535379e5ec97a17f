import { ADDON_TYPES, type Channel } from '../package/enums.ts';
import {
  type AddonFacts,
  canEditAnyAddon,
  canInspect,
  canReadReferral,
  canReview,
  canSeeDeletedVersions,
  type DownloadFacts,
  holds,
  isAuthor,
  isUnlistedReviewer,
  permit,
  type ReadVersion,
} from './permissions.ts';
import type { SignedIn, Viewer } from './viewer.ts';

/* The permission rules of the thread of a version, as pure functions. */

/**
 * Who decides about a version: the reviewers of its type and channel; about one referred to an administrator, holders of
 * `Addons:Edit` (docs/decisions.md D116). @throws what `refuse` returns.
 */
export function requireDecider(
  viewer: Viewer,
  addon: { type: string },
  channel: Channel,
  isReferred: boolean,
): SignedIn {
  return permit(viewer, isReferred ? canEditAnyAddon(viewer) : canReview(viewer, addon, channel));
}

/** Authors and the reviewers of a type and channel reply in the thread of a version. @throws what `refuse` returns. */
export function requireReplier(viewer: Viewer, addon: AddonFacts, channel: Channel): SignedIn & { isAuthor: boolean } {
  const asAuthor = isAuthor(viewer, addon.authors);
  return { ...permit(viewer, asAuthor || canReview(viewer, addon, channel)), isAuthor: asAuthor };
}

/** Review notes of a version: the add-on's authors, and those who also read comments between reviewers (docs/decisions.md D113). */
export function canReadReviewNotes(viewer: Viewer, addon: AddonFacts, version: ReadVersion): boolean {
  return isAuthor(viewer, addon.authors) || canReadReviewerComments(viewer, addon, version);
}

/** Comments between reviewers of a version: who may inspect its type and channel, reviewers of unlisted versions and readers of its referral. */
export function canReadReviewerComments(viewer: Viewer, { type }: { type: string }, version: ReadVersion): boolean {
  return isUnlistedReviewer(viewer) || canInspect(viewer, type, version.channel) || canReadReferral(viewer, version);
}

/** What reviewers compare a version with: the reviewers of its type and channel, and readers of its referral. */
export function canReadReviewFacts(viewer: Viewer, addon: { type: string }, version: ReadVersion): boolean {
  return canReview(viewer, addon, version.channel) || canReadReferral(viewer, version);
}

/** A version whose source code is requested. */
type SourceFacts = DownloadFacts & Pick<ReadVersion, 'isInReferral'>;

/**
 * Source code attached to a version: the add-on's authors, reviewers of the channel and readers of its referral. That of deleted
 * versions: reviewers with `Addons:ViewDeleted`.
 */
export function canReadSource(viewer: Viewer, { channel, deletedAt, addon, isInReferral }: SourceFacts): boolean {
  const inspects = canInspect(viewer, addon.type, channel === 'listed' ? 'listed' : 'unlisted');
  if (deletedAt !== null || addon.deletedAt !== null) return inspects && canSeeDeletedVersions(viewer);
  return inspects || isAuthor(viewer, addon.authors) || canReadReferral(viewer, { isInReferral });
}

/** The files of a package, one by one: who may read source code, and every viewer of a public one whose developers made its source public. */
export function canReadCode(
  viewer: Viewer,
  version: SourceFacts & { isPublic: boolean; isSourcePublic: boolean },
): boolean {
  return (version.isPublic && version.isSourcePublic) || canReadSource(viewer, version);
}

/** Who decides about versions of any type and channel. */
export function isReviewer(viewer: Viewer): boolean {
  return isUnlistedReviewer(viewer) || ADDON_TYPES.some((type) => canReview(viewer, { type }, 'listed'));
}

/** The queue: reviewers see what they decide about, and holders of `Addons:Edit` the versions that are referred to an administrator. */
export function canOpenQueue(viewer: Viewer): boolean {
  return isReviewer(viewer) || canEditAnyAddon(viewer);
}

/** Canned responses: reviewers of any type and channel, and their keepers. */
export function canUseCannedResponses(viewer: Viewer): boolean {
  return isReviewer(viewer) || holds(viewer, 'Admin:Review');
}

/** Who changes canned responses. */
export function canKeepCannedResponses(viewer: Viewer): boolean {
  return holds(viewer, 'Admin:Review');
}
