import { requireRecentSignIn } from '../auth/recent-sign-in.ts';
import type { Context } from './context.ts';
import { globalId } from './global-id.ts';

/**
 * Whether a mutation always needs a recent sign-in, or only when its input `id` is not the account of the viewer, or its input `by` is the
 * operator.
 */
export type RecentSignIn = 'always' | 'for other accounts' | 'on behalf of the operator';

/**
 * The mutations that need a sign-in of the last 15 minutes, so that a stolen token or API key cannot make itself permanent, act as
 * staff or publish: keys, identities, authors, groups, deletion, accounts of others, curation, an operator's acts on add-ons. What only ends access does not need one,
 * except for keys, which stop programs.
 */
export const RECENT_SIGN_IN: Readonly<Record<string, RecentSignIn>> = {
  createApiKey: 'always',
  revokeApiKey: 'always',
  linkIdentity: 'always',
  removeIdentity: 'always',
  inviteAddonAuthor: 'always',
  resendAuthorInvitation: 'always',
  updateAddonAuthor: 'always',
  removeAddonAuthor: 'always',
  deleteAccount: 'always',
  disableAccount: 'always',
  enableAccount: 'always',
  updateAccount: 'for other accounts',
  updateNotifications: 'for other accounts',
  setAccountPicture: 'for other accounts',
  createGroup: 'always',
  updateGroup: 'always',
  addGroupMember: 'always',
  removeGroupMember: 'always',
  reviveAddon: 'always',
  setAddonDisabled: 'on behalf of the operator',
  setFeatured: 'always',
  upsertReplacement: 'always',
  deleteReplacement: 'always',
  upsertCollection: 'always',
  deleteCollection: 'always',
  upsertCompatOverride: 'always',
  deleteCompatOverride: 'always',
  setRecommendationFallback: 'always',
};

/** The sentence about it in the description of a mutation; empty for mutations that need none. */
export function recentSignInNote(name: string): string {
  const rule = RECENT_SIGN_IN[name];
  if (rule === undefined) return '';
  return ` Needs a sign-in of the last 15 minutes${rule === 'always' ? '' : ` ${rule}`}, which API keys do not prove.`;
}

/** @throws {NotAuthenticatedError}, {NotPermittedError} without the recent sign-in that the mutation needs. */
export function checkRecentSignIn(name: string, input: unknown, { viewer, waivesRecentSignIn }: Context): void {
  const rule = RECENT_SIGN_IN[name];
  if (rule === undefined || waivesRecentSignIn) return;
  if (rule === 'for other accounts' && viewer.kind === 'account') {
    if ((input as { id?: unknown }).id === globalId('Account', viewer.accountId)) return;
  }
  if (rule === 'on behalf of the operator' && (input as { by?: unknown }).by !== 'operator') return;
  requireRecentSignIn(viewer);
}
