/* The documented values of enumerations (contract, Enumerations). */

export const ADDON_TYPES = [
  'extension',
  'theme',
  'dictionary',
  'search',
  'language',
  'persona',
  'statictheme',
] as const;
/** The types that count as themes of an account and in statistics. */
export const THEME_TYPES = [
  'theme',
  'statictheme',
  'persona',
] as const satisfies readonly (typeof ADDON_TYPES)[number][];

export const APPLICATIONS = ['desktop_browser', 'mobile_browser', 'suite_app', 'mail_client'] as const;
export const PLATFORMS = ['all', 'mac', 'linux', 'android', 'windows'] as const;
export const CHANNELS = ['listed', 'unlisted'] as const;

/** Ids of the applications (contract, Compat override item): the number in REST, and the guid in manifests. */
export const APPLICATION_IDS = {
  desktop_browser: { id: 1, guid: '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}' },
  mail_client: { id: 18, guid: '{3550f703-e582-4d05-9a08-453d09bdfdc6}' },
  suite_app: { id: 59, guid: '{92650c4d-4b8e-4d2a-b7eb-24ecf4f6b63a}' },
  mobile_browser: { id: 61, guid: '{aa3c5121-dab2-40e2-81ca-7ea25febc110}' },
} as const;

export type AddonType = (typeof ADDON_TYPES)[number];
export type Application = (typeof APPLICATIONS)[number];
export type Platform = (typeof PLATFORMS)[number];
export type Channel = (typeof CHANNELS)[number];

/** The documented states of an add-on; most are legacy (contract, Add-on status values). */
export const ADDON_STATUSES = [
  'lite',
  'public',
  'deleted',
  'pending',
  'disabled',
  'rejected',
  'nominated',
  'incomplete',
  'unreviewed',
  'lite-nominated',
  'review-pending',
] as const;

/** The states of a file as the database and REST write them (contract, File). */
export const FILE_STATUS = { awaitingReview: 1, public: 4, disabled: 5 } as const;

export type FileStatus = (typeof FILE_STATUS)[keyof typeof FILE_STATUS];

/** Compatibility with multiple processes (contract, Add-on feature compatibility). */
export const E10S = ['compatible', 'compatible-webextension', 'incompatible', 'unknown'] as const;

/** The ten notification types (contract, Notification). */
export const NOTIFICATION_NAMES = [
  'reply',
  'new_features',
  'upgrade_success',
  'sdk_upgrade_success',
  'new_review',
  'upgrade_fail',
  'sdk_upgrade_fail',
  'reviewer_reviewed',
  'individual_contact',
  'announcements',
] as const;

export type NotificationName = (typeof NOTIFICATION_NAMES)[number];
