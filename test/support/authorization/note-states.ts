/* Review notes by state: by what they are about, who wrote them, and the version and add-on that they belong to. */
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import {
  authorsOf,
  CHANNELS,
  decides,
  REVIEW_RULES,
  type ReviewKind,
  type ReviewRole,
  readsComments,
  readsThread,
  seesVersion,
} from './review-roles.ts';
import { fieldRow, includesId, nodeOf, type StateAction, type StateRule, type StateTable } from './state-table.ts';

interface NoteFacts {
  kind: ReviewKind;
  /** A comment is for reviewers alone; the words of a referral are. */
  is?: 'comment' | 'referral';
  /** What the developers did, which the log of reviewers does not have. */
  isOfDevelopers?: true;
  isReply?: true;
  /** No such note in the thread: another version's, or none at all. */
  isMissing?: true;
  /** The version is one of another add-on, or unknown: the thread is not found by those who see the add-on. */
  isElsewhere?: true;
  isVersionDeleted?: true;
  /** Only authors and those who inspect the channel see the version. */
  isVersionHidden?: true;
  isAddonDeleted?: true;
}

interface Note {
  id: number;
  addonId: number;
  versionId: number;
}

const listed = (more: Partial<NoteFacts> = {}): NoteFacts => ({ kind: 'listed', ...more });

const STATES = {
  approved: listed(),
  approvedByService: listed(),
  rejected: listed(),
  reviewRequested: listed({ isOfDevelopers: true }),
  informationRequested: listed(),
  referred: listed({ is: 'referral' }),
  comment: listed({ is: 'comment' }),
  replyOfDeveloper: listed({ isOfDevelopers: true }),
  replyOfReviewer: listed({ isReply: true }),
  replyOfDeletedAccount: listed({ isReply: true }),
  sourceUploaded: listed({ isOfDevelopers: true }),
  noNote: listed({ isMissing: true }),
  ofOtherVersion: listed({ isMissing: true }),
  ofOtherAddon: listed({ isMissing: true, isElsewhere: true }),
  ofRejectedVersion: listed({ isVersionHidden: true }),
  ofDisabledVersion: listed({ isVersionHidden: true }),
  ofDeletedVersion: listed({ isVersionDeleted: true }),
  commentOnDeletedVersion: listed({ is: 'comment', isVersionDeleted: true }),
  ofDisabledAddon: listed(),
  commentOnDisabledAddon: listed({ is: 'comment' }),
  ofDeletedAddon: listed({ isAddonDeleted: true }),
  ofTheme: { kind: 'theme' },
  commentOnTheme: { kind: 'theme', is: 'comment' },
  ofUnlistedVersion: { kind: 'unlisted' },
  commentOnUnlistedVersion: { kind: 'unlisted', is: 'comment' },
} as const satisfies Record<string, NoteFacts>;

type Rule = StateRule<NoteFacts, ReviewRole>;

/** The thread with its notes: 404 for what does not exist, 403 for those who may not read it (docs/decisions.md D113). */
const readThread: Rule = ({ kind, isAddonDeleted, isElsewhere }, role) => {
  if (role === 'anonymous') return 401;
  if (isAddonDeleted || isElsewhere) return 404;
  return readsThread(kind, role) ? 200 : 403;
};

const isShown = ({ kind, is, isMissing }: NoteFacts, role: ReviewRole) =>
  !isMissing && (is !== 'comment' || readsComments(kind, role));

/** One note: in a thread that the viewer reads, not found unless the viewer reads it, too. */
const read: Rule = (facts, role) => {
  const thread = readThread(facts, role);
  return thread === 200 && !isShown(facts, role) ? 404 : thread;
};

/** Without a refusal: what the viewer may not read is not there. */
const shown: Rule = (facts, role) => (read(facts, role) === 200 ? 200 : 404);
const threadShown: Rule = (facts, role) => (readThread(facts, role) === 200 ? 200 : 404);
const shownOfAddon: Rule = (facts, role) => (facts.isVersionDeleted ? 404 : shown(facts, role));
/** Reviewers who also hold `Addons:ViewDeleted`. */
const SEES_DELETED: readonly ReviewRole[] = ['archivist', 'root'];

