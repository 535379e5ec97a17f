/* Versions by their state in the review queue: claimed, referred, with open questions, decided. */
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import {
  AUTHORS,
  authorsOf,
  decides,
  REVIEW_RULES,
  type ReviewKind,
  type ReviewRole,
  readsThread,
  seesVersion,
} from './review-roles.ts';
import { fieldRow, includesId, listRow, mutationRow, refused, type StateRule, type StateTable } from './state-table.ts';

interface QueueFacts {
  kind: ReviewKind;
  isWaiting: boolean;
  /** Only administrators decide about a version that was referred to them. */
  isReferred?: true;
  /** A question that the developers have not replied to. */
  isAsked?: true;
  /** The rights to it are those to another one, so that no changes are tried. */
  isReadOnly?: true;
  /** Deleted, or an upload that is no version: not found for any role. */
  isUnknown?: true;
  /** What is made: the add-on of the version, and who has claimed it. */
  made: AddonFacts;
  claimedBy?: Role;
  isClaimOver?: true;
}

interface Waiting {
  id: string;
  addon: string;
  /** The question about it, if any. */
  note: string;
}

const AWAITING = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
const WAITING: AddonFacts = { status: 'nominated', versions: [AWAITING] };
const UNLISTED: AddonFacts = { status: 'incomplete', versions: [{ ...AWAITING, channel: 'unlisted' }] };
const THEME: AddonFacts = { ...WAITING, type: 'statictheme' };
const deletedAt = new Date('2020-01-01T00:00:00Z');
const DELETED: AddonFacts = { status: 'deleted', slug: null, deletedAt, versions: [{ ...AWAITING, deletedAt }] };
const REJECTED: AddonFacts = { status: 'incomplete', versions: [{ stage: 'rejected', files: [{ status: 5 }] }] };

type More = Partial<QueueFacts>;
const waiting = (more: More = {}, made = WAITING): QueueFacts => ({ kind: 'listed', isWaiting: true, made, ...more });
const decided = (made: AddonFacts, more: More = {}): QueueFacts => waiting({ isWaiting: false, ...more }, made);
const theme = (more: More = {}) => waiting({ kind: 'theme', ...more }, THEME);
const unlisted = (more: More = {}) => waiting({ kind: 'unlisted', ...more }, UNLISTED);

const STATES: Readonly<Record<string, QueueFacts>> = {
  waiting: waiting(),
  claimedByReviewer: waiting({ claimedBy: 'reviewer' }),
  claimedByRoot: waiting({ claimedBy: 'root' }),
  claimEnded: waiting({ claimedBy: 'root', isClaimOver: true, isReadOnly: true }),
  asked: waiting({ isAsked: true }),
  askedAndClaimed: waiting({ isAsked: true, claimedBy: 'reviewer', isReadOnly: true }),
  referred: waiting({ isReferred: true }),
  referredAndClaimed: waiting({ isReferred: true, claimedBy: 'reviewer', isReadOnly: true }),
  referredUnlisted: unlisted({ isReferred: true }),
  theme: theme(),
  referredTheme: theme({ isReferred: true }),
  unlisted: unlisted(),
  askedUnlisted: unlisted({ isAsked: true, isReadOnly: true }),
  ofDisabledAddon: waiting({}, { ...WAITING, status: 'disabled' }),
  ofDeletedAddon: decided(DELETED, { isUnknown: true }),
  deletedVersion: decided({ versions: [{}, { ...AWAITING, deletedAt }] }, { isUnknown: true, isReadOnly: true }),
  validating: decided({ status: 'incomplete', versions: [{ ...AWAITING, stage: 'validating' }] }, { isUnknown: true }),
  approved: decided({ status: 'nominated', versions: [{ ...AWAITING, stage: 'signing' }] }, { isReadOnly: true }),
  rejected: decided(REJECTED),
  signed: decided({}),
};

/** Without roles that differ from others in add-ons and notes alone. */
const { personaReviewer, postReviewer, formerAuthor, official, ...ROLES } = REVIEW_RULES;

type Role = keyof typeof ROLES;
type Rule = StateRule<QueueFacts, Role>;

const signedIn =
  (may: (facts: QueueFacts, role: ReviewRole) => boolean): Rule =>
  (facts, role) => {
    if (role === 'anonymous') return 401;
    if (facts.isUnknown) return 404;
    return may(facts, role) ? 200 : refused(role);
  };

/** Reviewers of the channel; about a referred version `Addons:Edit` and `*:*` alone (docs/decisions.md D116). */
const decide = signedIn(({ kind, isReferred }, role) =>
  isReferred ? role === 'editor' || role === 'root' : decides(kind, role),
);
const review = signedIn(({ kind }, role) => decides(kind, role));
const reply = signedIn(({ kind }, role) => decides(kind, role) || AUTHORS.includes(role));

