import type { Viewer } from '../../auth/viewer.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { changedAddon } from '../addons/changed-addon.ts';
import { versionAfterMutation } from '../versions/load-versions.ts';
import { Version } from '../versions/version.ts';
import { noteOf } from './load-notes.ts';
import { ReviewNote } from './review-note.ts';
import { reviewPersona } from './review-persona.ts';
import { MAX_NOTE_LENGTH } from './review-text.ts';
import { approveVersion, type Noted, rejectVersion } from './review-version.ts';
import { commentOnVersion, referVersion, replyToReview, requestInformation } from './write-note.ts';

type Act = (viewer: Viewer, versionId: number, comments: string) => Promise<Noted>;

/** Declares a mutation that writes a note on a version: a decision, a request, a comment or a reply. */
const noteMutation = (name: string, description: string, act: Act): void =>
  mutation(name, {
    description,
    input: 'The version and the text.',
    inputFields: (t) => ({
      id: t.id({ required: true, description: 'Global id of the version.' }),
      comments: t.string({
        description: `Plain text of at most ${MAX_NOTE_LENGTH} characters. Only approvals and referrals may have none.`,
      }),
    }),
    resolve: ({ id, comments }, { viewer }) => act(viewer, idOf('Version', id), comments ?? ''),
    payloadFields: (t) => ({
      note: t.field({
        type: ReviewNote,
        description: 'The note.',
        resolve: ({ versionId, activityId }) => noteOf({ versionId, seesComments: true }, activityId),
      }),
      version: t.field({
        type: Version,
        description: 'The version with its new state.',
        resolve: ({ versionId }) => versionAfterMutation(versionId),
      }),
    }),
  });

noteMutation(
  'approveVersion',
  'Approves a version that waits for review, which starts signing. Requires the reviewer permission of its type and channel, or Addons:Edit for a version referred to an administrator.',
  approveVersion,
);
noteMutation(
  'rejectVersion',
  'Rejects a version that waits for review. Requires a text and what approveVersion requires.',
  rejectVersion,
);
noteMutation(
  'requestInformation',
  'Requests information from the developers of a version that waits for review; it stays in the queue. Requires a text and the reviewer permission of its type and channel.',
  requestInformation,
);
noteMutation(
  'commentOnVersion',
  'Adds a comment that only reviewers read to the newest version of a channel. Requires a text and the reviewer permission of its type and channel.',
  commentOnVersion,
);
noteMutation(
  'referVersion',
  'Refers a version that waits for review to an administrator, who then decides about it. Requires the reviewer permission of its type and channel.',
  referVersion,
);
noteMutation(
  'replyToReview',
  'Adds a reply to the thread of the newest version of a channel. For authors of the add-on and reviewers of its type and channel; requires a text.',
  replyToReview,
);

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