/** Those who do not see the version do not see what it has. */
const ofVersion =
  (rule: Rule): Rule =>
  (facts, role) => {
    if (facts.isVersionDeleted && !SEES_DELETED.includes(role)) return 404;
    return facts.isVersionHidden && !seesVersion(facts.kind, role) ? 404 : rule(facts, role);
  };
/** The words of a referral, which others do not read. */
const words: Rule = (facts, role) => {
  const note = read(facts, role);
  const isHidden = facts.is === 'referral' && !readsComments(facts.kind, role);
  return note === 200 && isHidden ? 404 : note;
};

/** The log of reviewers has what they did about versions that they may inspect. */
const logged: Rule = ({ kind, isOfDevelopers, isReply, isVersionDeleted, isAddonDeleted }, role) => {
  if (isOfDevelopers || isReply || isVersionDeleted || isAddonDeleted) return 404;
  const isReviewer = (Object.keys(CHANNELS) as ReviewKind[]).some((each) => decides(each, role));
  const inspects = (CHANNELS[kind].inspect as readonly ReviewRole[]).includes(role);
  return isReviewer && inspects ? 200 : 404;
};

const WORDS = 'Words of the note.';

async function make(app: TestApp, ids: Record<ReviewRole, number>): Promise<Record<string, Note>> {
  const authors = authorsOf(ids);
  const deletedAt = new Date('2020-01-01T00:00:00Z');
  const of = (facts: AddonFacts = {}) => addon({ authors, ...facts });
  const { db } = await import('../../../src/infra/db.ts');
  const [gone] = await app.sql<{ id: number }>(
    "INSERT INTO account (username, deleted_at) VALUES ('former-reviewer', now()) RETURNING id",
  );
  const many = await of({ versions: [{}, {}] });
  const other = await addon();
  const [first = 0, second = 0] = many.versions.map(({ id }) => id);
  const add = async (action: string, made = many, columns: object = {}): Promise<Note> => {
    const version = made.versions.at(0)?.id ?? 0;
    const note = { action, addonId: made.id, versionId: version, comments: WORDS, accountId: ids.root, ...columns };
    const { id } = await db.activity.create({ data: note });
    return { id, addonId: made.id, versionId: version };
  };
  const theme = await of({ type: 'statictheme' });
  const unlisted = await of({ status: 'incomplete', versions: [{ channel: 'unlisted' }] });
  const disabled = await of({ status: 'disabled' });
  const deletedVersion = await of({ versions: [{ deletedAt }, {}] });
  return {
    approved: await add('approved'),
    approvedByService: await add('approved', many, { accountId: null }),
    rejected: await add('rejected'),
    reviewRequested: await add('review-requested', many, { accountId: ids.owner }),
    informationRequested: await add('more-information-requested'),
    referred: await add('super-review-requested'),
    comment: await add('comment'),
    replyOfDeveloper: await add('review-note', many, { accountId: ids.owner, details: { by: 'developer' } }),
    replyOfReviewer: await add('review-note', many, { details: { by: 'reviewer' } }),
    replyOfDeletedAccount: await add('review-note', many, { accountId: gone?.id, details: { by: 'reviewer' } }),
    sourceUploaded: await add('source-code-uploaded', many, { accountId: ids.owner }),
    noNote: await add('version-edited'),
    ofOtherVersion: { ...(await add('approved', many, { versionId: second })), versionId: first },
    ofOtherAddon: { ...(await add('approved', other)), addonId: many.id },
    ofRejectedVersion: await add(
      'rejected',
      await of({ versions: [{ stage: 'rejected', files: [{ status: 5 }] }, {}] }),
    ),
    ofDisabledVersion: await add('approved', await of({ versions: [{ files: [{ status: 5 }] }, {}] })),
    ofDeletedVersion: await add('approved', deletedVersion),
    commentOnDeletedVersion: await add('comment', deletedVersion),
    ofDisabledAddon: await add('approved', disabled),
    commentOnDisabledAddon: await add('comment', disabled),
    ofDeletedAddon: await add(
      'approved',
      await of({ status: 'deleted', slug: null, deletedAt, versions: [{ deletedAt }] }),
    ),
    ...{ ofTheme: await add('approved', theme), commentOnTheme: await add('comment', theme) },
    ofUnlistedVersion: await add('approved', unlisted),
    commentOnUnlistedVersion: await add('comment', unlisted),
  };
}

