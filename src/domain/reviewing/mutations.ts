import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { UserError } from '../../graphql/user-errors.ts';
import { MAX_NOTE_LENGTH } from '../activity/note-text.ts';
import { changedAddon } from '../addons/addon.ts';
import { versionAfterMutation } from '../versions/load-versions.ts';
import { Version } from '../versions/version.ts';
import { noteOf } from './load-notes.ts';
import { MAX_VERSIONS, type ReviewAct, reviewVersion, reviewVersions } from './review-acts.ts';
import { type NotedVersion, ReviewConflictError, type ReviewTarget } from './review-conflict.ts';
import { ReviewNote } from './review-note.ts';
import { reviewPersona } from './review-persona.ts';
import { ReviewActEnum } from './review-state.ts';

const COMMENTS = `Plain text of at most ${MAX_NOTE_LENGTH} characters. Only approvals and referrals may have none.`;

const ExpectedReviewInput = builder.inputType('ExpectedReviewInput', {
  description: 'The thread of a version as a client read it. Absent fields are not compared.',
  fields: (t) => ({
    newestNote: t.id({ description: 'Version.newestNote, as a global id; null for none.' }),
  }),
});

const EXPECTED =
  'What the client read. If others have decided since, or written in the thread, nothing is done: the refusal has their note.';

/** The version that an input names, and the newest note that its client read. */
const targetIn = (
  id: string | number,
  expected: typeof ExpectedReviewInput.$inferInput | null | undefined,
  field?: string,
): ReviewTarget => {
  const target = { versionId: idOf('Version', id, field) };
  const note = expected?.newestNote;
  if (note === undefined) return target;
  return { ...target, expectedNote: note === null ? null : idOf('ReviewNote', note, 'expected') };
};

builder.objectType(ReviewConflictError, {
  name: 'ReviewConflictError',
  description: 'Others have decided about a version, or written in its thread, since the client read it.',
  interfaces: [UserError],
  fields: (t) => ({
    note: t.field({
      type: ReviewNote,
      description: 'The decision; without one, the newest note.',
      resolve: ({ note: { versionId, activityId } }) => noteOf({ versionId, seesComments: true }, activityId),
    }),
  }),
});

const REFUSALS = [InvalidInputError, NotFoundError, NotPermittedError, ReviewConflictError];

/** Declares a mutation that writes a note on a version: a decision, a request, a comment or a reply. */
const noteMutation = (name: string, description: string, act: ReviewAct): void =>
  mutation(name, {
    description,
    input: 'The version and the text.',
    inputFields: (t) => ({
      id: t.id({ required: true, description: 'Global id of the version.' }),
      comments: t.string({ description: COMMENTS }),
      expected: t.field({ type: ExpectedReviewInput, description: EXPECTED }),
    }),
    resolve: ({ id, comments, expected }, { viewer }) =>
      reviewVersion(viewer, act, targetIn(id, expected), comments ?? ''),
    payloadFields: (t) => ({
      note: t.field({ type: ReviewNote, description: 'The note.', resolve: writtenNote }),
      version: t.field({
        type: Version,
        description: 'The version with its new state.',
        resolve: ({ versionId }) => versionAfterMutation(versionId),
      }),
    }),
    refusals: REFUSALS,
  });

const writtenNote = ({ versionId, activityId }: NotedVersion) => noteOf({ versionId, seesComments: true }, activityId);

noteMutation(
  'approveVersion',
  'Approves a version that waits for review, which starts signing. Requires the reviewer permission of its type and channel, or Addons:Edit for a version referred to an administrator.',
  'approve',
);
noteMutation(
  'rejectVersion',
  'Rejects a version that waits for review. Requires a text and what approveVersion requires.',
  'reject',
);
noteMutation(
  'requestInformation',
  'Requests information from the developers of a version that waits for review; it stays in the queue. Requires a text and the reviewer permission of its type and channel.',
  'request-information',
);
noteMutation(
  'commentOnVersion',
  'Adds a comment that only reviewers read to the newest version of a channel. Requires a text and the reviewer permission of its type and channel.',
  'comment',
);
noteMutation(
  'referVersion',
  'Refers a version that waits for review to an administrator, who then decides about it. Requires the reviewer permission of its type and channel.',
  'refer',
);
noteMutation(
  'replyToReview',
  'Adds a reply to the thread of the newest version of a channel. For authors of the add-on and reviewers of its type and channel; requires a text.',
  'reply',
);

const ReviewedVersionInput = builder.inputType('ReviewedVersionInput', {
  description: 'A version to act on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the version.' }),
    expected: t.field({ type: ExpectedReviewInput, description: EXPECTED }),
  }),
});

mutation('reviewVersions', {
  description:
    'Does the same about several versions of an add-on, about all or none of them; each gets its own note and mails. Requires what the mutation of the act about one version requires. A refusal names the version at fault.',
  input: 'The act, the versions and the text.',
  inputFields: (t) => ({
    act: t.field({ type: ReviewActEnum, required: true, description: 'What to do.' }),
    versions: t.field({
      type: [ReviewedVersionInput],
      required: true,
      description: `Versions of one add-on, 1 to ${MAX_VERSIONS}.`,
    }),
    comments: t.string({ description: `${COMMENTS} Each note has it.` }),
  }),
  resolve: async ({ act, versions, comments }, { viewer }) => {
    const targets = versions.map(({ id, expected }) => targetIn(id, expected, 'versions'));
    return { noted: await reviewVersions(viewer, act, targets, comments ?? '') };
  },
  payloadFields: (t) => ({
    notes: t.field({
      type: [ReviewNote],
      description: 'The notes, in the order of the versions.',
      extensions: { items: MAX_VERSIONS },
      resolve: ({ noted }) => Promise.all(noted.map(writtenNote)),
    }),
    versions: t.field({
      type: [Version],
      description: 'The versions with their new state.',
      extensions: { items: MAX_VERSIONS },
      resolve: ({ noted }) => Promise.all(noted.map(({ versionId }) => versionAfterMutation(versionId))),
    }),
  }),
  refusals: REFUSALS,
});

mutation('reviewPersona', {
  description: 'Approves or rejects a persona that waits for review. Requires Personas:Review.',
  input: 'A decision about a persona.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    approve: t.boolean({ required: true, description: 'True approves the persona, false rejects it.' }),
    comments: t.string({ description: 'Plain text for the authors.' }),
    revision: t.string({
      description: 'Addon.revision of the reviewed state. When the persona has changed since, the decision is refused.',
    }),
  }),
  resolve: async ({ id, approve, comments, revision }, context) => {
    const addonId = idOf('Addon', id);
    await reviewPersona(context.viewer, addonId, { approve, comments: comments ?? '', revision: revision ?? null });
    return { addonId };
  },
  payloadFields: changedAddon,
});
