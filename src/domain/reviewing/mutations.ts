import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { forgetAddon } from '../addons/addon.ts';
import { changedAddon } from '../addons/changed-addon.ts';
import { forgetVersion, Version } from '../versions/version.ts';
import { reviewPersona } from './review-persona.ts';
import { approveVersion, rejectVersion } from './review-version.ts';

const MAX_COMMENTS = 100_000;

const ReviewVersionInput = builder.inputType('ReviewVersionInput', {
  description: 'A decision about a version.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the version.' }),
    comments: t.string({ description: 'Plain text for the authors, at most 100,000 characters.' }),
  }),
});

const ReviewVersionPayload = builder.objectRef<{ versionId: number }>('ReviewVersionPayload').implement({
  description: 'Result of a decision about a version.',
  isTypeOf: (value) => typeof value === 'object' && value !== null && 'versionId' in value,
  fields: (t) => ({
    version: t.field({
      type: Version,
      description: 'The version after the decision.',
      resolve: ({ versionId }) => versionId,
    }),
  }),
});

const ReviewVersionResult = builder.errorUnion('ReviewVersionResult', {
  description: 'The payload, or why the mutation was refused.',
  types: [ReviewVersionPayload, InvalidInputError, NotPermittedError, NotFoundError],
});

type Decide = (viewer: Viewer, versionId: number, comments: string) => Promise<number>;

/** Declares the mutation of one decision. */
function reviewMutation(name: string, description: string, decide: Decide): void {
  builder.mutationField(name, (t) =>
    t.field({
      type: ReviewVersionResult,
      description,
      args: {
        input: t.arg({ type: ReviewVersionInput, required: true, description: 'The version and the comments.' }),
      },
      resolve: async (_root, { input }, context) => {
        const comments = (input.comments ?? '').trim();
        if (comments.length > MAX_COMMENTS) throw new InvalidInputError('Comments are too long.');
        const versionId = await decide(context.viewer, idOf('Version', input.id), comments);
        forgetVersion(context, versionId);
        return { versionId };
      },
    }),
  );
}

reviewMutation(
  'approveVersion',
  'Approves a version that waits for review, which starts signing. Requires the reviewer permission of its type and channel.',
  approveVersion,
);
reviewMutation(
  'rejectVersion',
  'Rejects a version that waits for review. Requires the reviewer permission of its type and channel.',
  rejectVersion,
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
    forgetAddon(context, addonId);
    return { addonId };
  },
  payloadFields: changedAddon,
});
