/* Every mutation by what it means for the owners of its object: a new one fails the test until it has its place here. */
import type { TestApp } from '../app.ts';
import { globalId } from '../global-ids.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Who gets a mail about the acts of staff on add-ons and accounts of others, by the notification. */
export const MAILED = {
  individual_contact: words(`
    updateAccount deleteAccount disableAccount enableAccount revokeApiKey endSession removeIdentity setAccountPicture
    updateNotifications updateGroup addGroupMember removeGroupMember replyToAbuseReport updateAddon setAddonIcon addPreview
    updatePreview deletePreview upsertReplacement deleteReplacement upsertCompatOverride deleteCompatOverride
    setAddonDisabled reviveAddon setFeatured endUpdateAddress updateRating deleteRating replyToRating decideRating`),
  // That about an approval follows with the signature.
  reviewer_reviewed: words('rejectVersion reviewPersona reviewVersions requestInformation replyToReview'),
} as const;

/** Changes of lists, texts and switches of the service, and new objects: they belong to no one else. */
export const OF_THE_SERVICE = words(`
  decideAbuseReport createCannedResponse updateCannedResponse deleteCannedResponse createGroup upsertCollection
  deleteCollection setRecommendationFallback setDiscovery setHero setBrowserMappings upsertDiscoveryEntry
  deleteDiscoveryEntry upsertBrowserMapping deleteBrowserMapping createHeroEntry updateHeroEntry
  deleteHeroEntry updateHeroSecondary recordStatistics addApplicationVersion upsertCategory deleteCategory
  upsertLicense deleteLicense createUpdateAddress setReadOnly setSiteNotice retryJob dropJob createWebhook
  updateWebhook replaceWebhookSecret endPreviousWebhookSecret removeWebhook replayWebhookDelivery`);

/** Without a mail (docs/decisions.md D118): comments between reviewers and referrals; approvals until they are signed. */
export const BETWEEN_REVIEWERS = ['approveVersion', 'referVersion', 'commentOnVersion'];

/** Its audit entry is in test/rest/super-create.test.ts. */
export const OF_REST = 'superCreate';

/** Mutations of REST that run the function of another one. */
export const SAME_AS: Readonly<Record<string, string>> = {
  editAccount: 'updateAccount',
  receiveMail: 'replyToReview',
  setNotifications: 'updateNotifications',
};

/** Changes of authors to their add-ons and of people to their own accounts, which no permission allows to others; reports; claims and drafts. */
export const NOT_AUDITED = words(`
  inviteAddonAuthor resendAuthorInvitation withdrawAuthorInvitation acceptAuthorInvitation declineAuthorInvitation
  attachSource createPersona createUpload deleteAddon removeAddonAuthor reorderAddonAuthors submitAddon submitVersion
  addTrustedPublisher exchangePublisherToken removeTrustedPublisher updateAddonAuthor updatePersona updateVersion
  createApiKey signOut reportAccount reportAddon reportCollection reportRating createLineComment createCollection
  updateCollection removeCollection addCollectionAddon updateCollectionAddon removeCollectionAddon
  updateLineComment deleteLineComment claimReview setReviewSubscription retryMail acceptDeveloperAgreement
  endOtherSessions unsubscribe submitAbuseReport startSignIn finishSignIn deleteVersion linkIdentity
  createRating flagRating`);

type Act = readonly [string, () => Promise<object>];

/** The writer of a rating gets a mail about the reply, too, unless it is switched off. */
const MUTED = `INSERT INTO notification_setting (account_id, name, enabled) VALUES ($1, 'reply', false) ON CONFLICT DO NOTHING`;

/** The acts of staff on ratings, by mutation: the action of the audit row, and the input, for ratings of an account on an add-on. */
export function ratingActs(app: TestApp, of: () => readonly unknown[]): Record<string, Act> {
  const make = async (also?: string) => {
    if (also !== undefined) await app.sql(also, [of()[1]]);
    const insert = 'INSERT INTO rating (addon_id, account_id, score) VALUES ($1, $2, 3) RETURNING id';
    const [row] = await app.sql<{ id: number }>(insert, [...of()]);
    return { id: globalId('Rating', row?.id) };
  };
  return {
    updateRating: ['rating-edited', async () => ({ ...(await make()), body: 'Changed.' })],
    deleteRating: ['rating-deleted', () => make()],
    replyToRating: ['rating-replied', async () => ({ ...(await make(MUTED)), body: 'x' })],
    decideRating: ['rating-hidden', async () => ({ ...(await make()), decision: 'HIDE' })],
  };
}
