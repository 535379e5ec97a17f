import { OPERATOR_ID } from './credential-account.ts';
import { canGrant } from './operator-permissions.ts';
import { holds } from './permissions.ts';
import type { Viewer } from './viewer.ts';

/* The permission rules of acts on accounts, as pure functions. */

/** An account that a viewer acts on. */
export interface TargetAccount {
  accountId: number;
  /** The permission rules of its groups. */
  rules: readonly string[];
}

/** Holders of `Users:Edit`, who see the private fields of every account. */
export function canEditAnyAccount(viewer: Viewer): boolean {
  return holds(viewer, 'Users:Edit');
}

const isOwnAccount = (viewer: Viewer, accountId: number): boolean =>
  viewer.kind === 'account' && viewer.accountId === accountId;

/** The private fields of an account: its own viewer and holders of `Users:Edit` (contract, Account). */
export function canSeePrivateAccount(viewer: Viewer, accountId: number): boolean {
  return isOwnAccount(viewer, accountId) || canEditAnyAccount(viewer);
}

/**
 * Whether the rank of a viewer allows acts on an account: its own, and each all of whose rules the viewer could grant. So no holder of
 * a few rules acts on an administrator.
 */
export function canActOn(viewer: Viewer, { accountId, rules }: TargetAccount): boolean {
  return isOwnAccount(viewer, accountId) || rules.every((rule) => canGrant(viewer, rule));
}

/**
 * Whether a viewer may change, disable or delete an account, and end its keys and sessions: the account itself, and holders of
 * `Users:Edit` whose rank allows it.
 */
export function canEditAccount(viewer: Viewer, target: TargetAccount): boolean {
  return canSeePrivateAccount(viewer, target.accountId) && canActOn(viewer, target);
}

/** A collection as far as rules depend on it. */
interface CollectionFacts {
  accountId: number;
  isPublic: boolean;
}

/** Accounts change their own collections, holders of `Admin:Curation` those of the operator. */
export function canEditCollectionsOf(viewer: Viewer, accountId: number): boolean {
  return accountId === OPERATOR_ID ? holds(viewer, 'Admin:Curation') : isOwnAccount(viewer, accountId);
}

/** All viewers see public collections, others those who may change them. */
export function canSeeCollection(viewer: Viewer, { accountId, isPublic }: CollectionFacts): boolean {
  return isPublic || canEditCollectionsOf(viewer, accountId);
}
