import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, NotPermittedError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { approveVersion, rejectVersion } from './review.ts';

const MAX_COMMENTS = 100_000;

const ReviewVersionInput = builder.inputType('ReviewVersionInput', {
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the Version.' }),
    comments: t.string({ description: 'For the developers: why.' }),
  }),
});

type Decide = (viewer: Viewer, versionId: number, comments: string) => Promise<number>;

/** One mutation for each decision: they differ in name and effect only. */
function reviewMutation(name: string, typeName: string, description: string, decide: Decide): void {
  const Payload = builder.objectRef<{ versionId: number }>(`${typeName}Payload`).implement({
    fields: (t) => ({
      version: t.prismaField({
        type: 'Version',
        resolve: (query, { versionId }) => db.version.findUniqueOrThrow({ ...query, where: { id: versionId } }),
      }),
    }),
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: Payload,
      description,
      args: { input: t.arg({ type: ReviewVersionInput, required: true }) },
      errors: { types: [InvalidInputError, NotPermittedError, NotFoundError], union: { name: `${typeName}Result` } },
      resolve: async (_root, { input }, { viewer }) => {
        const comments = (input.comments ?? '').trim();
        if (comments.length > MAX_COMMENTS) throw new InvalidInputError('Comments are too long.');
        return { versionId: await decide(viewer, idOf('Version', input.id), comments) };
      },
    }),
  );
}

reviewMutation(
  'approveVersion',
  'ApproveVersion',
  'Approves a version that waits for review; it is signed next.',
  approveVersion,
);
reviewMutation('rejectVersion', 'RejectVersion', 'Rejects a version that waits for review.', rejectVersion);