const noteId = ({ id }: Note) => globalId('ReviewNote', id);
const LIST = 'GET /addons/addon/:addon/versions/:version_id/reviewnotes/';
const DETAIL = `${LIST}:note_id/`;
const hasNote = (json: unknown, { id }: Note) =>
  (json as { results: { id: number }[] }).results.some((note) => note.id === id);

type Action = StateAction<NoteFacts, ReviewRole, Note>;

const byRest: Action[] = [
  { name: LIST, rule: readThread },
  { name: `${LIST}, with the note`, rule: read, rest: { isShown: hasNote } },
  { name: DETAIL, rule: read },
  {
    ...{ name: `${DETAIL}, with its words`, rule: words },
    rest: { isShown: (json) => (json as { comments: string }).comments === WORDS },
  },
];

/** Without those that a path is about: GraphQL names a version, and a note, by its id alone. */
const states = ({ isElsewhere }: NoteFacts) => !isElsewhere;
const noteStates = ({ isElsewhere, isMissing }: NoteFacts) => !isElsewhere && !isMissing;
const noteOf = (selection: string) => ({
  field: 'reviewNote',
  args: (note: Note) => ({ id: noteId(note) }),
  selection: `{ ${selection} }`,
});
const threadOf = (selection: string) => ({
  field: 'reviewThread',
  args: (note: Note) => ({ addon: { databaseId: note.addonId }, version: { databaseId: note.versionId } }),
  selection: `{ ${selection} }`,
});
const versionId = (note: Note) => globalId('Version', note.versionId);
const ofAddon = (note: Note) => globalId('Addon', note.addonId);

const byGraphql: Action[] = [
  {
    ...{ name: 'reviewLog', rule: logged, isList: true, states: noteStates },
    graphql: {
      field: 'reviewLog',
      args: () => ({ first: 100 }),
      selection: '{ nodes { id } }',
      isShown: includesId(noteId),
    },
  },
  { name: 'reviewThread', rule: readThread, graphql: threadOf('notes { totalCount }'), sameAs: [LIST] },
  {
    ...{ name: 'reviewThread, with the note', covers: ['ReviewThread.note'], rule: read },
    graphql: { ...threadOf('notes(first: 50) { nodes { id } }'), isShown: includesId(noteId) },
    sameAs: [`${LIST}, with the note`],
  },
  { name: 'reviewNote', states: noteStates, rule: read, graphql: noteOf('id'), sameAs: [DETAIL] },
  {
    ...{
      name: 'reviewNote, with its words',
      covers: ['ReviewNote.comments', 'ReviewNote.commentsReason'],
      states: noteStates,
      rule: words,
    },
    graphql: {
      ...noteOf('comments'),
      isShown: (value) => (value as { comments?: string } | null)?.comments === WORDS,
    },
    sameAs: [`${DETAIL}, with its words`],
  },
  {
    // By its own id, whatever version a path names.
    ...{ name: 'node, of a ReviewNote', states: ({ isMissing }: NoteFacts) => !isMissing, rule: shown },
    graphql: nodeOf(noteId),
  },
  fieldRow('Version.reviewNotes', ofVersion(threadShown), versionId, 'reviewNotes { totalCount }', { states }),
  // Each thread has a note that is not between reviewers.
  fieldRow('Version.newestNote', ofVersion(threadShown), versionId, 'newestNote { id }', { states }),
  fieldRow(
    'Version.reviewNotes, with the note',
    ofVersion(shown),
    versionId,
    'reviewNotes(first: 50) { nodes { id } }',
    {
      ...{ states, isShown: includesId(noteId) },
    },
  ),
  // That of another version is in the thread of the add-on, too.
  fieldRow('Addon.thread, with the note', shownOfAddon, ofAddon, 'thread(first: 50) { nodes { id } }', {
    ...{ states: ({ isMissing }) => !isMissing, isShown: includesId(noteId) },
  }),
];

/** Its add-ons are visible to those who read their threads, so that what hides the thread is not the add-on. */
export const NOTE_TABLE: StateTable<NoteFacts, ReviewRole, Note> = {
  ...{ kind: 'a review note', roles: REVIEW_RULES, states: STATES, make },
  params: ({ id, addonId, versionId: version }) => ({ addon: addonId, version_id: version, note_id: id }),
  actions: [...byRest, ...byGraphql],
};
