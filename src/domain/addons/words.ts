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
