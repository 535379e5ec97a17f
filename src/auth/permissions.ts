import { NotAuthenticatedError, NotPermittedError } from '../errors.ts';
import type { Channel } from '../package/enums.ts';
import { isPublicAddon } from './public-addon.ts';
import type { SignedIn, Viewer } from './viewer.ts';

/**
 * Permission rules as pure functions: `can…` returns a boolean, `require…` throws. This file has those of add-ons and versions;
 * account-permissions.ts, addon-rights.ts, review-permissions.ts, rating-permissions.ts, report-permissions.ts and operator-permissions.ts
 * have the others. Whatever they do not allow is denied.
 * Authorship and reviewer rules are independent: an author may decide about versions of their own add-on only with the reviewer rule of its type and channel.
 */

/** An author of an add-on (contract, Account: owner or developer). */
export interface Author {
  accountId: number;
  role?: string;
}

/** The properties of an add-on that rules depend on. */
export interface AddonFacts {
  type: string;
  authors: readonly Author[];
}

/** The rules that the service checks. Operators may grant others, which front ends can read from the account. */
export type Permission =
  | 'Accounts:SuperCreate'
  | 'AbuseReports:Edit'
  | 'Addons:Edit'
  | 'Addons:Review'
  | 'Addons:PostReview'
  | 'Addons:ContentReview'
  | 'Addons:ThemeReview'
  | 'Addons:ReviewUnlisted'
  | 'Addons:SubmitPrivileged'
  | 'Addons:ViewDeleted'
  | 'Admin:Audit'
  | 'Admin:Catalogue'
  | 'Admin:Curation'
  | 'Admin:Review'
  | 'Admin:Groups'
  | 'Admin:Mail'
  | 'Admin:Service'
  | 'Experiments:Submit'
  | 'Personas:Review'
  | 'Stats:View'
  | 'Users:Edit';

const RULE_PART = /^(?:\*|[A-Za-z][A-Za-z0-9]*)$/;

/**
 * Reads a rule of the form `app:action` (contract, Account). A part is letters and digits, or `*` alone.
 * Returns null for anything else, so that a mistyped rule grants nothing.
 */
export function parseRule(text: string): { app: string; action: string } | null {
  const [app = '', action = '', ...rest] = text.split(':');
  return rest.length === 0 && RULE_PART.test(app) && RULE_PART.test(action) ? { app, action } : null;
}

/** Whether one of the rules allows this action of this app; `*` matches any whole part. */
export function hasPermission(rules: readonly string[], app: string, action: string): boolean {
  return rules.some((text) => {
    const rule = parseRule(text);
    return rule !== null && (rule.app === '*' || rule.app === app) && (rule.action === '*' || rule.action === action);
  });
}

/** Whether a viewer has a permission, by a rule of one of their groups. */
export function holds(viewer: Viewer, permission: Permission): boolean {
  const [app = '', action = ''] = permission.split(':');
  return viewer.kind === 'account' && hasPermission(viewer.rules, app, action);
}

/** Whether the viewer is one of the authors, with `role` if it is given. */
export function isAuthor(viewer: Viewer, authors: readonly Author[], role?: 'owner'): boolean {
  if (viewer.kind !== 'account') return false;
  return authors.some(
    (author) => author.accountId === viewer.accountId && (role === undefined || author.role === role),
  );
}

/**
 * The error for a viewer without permission: 401 for anonymous viewers, 403 for signed-in ones
 * (contract, Errors). Returned, not thrown. `flags` are the two disabled flags of an add-on that is not public.
 */
export function refuse(viewer: Viewer, flags?: Record<string, boolean>): NotAuthenticatedError | NotPermittedError {
  return viewer.kind === 'anonymous'
    ? new NotAuthenticatedError(viewer.problem, undefined, flags)
    : new NotPermittedError(undefined, flags);
}

/** The viewer as an account. @throws {NotAuthenticatedError} for an anonymous one. */
export function requireSignedIn(viewer: Viewer): SignedIn {
  if (viewer.kind === 'anonymous') throw refuse(viewer);
  return viewer;
}

/** The account of a viewer who is allowed to do something. @throws what `refuse` returns for others. */
export function permit(viewer: Viewer, allowed: boolean): SignedIn {
  if (!allowed) throw refuse(viewer);
  return requireSignedIn(viewer);
}

