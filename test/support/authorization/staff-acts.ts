/* Every mutation by what it means for the owners of its object: a new one fails the test until it has its place here. */
const words = (text: string): string[] => text.trim().split(/\s+/);

/** Who gets a mail about the acts of staff on add-ons and accounts of others, by the notification. */
export const MAILED = {
  individual_contact: words(`
    updateAccount deleteAccount disableAccount enableAccount revokeApiKey endSession removeIdentity setAccountPicture
    updateNotifications updateGroup addGroupMember removeGroupMember replyToAbuseReport updateAddon setAddonIcon addPreview
    updatePreview deletePreview upsertReplacement deleteReplacement upsertCompatOverride deleteCompatOverride
    setAddonDisabled reviveAddon setFeatured endUpdateAddress`),
  // That about an approval follows with the signature.
  reviewer_reviewed: words('rejectVersion reviewPersona reviewVersions requestInformation replyToReview'),
} as const;

/** Changes of lists, texts and switches of the service, and new objects: they belong to no one else. */
export const OF_THE_SERVICE = words(`
  decideAbuseReport createCannedResponse updateCannedResponse deleteCannedResponse createGroup upsertCollection
  deleteCollection setRecommendationFallback recordStatistics addApplicationVersion upsertCategory deleteCategory
  upsertLicense deleteLicense createUpdateAddress setReadOnly setSiteNotice retryJob dropJob`);

/** Without a mail (docs/decisions.md D118): comments between reviewers and referrals; approvals until they are signed. */
export const BETWEEN_REVIEWERS = ['approveVersion', 'referVersion', 'commentOnVersion'];

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
  createApiKey signOut reportAccount reportAddon createLineComment
  updateLineComment deleteLineComment claimReview setReviewSubscription retryMail acceptDeveloperAgreement
  endOtherSessions unsubscribe submitAbuseReport startSignIn finishSignIn deleteVersion linkIdentity`);
