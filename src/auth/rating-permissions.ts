import { canModerate } from './operator-permissions.ts';
import { type Author, canEditAnyAddon, isAuthor } from './permissions.ts';
import type { Viewer } from './viewer.ts';

/* Permission rules of ratings and of the replies to them, as pure functions. That the viewer may see the add-on is checked apart. */

/** What the rules depend on. */
export interface RatingFacts {
  accountId: number;
  isReply: boolean;
  /** Also a reply to a deleted rating. */
  isDeleted: boolean;
  isOnHold: boolean;
  /** The authors of the add-on. */
  authors: readonly Author[];
}

const isWriter = (viewer: Viewer, { accountId }: RatingFacts): boolean =>
  viewer.kind === 'account' && viewer.accountId === accountId;

/** Holders of `Addons:Edit` find deleted ratings. */
export function canSeeDeletedRatings(viewer: Viewer): boolean {
  return canEditAnyAddon(viewer);
}

/** Holders of `AbuseReports:Edit` and of `Addons:Edit` find ratings that wait for a decision. */
export function canSeeHeldRatings(viewer: Viewer): boolean {
  return canModerate(viewer) || canEditAnyAddon(viewer);
}

/** Deleted ratings: holders of `Addons:Edit`. Those on hold: their writer, and those who decide. */
export function canSeeRating(viewer: Viewer, rating: RatingFacts): boolean {
  if (rating.isDeleted) return canSeeDeletedRatings(viewer);
  return !rating.isOnHold || isWriter(viewer, rating) || canSeeHeldRatings(viewer);
}

/**
 * The writer edits and deletes a rating or reply, and so do holders of `Addons:Edit`, but no author of the add-on what others wrote about
 * it.
 */
export function canEditRating(viewer: Viewer, rating: RatingFacts): boolean {
  if (rating.isDeleted) return false;
  return isWriter(viewer, rating) || (canEditAnyAddon(viewer) && !isAuthor(viewer, rating.authors));
}

/** Authors of an add-on and holders of `Addons:Edit` reply to its ratings. */
export function canReplyTo(viewer: Viewer, authors: readonly Author[]): boolean {
  return isAuthor(viewer, authors) || canEditAnyAddon(viewer);
}

/** Every account flags what others wrote. */
export function canFlagRating(viewer: Viewer, rating: RatingFacts): boolean {
  return viewer.kind === 'account' && !isWriter(viewer, rating);
}

/** Moderators decide about flags and holds, but neither the writer nor an author of the add-on. */
export function canDecideRating(viewer: Viewer, rating: RatingFacts): boolean {
  return canSeeHeldRatings(viewer) && !isWriter(viewer, rating) && !isAuthor(viewer, rating.authors);
}
