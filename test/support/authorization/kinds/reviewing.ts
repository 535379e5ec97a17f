/* Review notes, versions in the review queue, and comments of reviewers on lines. */
import { type AddonFacts, addon } from '../../factories.ts';
import { globalId } from '../../global-ids.ts';
import { xpi } from '../../packages.ts';
import { addSources, storePackage } from '../../store-package.ts';
import {
  type Act,
  DELETED,
  DISABLED,
  hasId,
  hasOnce,
  kind,
  type Made,
  PAST,
  type Tools,
  UNLISTED,
  unknownId,
  WAITING,
  WAITING_UNLISTED,
} from '../kinds.ts';
import type { Role } from '../roles.ts';

/** An add-on of all authors; the page of the add-on does not show `hiddenAuthor`. */
const ofAuthors = ({ idOf }: Tools, facts: AddonFacts) =>
  addon({
    authors: (['owner', 'developer', 'hiddenAuthor', 'reviewingAuthor'] as const).map((role, index) => ({
      ...{ id: idOf(role), role: index === 0 ? 'owner' : 'developer', listed: role !== 'hiddenAuthor' },
    })),
    ...facts,
  });

interface NoteFacts {
  action: string;
  /** Its add-on, of whose oldest version it is; the one that most notes have by default. */
  addon?: string;
  by?: Role | 'deleted' | null;
  details?: object;
  /** Of another version than the one that paths name, or of that of another add-on. */
  isOf?: 'otherVersion' | 'otherAddon';
}

interface Note extends Made {
  row: number;
  addonId: number;
  versionId: number;
}

const ADDONS: Readonly<Record<string, AddonFacts>> = {
  public: { versions: [{}, {}] },
  theme: { type: 'statictheme' },
  unlisted: UNLISTED,
  disabled: DISABLED,
  deleted: { ...DELETED, versions: [{ deletedAt: PAST }] },
  withDeletedVersion: { versions: [{ deletedAt: PAST }, {}] },
  withRejectedVersion: { versions: [{ stage: 'rejected', files: [{ status: 5 }] }, {}] },
  withDisabledVersion: { versions: [{ files: [{ status: 5 }] }, {}] },
};

let addons: Readonly<Record<string, Awaited<ReturnType<typeof addon>>>>;

const WORDS = 'Words of the note.';
const LIST = 'GET /addons/addon/:addon/versions/:version_id/reviewnotes/';
const isWords = (value: unknown): boolean => (value as { comments?: string } | null)?.comments === WORDS;
const args = ({ id }: Note) => ({ id });
const threadArgs = ({ addonId, versionId }: Note) => ({
  ...{ addon: { databaseId: addonId }, version: { databaseId: versionId } },
});

