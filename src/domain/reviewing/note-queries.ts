import { requireSignedIn } from '../../auth/permissions.ts';
import { ServiceError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { type PagedArguments, pageArguments, pagedConnection } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { VersionRefInput } from '../versions/queries.ts';
import { Version } from '../versions/version.ts';
import { noteCount, noteOf, notesOf } from './load-notes.ts';
import { type ReadableThread, threadOfAddon, threadOfVersion } from './note-access.ts';
import { ReviewNote } from './review-note.ts';

/** Counts the notes of all pages, when a query selects the count. */
interface Counted {
  countAll: () => Promise<number>;
}

export const ReviewNoteConnection = builder.connectionObject<typeof ReviewNote, Counted>(
  {
    type: ReviewNote,
    name: 'ReviewNoteConnection',
    description: 'One page of the notes of a version or an add-on.',
    fields: (t) => ({
      totalCount: t.int({
        description: 'Number of notes on all pages.',
        resolve: ({ countAll }) => countAll(),
      }),
    }),
  },
  { name: 'ReviewNoteEdge', description: 'A note and its cursor.' },
);

async function pageOfThread(context: Context, thread: ReadableThread, paging: PagedArguments) {
  const start = { before: null, after: null, inverted: false };
  const page = await pagedConnection(
    `Version.reviewNotes/${thread.versionId}`,
    paging,
    (offset, limit) => notesOf(context, thread, { ...start, offset, limit }),
    (keys) => notesOf(context, thread, { ...keys, offset: 0 }),
  );
  let counting: Promise<number> | undefined;
  const countAll = () => (counting ??= noteCount(context, thread));
  return { ...page, countAll };
}

/** The thread; null when the viewer may not read it. */
export async function threadOrNull(context: Context, versionId: number): Promise<ReadableThread | null> {
  try {
    return await threadOfVersion(context, versionId);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

builder.objectField(Version, 'reviewNotes', (t) =>
  t.connection(
    {
      type: ReviewNote,
      nullable: true,
      description:
        'The thread of its review, newest first; null for viewers who are neither authors of the add-on nor reviewers.',
      args: pageArguments,
      resolve: async ({ id }, args, context) => {
        const thread = await threadOrNull(context, id);
        return thread && pageOfThread(context, thread, args);
      },
    },
    ReviewNoteConnection,
  ),
);

builder.queryField('reviewNote', (t) =>
  t.field({
    type: ReviewNote,
    nullable: true,
    description: 'One note; null with an error when the viewer may not read it.',
    args: { id: t.arg.id({ required: true, description: 'Global id of the note.' }) },
    resolve: (_root, { id }, { viewer }) => {
      requireSignedIn(viewer);
      return idOf('ReviewNote', id);
    },
  }),
);

const ReviewThread = builder.objectRef<ReadableThread>('ReviewThread').implement({
  description: 'The notes about the review of a version.',
  fields: (t) => ({
    note: t.field({
      type: ReviewNote,
      nullable: true,
      description: 'One note; null with an error for an unknown one, and for one that the viewer may not read.',
      args: { databaseId: t.arg.int({ required: true, description: 'The id in REST.' }) },
      resolve: (thread, { databaseId }) => noteOf(thread, databaseId),
    }),
    notes: t.connection(
      {
        type: ReviewNote,
        description: 'A page of the notes, newest first.',
        args: pageArguments,
        resolve: (thread, args, context) => pageOfThread(context, thread, args),
      },
      ReviewNoteConnection,
    ),
  }),
});

builder.queryField('reviewThread', (t) =>
  t.field({
    type: ReviewThread,
    nullable: true,
    description:
      'The thread of a version, by what addresses have of it; of a deleted version, too. Null with an error for viewers who are neither authors of the add-on nor reviewers.',
    args: {
      addon: t.arg({ type: AddonRefInput, required: true, description: 'What names the add-on.' }),
      version: t.arg({ type: VersionRefInput, required: true, description: 'What names the version.' }),
    },
    resolve: (_root, { addon, version }, context) => {
      requireSignedIn(context.viewer);
      return threadOfAddon(context, addon, version);
    },
  }),
);
