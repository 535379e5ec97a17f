/**
 * Whether a mutation always needs a recent sign-in, or only when its input `id` is not the account of the viewer, or its input `by` is the
 * operator.
 */
type RecentSignIn = 'always' | 'for other accounts' | 'on behalf of the operator';

/**
 * The mutations that need a sign-in of the last 15 minutes, so that a stolen token or API key cannot make itself permanent, act as
 * staff or publish: keys, identities, authors, groups, deletion, accounts of others, curation, an operator's acts on add-ons. What only ends access does not need one,
 * except for keys, which stop programs.
 */
export const RECENT_SIGN_IN: Readonly<Record<string, RecentSignIn>> = {
  createApiKey: 'always',
  revokeApiKey: 'always',
  addTrustedPublisher: 'always',
  createWebhook: 'always',
  updateWebhook: 'always',
  replaceWebhookSecret: 'always',
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
  setDiscovery: 'always',
  upsertDiscoveryEntry: 'always',
  deleteDiscoveryEntry: 'always',
  setHero: 'always',
  createHeroEntry: 'always',
  updateHeroEntry: 'always',
  deleteHeroEntry: 'always',
  updateHeroSecondary: 'always',
  setBrowserMappings: 'always',
  upsertBrowserMapping: 'always',
  deleteBrowserMapping: 'always',
};
