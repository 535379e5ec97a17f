/** The documented states of an add-on, most of which only older add-ons have (contract, Add-on status values). */
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

/** How an add-on gets along with several processes (contract, Add-on feature compatibility). */
export const E10S = ['compatible', 'compatible-webextension', 'incompatible', 'unknown'] as const;
