/** The facts about one action. */
interface ActionFacts {
  /** Who may read a row: the authors of its add-on and their reviewers, reviewers only, its account, or operators. */
  audience: 'authors' | 'reviewers' | 'account' | 'operators';
  /** The notification whose recipients get a mail about it (docs/decisions.md D118, D119). */
  mail?: 'reviewer_reviewed';
  /** The event of webhooks, for rows that the authors may read. Actions without one are not sent. */
  webhook?: string;
}

/** Every action of the activity log: a verb in the past tense, lower case with hyphens. */
export const ACTIONS = {
  // Review note actions (contract, Review note), and one of the submission API v5.
  approved: { audience: 'authors', mail: 'reviewer_reviewed', webhook: 'version.approved' },
  rejected: { audience: 'authors', mail: 'reviewer_reviewed', webhook: 'version.rejected' },
  'review-requested': { audience: 'authors', webhook: 'version.review_requested' },
  'more-information-requested': {
    audience: 'authors',
    mail: 'reviewer_reviewed',
    webhook: 'version.information_requested',
  },
  'super-review-requested': { audience: 'authors' },
  comment: { audience: 'reviewers' },
  'review-note': { audience: 'authors', mail: 'reviewer_reviewed' },
  'source-code-uploaded': { audience: 'authors' },

  'upload-received': { audience: 'authors', webhook: 'version.received' },
  'validation-started': { audience: 'authors' },
  'validation-broke-down': { audience: 'authors', webhook: 'version.error' },
  'validation-passed': { audience: 'authors', webhook: 'version.valid' },
  'validation-failed': { audience: 'authors', webhook: 'version.invalid' },
  'signing-started': { audience: 'authors', webhook: 'version.signing' },
  'signing-refused': { audience: 'authors', webhook: 'version.error' },
  published: { audience: 'authors', webhook: 'version.signed' },
  'version-edited': { audience: 'authors' },
  'source-code-removed': { audience: 'authors' },
  'version-deleted': { audience: 'authors', webhook: 'version.deleted' },
  'version-disabled-by-developer': { audience: 'authors', webhook: 'version.disabled' },
  'version-enabled-by-developer': { audience: 'authors', webhook: 'version.enabled' },

  'addon-created': { audience: 'authors', webhook: 'addon.created' },
  'addon-edited': { audience: 'authors' },
  'addon-deleted': { audience: 'authors', webhook: 'addon.deleted' },
  'addon-revived': { audience: 'authors', webhook: 'addon.revived' },
  'addon-disabled-by-developer': { audience: 'authors', webhook: 'addon.disabled' },
  'addon-enabled-by-developer': { audience: 'authors', webhook: 'addon.enabled' },
  'addon-disabled-by-operator': { audience: 'authors', webhook: 'addon.disabled' },
  'addon-enabled-by-operator': { audience: 'authors', webhook: 'addon.enabled' },
  'author-invited': { audience: 'authors' },
  'author-invitation-declined': { audience: 'authors' },
  'author-invitation-withdrawn': { audience: 'authors' },
  'author-added': { audience: 'authors' },
  'author-changed': { audience: 'authors' },
  'author-removed': { audience: 'authors' },
  'authors-reordered': { audience: 'authors' },
  'trusted-publisher-added': { audience: 'authors' },
  'trusted-publisher-removed': { audience: 'authors' },
  'publisher-key-created': { audience: 'authors' },
  'webhook-created': { audience: 'authors' },
  'webhook-changed': { audience: 'authors' },
  'webhook-removed': { audience: 'authors' },
  'webhook-replayed': { audience: 'authors' },
  'webhook-secret-replaced': { audience: 'authors' },
  'webhook-secret-ended': { audience: 'authors' },
  'icon-set': { audience: 'authors' },
  'icon-removed': { audience: 'authors' },
  'preview-added': { audience: 'authors' },
  'preview-edited': { audience: 'authors' },
  'preview-deleted': { audience: 'authors' },
  'persona-edited': { audience: 'authors' },
  'update-address-created': { audience: 'authors' },
  'update-address-ended': { audience: 'authors' },
  'addon-featured': { audience: 'authors' },
  'addon-unfeatured': { audience: 'authors' },

  'account-created': { audience: 'account' },
  'account-edited': { audience: 'account' },
  'notifications-changed': { audience: 'account' },
  'account-deleted': { audience: 'operators' },
  'account-disabled': { audience: 'operators' },
  'account-enabled': { audience: 'operators' },
  'account-picture-set': { audience: 'account' },
  'account-picture-removed': { audience: 'account' },
  'developer-agreement-accepted': { audience: 'account' },
  'api-key-created': { audience: 'account' },
  'api-key-revoked': { audience: 'account' },
  'identity-linked': { audience: 'account' },
  'identity-removed': { audience: 'account' },
  'access-token-created': { audience: 'account' },
  'signed-in': { audience: 'account' },
  'session-ended': { audience: 'account' },
  'permission-granted': { audience: 'operators' },
  'read-only-switched': { audience: 'operators' },
  'group-created': { audience: 'operators' },
  'group-changed': { audience: 'operators' },
  'group-member-added': { audience: 'operators' },
  'group-member-removed': { audience: 'operators' },

  'rating-created': { audience: 'account' },
  'rating-edited': { audience: 'account' },
  'rating-deleted': { audience: 'account' },
  'rating-replied': { audience: 'account' },
  'rating-flagged': { audience: 'account' },
  'rating-decided': { audience: 'operators' },

  'abuse-reported': { audience: 'operators' },
  'abuse-report-decided': { audience: 'operators' },
  'abuse-reply-sent': { audience: 'operators' },
} as const satisfies Record<string, ActionFacts>;

export type ActivityAction = keyof typeof ACTIONS;
