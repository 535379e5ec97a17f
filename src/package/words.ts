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
export const APPLICATIONS = ['desktop_browser', 'mobile_browser', 'suite_app', 'mail_client'] as const;
export const PLATFORMS = ['all', 'mac', 'linux', 'android', 'windows'] as const;
export const CHANNELS = ['listed', 'unlisted'] as const;

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

/** The states of a file as the database and REST write them (contract, File; the values of the peer). */
export const FILE_STATUS = { awaitingReview: 1, public: 4, disabled: 5 } as const;

export type FileStatus = (typeof FILE_STATUS)[keyof typeof FILE_STATUS];

/** Compatibility with multiple processes (contract, Add-on feature compatibility). */
export const E10S = ['compatible', 'compatible-webextension', 'incompatible', 'unknown'] as const;
