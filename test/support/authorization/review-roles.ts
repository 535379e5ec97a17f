/* The roles of reviewing, and who reads, writes and decides what in each channel (docs/decisions.md D113 to D116). */
import { RULES as OBJECT_RULES } from './addon-states.ts';

const { official, ...rules } = OBJECT_RULES;

/** `owner`, `developer`, `hiddenAuthor` and `reviewingAuthor` are authors of every add-on; the page shows no `hiddenAuthor`. */
export const REVIEW_RULES = {
  ...rules,
  official,
  hiddenAuthor: [],
  reviewingAuthor: ['Addons:Review'],
  formerAuthor: [],
  postReviewer: ['Addons:PostReview'],
} as const;

export type ReviewRole = keyof typeof REVIEW_RULES;

const AUTHOR_ROLES = ['owner', 'developer', 'hiddenAuthor', 'reviewingAuthor'] as const;
export const AUTHORS: readonly ReviewRole[] = AUTHOR_ROLES;

/** Who decides about versions of a kind, and who also looks at what waits. */
export const CHANNELS = {
  listed: {
    decide: ['reviewer', 'reviewingAuthor', 'archivist', 'root'],
    inspect: ['reviewer', 'reviewingAuthor', 'contentReviewer', 'postReviewer', 'archivist', 'root'],
  },
  theme: { decide: ['themeReviewer', 'root'], inspect: ['themeReviewer', 'root'] },
  unlisted: { decide: ['unlistedReviewer', 'root'], inspect: ['unlistedReviewer', 'root'] },
} as const satisfies Record<string, Record<string, readonly ReviewRole[]>>;

export type ReviewKind = keyof typeof CHANNELS;

/** Who reads the comments between reviewers: who inspects the channel, and reviewers of unlisted versions. */
export const readsComments = (kind: ReviewKind, role: ReviewRole): boolean =>
  role === 'unlistedReviewer' || (CHANNELS[kind].inspect as readonly ReviewRole[]).includes(role);

/** Who reads the thread: these and the authors. */
export const readsThread = (kind: ReviewKind, role: ReviewRole): boolean =>
  AUTHORS.includes(role) || readsComments(kind, role);

/** Who sees a version that is not public, and with it what it has: the authors, and those who inspect its channel. */
export const seesVersion = (kind: ReviewKind, role: ReviewRole): boolean =>
  AUTHORS.includes(role) || (CHANNELS[kind].inspect as readonly ReviewRole[]).includes(role);

/** While a version is referred, those who decide about it read it as its reviewers do (docs/decisions.md D116). */
const READS_REFERRED: readonly ReviewRole[] = ['editor', 'root'];
export const readsReferred = ({ isReferred }: { isReferred?: true }, role: ReviewRole): boolean =>
  isReferred === true && READS_REFERRED.includes(role);

export const decides = (kind: ReviewKind, role: ReviewRole): boolean =>
  (CHANNELS[kind].decide as readonly ReviewRole[]).includes(role);

/** The authors of an add-on, for the factory. */
export const authorsOf = (ids: Readonly<Record<(typeof AUTHOR_ROLES)[number], number>>) =>
  AUTHOR_ROLES.map((role, index) => ({
    id: ids[role],
    role: index === 0 ? ('owner' as const) : ('developer' as const),
    listed: role !== 'hiddenAuthor',
  }));