/** The account of a holder of a permission. @throws what `refuse` returns for other viewers. */
export function requirePermission(viewer: Viewer, permission: Permission): SignedIn {
  return permit(viewer, holds(viewer, permission));
}

/** Authors and holders of `Addons:Edit` see everything about an add-on that its developers see. */
export function canEditAddon(viewer: Viewer, authors: readonly Author[]): boolean {
  return isAuthor(viewer, authors) || canEditAnyAddon(viewer);
}

/** Holders of `Addons:Edit` edit the listing of any add-on. The rule gives no right to releases, legal terms and authors. */
export function canEditAnyAddon(viewer: Viewer): boolean {
  return holds(viewer, 'Addons:Edit');
}

/** The properties that decide about changes to an add-on. */
export interface EditedAddon {
  status: string;
  authors: readonly Author[];
}

/** Authors edit the listing unless the operator has disabled the add-on; holders of `Addons:Edit` always. */
export function canEditListing(viewer: Viewer, { status, authors }: EditedAddon): boolean {
  return canEditAnyAddon(viewer) || (status !== 'disabled' && isAuthor(viewer, authors));
}

/**
 * Authors, and no staff, change what clients install and on which terms: versions, their source code, ranges and state, the pictures of
 * a persona, and whether the source is public. Not while the operator has disabled the add-on.
 */
export function canEditReleases(viewer: Viewer, { status, authors }: EditedAddon): boolean {
  return status !== 'disabled' && isAuthor(viewer, authors);
}

/** Owners, likewise, edit the authors, licence, EULA and privacy policy. */
export function canManageAddon(viewer: Viewer, { status, authors }: EditedAddon): boolean {
  return status !== 'disabled' && isAuthor(viewer, authors, 'owner');
}

/** Authors disable and enable an add-on as its developers. */
export function canSwitchAddon(viewer: Viewer, authors: readonly Author[]): boolean {
  return isAuthor(viewer, authors);
}

/** Owners delete an add-on unless the operator has disabled it: a new upload would revive it without the flag. */
export function canDeleteAddon(viewer: Viewer, { status, authors }: EditedAddon): boolean {
  return status !== 'disabled' && isAuthor(viewer, authors, 'owner');
}

/** Unlisted authors: visible to authors and holders of `Addons:Edit`. */
export function canSeeAllAuthors(viewer: Viewer, authors: readonly Author[]): boolean {
  return canEditAddon(viewer, authors);
}

/** Holders of `Addons:Edit` disable any add-on as operators, and restore deleted ones. */
export function canDisableAddon(viewer: Viewer): boolean {
  return canEditAnyAddon(viewer);
}

/** The properties that decide about the visibility of an add-on. */
export interface AddonVisibility extends AddonFacts {
  status: string;
  isDisabledByDeveloper: boolean;
  deletedAt: Date | null;
  hasListedVersion: boolean;
}

/**
 * Whether a viewer may see an add-on. Public add-ons: every viewer. Others: authors, holders of `Addons:Edit` and
 * its reviewers. Deleted ones: reviewers who also hold `Addons:ViewDeleted` (contract, Add-on detail).
 */
export function canSeeAddon(viewer: Viewer, addon: AddonVisibility): boolean {
  // A persona is reviewed as a whole.
  const isListed = addon.hasListedVersion || addon.type === 'persona';
  const reviews = isUnlistedReviewer(viewer) || (isListed && canInspect(viewer, addon.type, 'listed'));
  if (addon.deletedAt !== null) return reviews && canSeeDeletedVersions(viewer);
  if (isPublicAddon(addon)) return true;
  return reviews || canEditAddon(viewer, addon.authors);
}

/** Non-public versions of a channel: visible to the add-on's authors and reviewers of the channel. */
export function canSeeVersionsOf(viewer: Viewer, addon: AddonFacts, channel: Channel): boolean {
  return isAuthor(viewer, addon.authors) || canInspect(viewer, addon.type, channel);
}

/** The properties of a version that decide about who may read it. */
export interface ReadVersion {
  channel: Channel;
  /** Whether it is referred to an administrator, or approved and compared with one that is. */
  isInReferral: boolean;
}

/** Holders of `Addons:Edit` read what they decide about: a version that is referred, with what it is compared with (docs/decisions.md D116). */
export function canReadReferral(viewer: Viewer, { isInReferral }: Pick<ReadVersion, 'isInReferral'>): boolean {
  return isInReferral && canEditAnyAddon(viewer);
}

