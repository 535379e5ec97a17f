import { commaList, count, flag, meta } from './types.ts';

/** When ratings wait for a moderator before they are shown, and when moderators are alerted. */
export const ratingSettings = {
  RATING_DENIED_WORDS: [
    commaList.default([]),
    meta('Ratings', 'Comma-separated words, in any case, whose ratings and replies wait for a moderator. Unset: none.'),
  ],
  RATING_HOLD_LINKS: [
    flag.default(false),
    meta('Ratings', 'Whether ratings and replies with links wait for a moderator.'),
  ],
  RATING_NEW_ACCOUNT_DAYS: [
    count(0, 365).default(0),
    meta('Ratings', 'Age in days up to which an account is new for RATING_NEW_ACCOUNT_LIMIT. 0: no account is.'),
  ],
  RATING_NEW_ACCOUNT_LIMIT: [
    count(0, 1_000).default(3),
    meta('Ratings', 'Ratings of a new account in 24 hours that are shown at once; further ones wait for a moderator.'),
  ],
  RATING_FLOOD: [
    count(0, 100_000).default(20),
    meta(
      'Ratings',
      'Ratings of one star for an add-on in an hour from which they are flagged for moderators. 0: never.',
    ),
  ],
} as const;