/** Its add-ons are visible to those who read their threads, so that what hides the thread is not the add-on. */
export const NOTE = kind<NoteFacts, Note>({
  kind: 'a review note',
  states: {
    approved: { action: 'approved' },
    approvedByService: { action: 'approved', by: null },
    rejected: { action: 'rejected' },
    reviewRequested: { action: 'review-requested', by: 'owner' },
    informationRequested: { action: 'more-information-requested' },
    referred: { action: 'super-review-requested' },
    comment: { action: 'comment' },
    replyOfDeveloper: { action: 'review-note', by: 'owner', details: { by: 'developer' } },
    replyOfReviewer: { action: 'review-note', details: { by: 'reviewer' } },
    replyOfDeletedAccount: { action: 'review-note', by: 'deleted', details: { by: 'reviewer' } },
    sourceUploaded: { action: 'source-code-uploaded', by: 'owner' },
    noNote: { action: 'version-edited' },
    ofOtherVersion: { action: 'approved', isOf: 'otherVersion' },
    ofOtherAddon: { action: 'approved', isOf: 'otherAddon' },
    ofRejectedVersion: { action: 'rejected', addon: 'withRejectedVersion' },
    ofDisabledVersion: { action: 'approved', addon: 'withDisabledVersion' },
    ofDeletedVersion: { action: 'approved', addon: 'withDeletedVersion' },
    commentOnDeletedVersion: { action: 'comment', addon: 'withDeletedVersion' },
    ofDisabledAddon: { action: 'approved', addon: 'disabled' },
    commentOnDisabledAddon: { action: 'comment', addon: 'disabled' },
    ofDeletedAddon: { action: 'approved', addon: 'deleted' },
    ...{ ofTheme: { action: 'approved', addon: 'theme' }, commentOnTheme: { action: 'comment', addon: 'theme' } },
    ofUnlistedVersion: { action: 'approved', addon: 'unlisted' },
    commentOnUnlistedVersion: { action: 'comment', addon: 'unlisted' },
  },
  prepare: async (tools) => {
    const made = Object.entries(ADDONS).map(async ([name, facts]) => [name, await ofAuthors(tools, facts)] as const);
    addons = { ...Object.fromEntries(await Promise.all(made)), other: await addon() };
  },
  make: async ({ action, addon: of = 'public', by = 'root', details = {}, isOf }, { insert, person }) => {
    const [shown, actual] = [addons[of], isOf === 'otherAddon' ? addons.other : addons[of]];
    const [first, second] = actual?.versions ?? [];
    const row = await insert('activity', {
      ...{ action, details, comments: WORDS, account_id: by === null ? null : await person(by) },
      ...{ addon_id: actual?.id, version_id: (isOf === 'otherVersion' ? second : first)?.id },
    });
    const [addonId = 0, versionId = 0] = [shown?.id, first?.id];
    return {
      ...{ row, addonId, versionId, id: globalId('ReviewNote', row) },
      nodes: { Version: globalId('Version', versionId), Addon: globalId('Addon', addonId) },
      params: { addon: addonId, version_id: versionId, note_id: row },
    };
  },
  acts: {
    [`${LIST}, with the note`]: {
      isShown: (json, { row }) => (json as { results: { id: number }[] }).results.some(({ id }) => id === row),
    },
    [`${LIST}:note_id/, with its words`]: { isShown: isWords },
    reviewThread: { args: threadArgs, selection: '{ notes { totalCount } }' },
    'reviewThread, with the note': {
      ...{ covers: ['ReviewThread.note'], args: threadArgs },
      ...{ selection: '{ notes(first: 50) { nodes { id } } }', isShown: hasId },
    },
    reviewNote: { args, selection: '{ id }' },
    'reviewNote, with its words': {
      ...{ covers: ['ReviewNote.comments', 'ReviewNote.commentsReason'], args },
      ...{ selection: '{ comments }', isShown: isWords },
    },
    'Version.reviewNotes, with the note': { selection: 'reviewNotes(first: 50) { nodes { id } }', isShown: hasId },
    'Addon.thread, with the note': { selection: 'thread(first: 50) { nodes { id } }', isShown: hasId },
  },
});

interface QueueFacts {
  /** The add-on of the version; an extension that waits by default. */
  made?: AddonFacts;
  /** Whether it waits, so that it gets what reviewers read of it. */
  isOver?: true;
  claimedBy?: Role;
  isClaimOver?: true;
  isReferred?: true;
  /** A question that the developers have not replied to. */
  isAsked?: true;
}

const THEME: AddonFacts = { ...WAITING, type: 'statictheme' };
const withStage = (stage: string, status: 'incomplete' | 'nominated'): AddonFacts => ({
  ...{ status, versions: [{ stage, reviewed: null, files: [{ status: 1 }] }] },
});
const REJECTED: AddonFacts = { status: 'incomplete', versions: [{ stage: 'rejected', files: [{ status: 5 }] }] };
const AWAITING_DELETED = { ...WAITING.versions?.[0], deletedAt: PAST };

/** A stored package. */
let sha256: string;

interface Waiting extends Made {
  /** The question about it, if any. */
  note: string;
}

/** Judged after the rights; changes nothing. */
const TOO_LONG = 'x'.repeat(10_001);
const commented: Act<Waiting> = { input: ({ id }) => ({ id, comments: TOO_LONG }) };
const ACTS = ['APPROVE', 'REJECT', 'REQUEST_INFORMATION', 'REFER', 'COMMENT', 'REPLY'];
const REVIEWS = ['approveVersion', 'rejectVersion', 'requestInformation', 'referVersion', 'commentOnVersion'];