/** A version that is not public: the add-on's authors, reviewers of its channel and readers of its referral. */
export function canSeeVersion(viewer: Viewer, addon: AddonFacts, version: ReadVersion): boolean {
  return canSeeVersionsOf(viewer, addon, version.channel) || canReadReferral(viewer, version);
}

/** Deleted versions: holders of `Addons:ViewDeleted`. */
export function canSeeDeletedVersions(viewer: Viewer): boolean {
  return holds(viewer, 'Addons:ViewDeleted');
}

/** Whether the viewer may review unlisted versions of all types. */
export function isUnlistedReviewer(viewer: Viewer): boolean {
  return holds(viewer, 'Addons:ReviewUnlisted');
}

/** The rule for reviewing listed versions of a type (contract, Account: permissions). */
function reviewPermission(type: string): Permission {
  if (type === 'persona') return 'Personas:Review';
  return type === 'statictheme' ? 'Addons:ThemeReview' : 'Addons:Review';
}

/** Whether a viewer may approve or reject versions of this type of add-on in this channel. */
export function canReview(viewer: Viewer, { type }: { type: string }, channel: Channel): boolean {
  return channel === 'unlisted' ? isUnlistedReviewer(viewer) : holds(viewer, reviewPermission(type));
}

/** The reviewer's account. @throws what `refuse` returns for viewers without the rule. */
export function requireReviewer(viewer: Viewer, addon: { type: string }, channel: Channel): SignedIn {
  return permit(viewer, canReview(viewer, addon, channel));
}

/**
 * Whether a viewer may see what awaits review in a channel: its reviewers, and for listed versions of extensions
 * holders of the rules for review after publication and for content review.
 */
export function canInspect(viewer: Viewer, type: string, channel: Channel): boolean {
  if (canReview(viewer, { type }, channel)) return true;
  if (channel === 'unlisted' || reviewPermission(type) !== 'Addons:Review') return false;
  return holds(viewer, 'Addons:PostReview') || holds(viewer, 'Addons:ContentReview');
}

/** The status of an upload: visible to authors and to holders of `Addons:Edit`, who may not upload. */
export function canSeeUploadStatus(viewer: Viewer, authors: readonly Author[]): boolean {
  return canEditAddon(viewer, authors);
}

/** Only authors upload versions of an add-on; `Addons:Edit` does not suffice (contract, Signing: 403). */
export function canUploadVersion(viewer: Viewer, authors: readonly Author[]): boolean {
  return isAuthor(viewer, authors);
}

/** Packages signed with the operator's privileged class need `Addons:SubmitPrivileged` (contract, Signing: 400). */
export function canSubmitPrivileged(viewer: Viewer): boolean {
  return holds(viewer, 'Addons:SubmitPrivileged');
}

/** Packages with `experiment_apis` need `Experiments:Submit`. */
export function canSubmitExperiments(viewer: Viewer): boolean {
  return holds(viewer, 'Experiments:Submit');
}

/** The files of an upload: viewers who may see its status, and reviewers of the channel for any type. */
export function canSeeUploadFiles(viewer: Viewer, authors: readonly Author[], channel: string): boolean {
  if (canSeeUploadStatus(viewer, authors)) return true;
  if (channel !== 'listed') return isUnlistedReviewer(viewer);
  return ['extension', 'statictheme', 'persona'].some((type) => canInspect(viewer, type, 'listed'));
}

/** A non-public version whose file is requested. */
export interface DownloadFacts {
  channel: string;
  deletedAt: Date | null;
  addon: AddonFacts & { deletedAt: Date | null };
}

/**
 * Non-public files: the add-on's authors, holders of `Addons:Edit` and reviewers of the channel
 * (contract, Signing: file download). Deleted ones: reviewers with `Addons:ViewDeleted`.
 */
export function canDownloadFile(viewer: Viewer, { channel, deletedAt, addon }: DownloadFacts): boolean {
  const inspects = canInspect(viewer, addon.type, channel === 'listed' ? 'listed' : 'unlisted');
  if (deletedAt !== null || addon.deletedAt !== null) return inspects && canSeeDeletedVersions(viewer);
  return inspects || canEditAddon(viewer, addon.authors);
}