/** The queue has what the viewer may review. */
const queued: Rule = ({ kind, isWaiting }, role) => (isWaiting && decides(kind, role) ? 200 : 404);
const question: Rule = ({ kind, isAsked }, role) => (isAsked && readsThread(kind, role) ? 200 : 404);

async function make(app: TestApp, ids: Record<Role, number>): Promise<Record<string, Waiting>> {
  const made: Record<string, Waiting> = {};
  for (const [name, { isReferred = false, isAsked = false, ...state }] of Object.entries(STATES)) {
    const { id, versions } = await addon({ authors: authorsOf(ids), ...state.made });
    const versionId = versions.at(-1)?.id;
    const claimant = state.claimedBy ? ids[state.claimedBy] : null;
    await app.sql(
      `UPDATE review_queue SET is_referred = $2, is_information_requested = $3, claimed_by = $4,
         claimed_until = CASE WHEN $4::int IS NOT NULL THEN now() + $5::interval END WHERE version_id = $1`,
      [versionId, isReferred, isAsked, claimant, state.isClaimOver ? '-1 minute' : '2 hours'],
    );
    let note = '-';
    if (isAsked) {
      const [row] = await app.sql<{ id: number }>(
        `INSERT INTO activity (action, account_id, addon_id, version_id, comments)
         VALUES ('more-information-requested', $1, $2, $3, 'x') RETURNING id`,
        [ids.root, id, versionId],
      );
      note = globalId('ReviewNote', row?.id);
    }
    made[name] = { id: globalId('Version', versionId), addon: globalId('Addon', id), note };
  }
  return made;
}

/** The text is judged after the rights, and changes nothing. */
const TOO_LONG = 'x'.repeat(10_001);
const isChanged = ({ isReadOnly }: QueueFacts) => !isReadOnly;
const note = (name: string, rule: Rule) =>
  mutationRow<QueueFacts, Role, Waiting>(name, rule, ({ id }) => ({ id, comments: TOO_LONG }), { states: isChanged });

/** What may be done about it now; the same for one version as for several. */
const act = (name: string, rule: Rule) =>
  fieldRow(`Version.reviewActs, ${name}`, rule, ({ id }: Waiting) => id, 'reviewActs', {
    isShown: (value) => ((value as { shown?: string[] } | null)?.shown ?? []).includes(name),
  });
/** `Addons:Edit` alone decides about a referred version without seeing it (docs/decisions.md D113, D116). */
const whileWaiting =
  (rule: Rule): Rule =>
  (facts, role) =>
    facts.isWaiting && seesVersion(facts.kind, role) && rule(facts, role) === 200 ? 200 : 404;
const always =
  (rule: Rule): Rule =>
  (facts, role) =>
    rule(facts, role) === 200 ? 200 : 404;
const several = (name: string, rule: Rule) =>
  mutationRow<QueueFacts, Role, Waiting>(
    `reviewVersions, ${name}`,
    rule,
    ({ id }) => ({ act: name, versions: [{ id }], comments: TOO_LONG }),
    { states: isChanged },
  );

export const QUEUE_TABLE: StateTable<QueueFacts, Role, Waiting> = {
  ...{ kind: 'a version of the review queue', roles: ROLES, states: STATES, make },
  actions: [
    listRow('reviewQueue', queued, '{ nodes { version { id } claimedBy { username } } }', { first: 100 }),
    fieldRow('Addon.openQuestions', question, ({ addon: id }) => id, 'openQuestions { id }', {
      isShown: includesId(({ note: id }) => id),
    }),
    act('APPROVE', whileWaiting(decide)),
    act('REJECT', whileWaiting(decide)),
    act('REQUEST_INFORMATION', whileWaiting(review)),
    act('REFER', whileWaiting(review)),
    act('COMMENT', always(review)),
    act('REPLY', always(reply)),
    mutationRow('createLineComment', review, ({ id }) => ({ version: id, path: 'x', line: 1, text: TOO_LONG }), {
      states: isChanged,
    }),
    several('APPROVE', decide),
    several('REJECT', decide),
    several('REQUEST_INFORMATION', review),
    several('REFER', review),
    several('COMMENT', review),
    several('REPLY', reply),
    note('approveVersion', decide),
    note('rejectVersion', decide),
    note('requestInformation', review),
    note('referVersion', review),
    note('commentOnVersion', review),
    note('replyToReview', reply),
    mutationRow('claimReview', review, ({ id }) => ({ id, release: true }), { states: isChanged }),
  ],
};
