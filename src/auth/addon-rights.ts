import {
  type AddonVisibility,
  canDeleteAddon,
  canDisableAddon,
  canEditListing,
  canEditReleases,
  canManageAddon,
  canReview,
  canSeeAddon,
  canSeeVersionsOf,
  canSwitchAddon,
  canUploadVersion,
  holds,
  isAuthor,
} from './permissions.ts';
import { canReplyTo } from './rating-permissions.ts';
import type { Viewer } from './viewer.ts';

/* What a viewer may do with one add-on, as pure functions: all rules of permissions.ts that pages depend on. */

/** The properties of an add-on that the rights to it depend on. */
interface RightsFacts extends AddonVisibility {
  publicStats: boolean;
}

/** Daily statistics: every viewer if the developers made them public, otherwise its authors and holders of `Stats:View`. */
export function canSeeStatistics(
  viewer: Viewer,
  { publicStats, authors }: Pick<RightsFacts, 'publicStats' | 'authors'>,
): boolean {
  return publicStats || isAuthor(viewer, authors) || holds(viewer, 'Stats:View');
}

/** Why an add-on is not public: all who may see it while it is not, so authors, holders of `Addons:Edit` and its reviewers. */
export function canSeeVisibilityReasons(viewer: Viewer, addon: AddonVisibility): boolean {
  return canSeeAddon(viewer, { ...addon, status: addon.status === 'public' ? 'incomplete' : addon.status });
}

const RULES = {
  edit: canEditListing,
  release: canEditReleases,
  own: canManageAddon,
  delete: canDeleteAddon,
  upload: (viewer, { authors }) => canUploadVersion(viewer, authors),
  disable: (viewer, { authors }) => canSwitchAddon(viewer, authors),
  administer: canDisableAddon,
  inspect: (viewer, addon) => canSeeVersionsOf(viewer, addon, 'listed'),
  inspect_unlisted: (viewer, addon) => canSeeVersionsOf(viewer, addon, 'unlisted'),
  review: (viewer, addon) => canReview(viewer, addon, 'listed'),
  review_unlisted: (viewer, addon) => canReview(viewer, addon, 'unlisted'),
  see_statistics: canSeeStatistics,
  rate: (viewer, { authors }) => viewer.kind === 'account' && !isAuthor(viewer, authors),
  reply_to_ratings: (viewer, { authors }) => canReplyTo(viewer, authors),
} as const satisfies Record<string, (viewer: Viewer, addon: RightsFacts) => boolean>;

export type AddonRight = keyof typeof RULES;

const ADDON_RIGHTS = Object.keys(RULES) as AddonRight[];

/** Rights to a deleted add-on, which cannot be changed except by its restoration. */
const RIGHTS_TO_DELETED: readonly AddonRight[] = ['administer', 'inspect', 'inspect_unlisted', 'see_statistics'];

/** What a viewer who may see the add-on may do with it. */
export function rightsTo(viewer: Viewer, addon: RightsFacts): AddonRight[] {
  return ADDON_RIGHTS.filter(
    (right) => (addon.deletedAt === null || RIGHTS_TO_DELETED.includes(right)) && RULES[right](viewer, addon),
  );
}
