/* Versions by their state in the review queue: claimed, referred, with open questions, decided. */
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { xpi } from '../packages.ts';
import { addSources, storePackage } from '../store-package.ts';
import {
  AUTHORS,
  authorsOf,
  decides,
  REVIEW_RULES,
  type ReviewKind,
  type ReviewRole,
  readsReferred,
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

/** The queue has what the viewer may review, and for those who decide about them referred versions. */
const queued: Rule = ({ kind, isWaiting, ...facts }, role) =>
  isWaiting && (decides(kind, role) || readsReferred(facts, role)) ? 200 : 404;
/** Who sees a waiting version, and a part of it with a rule of its own. */
const seen: Rule = ({ kind, ...facts }, role) => (seesVersion(kind, role) || readsReferred(facts, role) ? 200 : 404);
const facts: Rule = ({ kind, ...more }, role) => (decides(kind, role) || readsReferred(more, role) ? 200 : 404);
/** The code of a version, refused to others. */
const compared: Rule = (state, role) => (seen(state, role) === 200 ? 200 : refused(role));
const isShown = ({ isWaiting }: QueueFacts) => isWaiting;
/** What a waiting version has for its authors and reviewers. */
const shownOf = (name: string, rule: Rule, selection: string) =>
  fieldRow(`Version.${name}, while it waits`, rule, ({ id }: Waiting) => id, selection, { states: isShown });
const question: Rule = ({ kind, isAsked }, role) => (isAsked && readsThread(kind, role) ? 200 : 404);

/** Stores what reviewers read of a version: a package, source code and the result of the validator. */
async function giveContents(
  app: TestApp,
  { addonId, versionId, ownerId, sha256 }: { addonId: number; versionId: unknown; ownerId: number; sha256: string },
): Promise<void> {
  await app.sql('UPDATE file SET is_stored = true, original_sha256 = $2 WHERE version_id = $1', [versionId, sha256]);
  await addSources(app, [addonId], sha256);
  await app.sql(
    `INSERT INTO upload (pk, addon_id, version_id, account_id, file_name, validation)
     VALUES (md5(random()::text), $1, $2, $3, 'x.xpi', '{"errors":0,"notices":0,"warnings":0,"messages":[]}')`,
    [addonId, versionId, ownerId],
  );
}

async function make(app: TestApp, ids: Record<Role, number>): Promise<Record<string, Waiting>> {
  const made: Record<string, Waiting> = {};
  const { originalSha256 } = await storePackage(await xpi());
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
    if (state.isWaiting)
      await giveContents(app, { addonId: id, versionId, ownerId: ids.owner, sha256: originalSha256 });
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
/** What may be done about a version that the viewer sees. */
const whileWaiting =
  (rule: Rule): Rule =>
  (facts, role) =>
    facts.isWaiting && seen(facts, role) === 200 && rule(facts, role) === 200 ? 200 : 404;
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
    shownOf('version', seen, 'id'),
    shownOf('reviewFacts', facts, 'reviewFacts { reportCount }'),
    shownOf('contents', seen, 'contents { __typename }'),
    shownOf('source', seen, 'source { name }'),
    shownOf('validation', seen, 'validation { errors }'),
    shownOf('approvalNotes', seen, 'approvalNotes'),
    shownOf('isDisabled', seen, 'isDisabled'),
    shownOf('reviewNotes', seen, 'reviewNotes { totalCount }'),
    {
      ...{ name: 'packageDiff, while it waits', rule: compared, states: isShown },
      graphql: { field: 'packageDiff', args: ({ id }) => ({ from: id, to: id }), selection: '{ __typename }' },
    },
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