export const QUEUE = kind<QueueFacts, Waiting>({
  kind: 'a version of the review queue',
  states: {
    waiting: {},
    claimedByReviewer: { claimedBy: 'reviewer' },
    claimedByRoot: { claimedBy: 'root' },
    claimEnded: { claimedBy: 'root', isClaimOver: true },
    asked: { isAsked: true },
    askedAndClaimed: { isAsked: true, claimedBy: 'reviewer' },
    referred: { isReferred: true },
    referredAndClaimed: { isReferred: true, claimedBy: 'reviewer' },
    referredUnlisted: { made: WAITING_UNLISTED, isReferred: true },
    theme: { made: THEME },
    referredTheme: { made: THEME, isReferred: true },
    unlisted: { made: WAITING_UNLISTED },
    askedUnlisted: { made: WAITING_UNLISTED, isAsked: true },
    ofDisabledAddon: { made: { ...WAITING, ...DISABLED } },
    ofDeletedAddon: { made: { ...DELETED, versions: [AWAITING_DELETED] }, isOver: true },
    deletedVersion: { made: { versions: [{}, AWAITING_DELETED] }, isOver: true },
    validating: { made: withStage('validating', 'incomplete'), isOver: true },
    approved: { made: withStage('signing', 'nominated'), isOver: true },
    rejected: { made: REJECTED, isOver: true },
    signed: { made: {}, isOver: true },
  },
  prepare: async () => {
    sha256 = (await storePackage(await xpi())).originalSha256;
  },
  make: async ({ made = WAITING, isOver, claimedBy, isClaimOver, isReferred, isAsked }, tools) => {
    const { app, idOf, insert } = tools;
    const { id: addon_id, versions } = await ofAuthors(tools, made);
    const version_id = versions.at(-1)?.id;
    await app.sql(
      `UPDATE review_queue SET is_referred = $2, is_information_requested = $3, claimed_by = $4,
         claimed_until = CASE WHEN $4::int IS NOT NULL THEN now() + $5::interval END WHERE version_id = $1`,
      [
        version_id,
        isReferred ?? false,
        isAsked ?? false,
        claimedBy ? idOf(claimedBy) : null,
        isClaimOver ? '-1 minute' : '2 hours',
      ],
    );
    const question = { action: 'more-information-requested', account_id: idOf('root'), comments: 'x' };
    const note = isAsked
      ? globalId('ReviewNote', await insert('activity', { ...question, addon_id, version_id }))
      : '-';
    if (!isOver) {
      const stored = 'UPDATE file SET is_stored = true, original_sha256 = $2 WHERE version_id = $1';
      await app.sql(stored, [version_id, sha256]);
      await addSources(app, [addon_id], sha256);
      const validation = { errors: 0, notices: 0, warnings: 0, messages: [] };
      const upload = { pk: `${addon_id}`.padStart(32, '0'), account_id: idOf('owner'), file_name: 'x.xpi', validation };
      await insert('upload', { ...upload, addon_id, version_id });
    }
    const id = globalId('Version', version_id);
    return { id, note, nodes: { Addon: globalId('Addon', addon_id) } };
  },
  acts: {
    reviewQueue: { selection: '{ nodes { version { id } claimedBy { username } } }' },
    'packageDiff, while it waits': { args: ({ id }) => ({ from: id, to: id }), selection: '{ __typename }' },
    'Addon.openQuestions': { isShown: (value, { note }) => hasOnce(value, note) },
    createLineComment: { input: ({ id }) => ({ version: id, path: 'x', line: 1, text: TOO_LONG }) },
    ...Object.fromEntries(
      ACTS.map((act): [string, Act<Waiting>] => [
        `reviewVersions, ${act}`,
        { input: ({ id }) => ({ act, versions: [{ id }], comments: TOO_LONG }) },
      ]),
    ),
    ...Object.fromEntries([...REVIEWS, 'replyToReview'].map((name) => [name, commented])),
    claimReview: { input: ({ id }) => ({ id, release: true }) },
  },
});

interface LineFacts {
  of?: AddonFacts;
  /** Whose draft it is; absent for one that was sent with a note. */
  draftOf?: Role;
  isUnknown?: true;
}

export const LINE_COMMENT = kind<LineFacts>({
  kind: 'a comment on a line',
  states: {
    draft: { draftOf: 'reviewer' },
    draftOfRoot: { draftOf: 'root' },
    sent: {},
    sentOfTheme: { of: THEME },
    draftOfTheme: { of: THEME, draftOf: 'themeReviewer' },
    sentUnlisted: { of: WAITING_UNLISTED },
    draftUnlisted: { of: WAITING_UNLISTED, draftOf: 'unlistedReviewer' },
    unknown: { isUnknown: true },
  },
  make: async ({ of = WAITING, draftOf, isUnknown }, tools) => {
    const { id: addon_id, versions } = await ofAuthors(tools, of);
    const version_id = versions[0]?.id;
    const note = { action: 'more-information-requested', account_id: tools.idOf('root'), addon_id, version_id };
    const activity_id = draftOf ? null : await tools.insert('activity', { ...note, comments: 'x' });
    const place = { version_id, activity_id, path: 'x.js', line: 1, quote: 'x', text: 'x' };
    const id = await tools.insert('line_comment', { ...place, account_id: tools.idOf(draftOf ?? 'root') });
    return {
      id: isUnknown ? unknownId('LineComment') : globalId('LineComment', id),
      nodes: { Version: globalId('Version', version_id), ReviewNote: globalId('ReviewNote', activity_id) },
    };
  },
  acts: {
    'Version.lineComments': { selection: 'lineComments { nodes { id } }', isShown: hasId },
    'ReviewNote.lineComments': { isShown: hasId, covers: ['ReviewNote.text'] },
    updateLineComment: { input: ({ id }) => ({ id, text: 'y' }) },
    deleteLineComment: { spare: true },
  },
});
