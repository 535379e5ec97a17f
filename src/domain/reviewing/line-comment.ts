/* Comments on lines in GraphQL: who reads them, and the drafts of the viewer. */
import { requireSignedIn } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, type ObjectFields } from '../../graphql/builder.ts';
import { countedFields, type KeysetPage, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { mutation } from '../../graphql/mutation.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { Version } from '../versions/version.ts';
import { createDraft, deleteDraft, type LineText, MAX_DRAFTS, updateDraft, withLines } from './line-drafts.ts';
import { threadOfVersion } from './note-access.ts';
import { threadOrNull } from './note-queries.ts';
import { ReviewNote } from './review-note.ts';

interface StoredComment extends LineText {
  id: number;
  versionId: number;
  accountId: number;
  /** The note that sent it; null for a draft. */
  activityId: number | null;
  created: Date;
}

const COLUMNS = `c.id, c.version_id AS "versionId", c.account_id AS "accountId", c.activity_id AS "activityId", c.path, c.line,
  c.quote, c.text, c.created`;

const readComments = prepared<StoredComment>(
  lookupPool,
  'line-comments-by-id',
  `SELECT ${COLUMNS} FROM line_comment c WHERE c.id = ANY($1)`,
);

/** The account id of the viewer; 0, which no account has, for anonymous ones. */
const readerId = ({ viewer }: Context): number => (viewer.kind === 'account' ? viewer.accountId : 0);

async function loadComments(ids: readonly number[], context: Context): Promise<(StoredComment | Error)[]> {
  const byId = new Map((await readComments(ids)).map((comment) => [comment.id, comment]));
  return Promise.all(ids.map((id) => readable(byId.get(id), context).catch((error: Error) => error)));
}

/** Drafts are for their reviewer, sent comments for readers of the thread. @throws {NotFoundError} for others. */
async function readable(comment: StoredComment | undefined, context: Context): Promise<StoredComment> {
  if (comment === undefined) throw new NotFoundError();
  if (comment.activityId === null && comment.accountId !== readerId(context)) throw new NotFoundError();
  await threadOfVersion(context, comment.versionId);
  return comment;
}

const LineComment = loadableNode<StoredComment>('LineComment', loadComments);

builder.objectType(LineComment, {
  description: 'A comment of a reviewer on a line in a file of a version.',
  fields: (t) => ({
    version: t.field({ type: Version, description: 'The version.', resolve: ({ versionId }) => versionId }),
    path: t.exposeString('path', { description: 'Path of the file in the package.' }),
    line: t.exposeInt('line', { description: 'Number of the line in the file, from 1.' }),
    quote: t.exposeString('quote', { description: 'The line, cut after 200 characters.' }),
    text: t.exposeString('text', { description: 'Plain text.' }),
    user: t.field({
      type: AccountSummary,
      description: 'The reviewer.',
      resolve: ({ accountId }, _args, context) => accountSummary(context, accountId),
    }),
    note: t.field({
      type: ReviewNote,
      nullable: true,
      description: 'The note that sent it; null for a draft, which its reviewer alone reads.',
      resolve: ({ activityId }) => activityId,
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

/** SQL: what the viewer $2 reads of the version; $3 is a path or null, $4 whether only drafts are wanted. */
const OF_VERSION = `FROM line_comment c WHERE c.version_id = wanted.version_id AND ($3::text IS NULL OR c.path = $3)
  AND CASE WHEN c.activity_id IS NULL THEN c.account_id = $2 ELSE $4::bool IS NOT TRUE END AND ($4 IS DISTINCT FROM false OR c.activity_id IS NOT NULL)`;
const position = (id: string) =>
  `(SELECT p.path COLLATE "C", p.line, p.id FROM line_comment p WHERE p.id = ${id} AND p.version_id = c.version_id)`;

const selectPages = (name: string, direction: 'ASC' | 'DESC') =>
  prepared<StoredComment>(
    lookupPool,
    name,
    `SELECT n.* FROM unnest($1::int[]) AS wanted(version_id) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} ${OF_VERSION}
        AND ($5::int IS NULL OR (c.path COLLATE "C", c.line, c.id) > ${position('$5')})
        AND ($6::int IS NULL OR (c.path COLLATE "C", c.line, c.id) < ${position('$6')})
      ORDER BY c.path COLLATE "C" ${direction}, c.line ${direction}, c.id ${direction} LIMIT $7) n`,
  );

const [inOrder, reversed] = [selectPages('line-comments', 'ASC'), selectPages('line-comments-reversed', 'DESC')];

interface CommentPage extends KeysetPage {
  path: string | null;
  isDraft: boolean | null;
}

const pages = pageLoader<StoredComment & { parentId: number }, CommentPage>(async (versionIds, page, context) => {
  const { path, isDraft, after, before, limit, inverted } = page;
  const read = inverted ? reversed : inOrder;
  const rows = await read(versionIds, readerId(context), path, isDraft, after, before, limit);
  return rows.map((comment) => ({ ...comment, parentId: comment.versionId }));
});

const countComments = prepared<{ parentId: number; count: number }>(
  lookupPool,
  'count-line-comments',
  `SELECT wanted.version_id AS "parentId", (SELECT count(*)::int ${OF_VERSION}) AS count
   FROM unnest($1::int[]) AS wanted(version_id)`,
);

const counts = pageLoader<{ parentId: number; count: number }, Pick<CommentPage, 'path' | 'isDraft'>>(
  (versionIds, { path, isDraft }, context) => countComments(versionIds, readerId(context), path, isDraft),
);

builder.objectField(Version, 'lineComments', (t) =>
  t.connection(
    {
      type: LineComment,
      nullable: true,
      description:
        'Comments of reviewers on its lines, by path and line: those that were sent with notes, and the drafts of the viewer. Null for viewers who may not read the thread of its review.',
      args: {
        path: t.arg.string({ description: 'Only those on this file.' }),
        isDraft: t.arg.boolean({ description: 'Only drafts, or only those that were sent.' }),
      },
      resolve: async ({ id }, { path = null, isDraft = null, ...cursors }, context) => {
        if ((await threadOrNull(context, id)) === null) return null;
        const name = `Version.lineComments/${id}`;
        const wanted = { path: path === null ? null : comparableText(path), isDraft };
        const page = await keysetConnection(name, cursors, (keys) => pages(context, id, { ...keys, ...wanted }));
        return { ...page, totalCount: async () => (await counts(context, id, wanted))[0]?.count ?? 0 };
      },
    },
    {
      name: 'LineCommentConnection',
      description: 'One page of the comments on lines of a version.',
      fields: (t) => countedFields(t),
    },
    { name: 'LineCommentEdge', description: 'A comment and its cursor.' },
  ),
);

const readSent = prepared<StoredComment>(
  lookupPool,
  'line-comments-of-notes',
  `SELECT ${COLUMNS} FROM line_comment c WHERE c.activity_id = ANY($1) ORDER BY c.path, c.line, c.id`,
);

const sentComments = perRequest<number, StoredComment[]>(async (noteIds) => {
  const byNote = Map.groupBy(await readSent(noteIds), ({ activityId }) => activityId);
  return noteIds.map((id) => byNote.get(id) ?? []);
});

builder.objectFields(ReviewNote, (t) => ({
  lineComments: t.field({
    type: [LineComment],
    description:
      'The comments on lines that were sent with it, by path and line. `comments` has them as plain text, too.',
    extensions: { items: MAX_DRAFTS },
    resolve: ({ id }, _args, context) => sentComments(context).load(id),
  }),
  text: t.string({
    description: 'Its text without the comments on lines.',
    resolve: async ({ id, comments }, _args, context) => {
      const lines = withLines('', await sentComments(context).load(id));
      return lines !== '' && comments.endsWith(lines) ? comments.slice(0, -lines.length).trimEnd() : comments;
    },
  }),
}));

const TEXT =
  'Plain text. The drafts about a version have at most 10,000 characters together, with paths and quoted lines.';

const draftPayload = (t: ObjectFields<{ id: number }>) => ({
  lineComment: t.field({ type: LineComment, description: 'The draft.', resolve: ({ id }) => id }),
});

mutation('createLineComment', {
  description: `Drafts a comment on a line of a version that waits for review or is the newest of its channel. The next decision, request for information or reply of the viewer about the version sends it. Requires the reviewer permission of its type and channel; a reviewer has at most ${MAX_DRAFTS} drafts about a version.`,
  input: 'A new draft.',
  inputFields: (t) => ({
    version: t.id({ required: true, description: 'Global id of the version.' }),
    path: t.string({ required: true, description: 'Path of a text file in its package.' }),
    line: t.int({ required: true, description: 'Number of a line of the file, from 1.' }),
    text: t.string({ required: true, description: TEXT }),
  }),
  resolve: async ({ version, ...draft }, context) => {
    requireSignedIn(context.viewer);
    return { id: await createDraft(context, { ...draft, versionId: idOf('Version', version, 'version') }) };
  },
  payloadFields: draftPayload,
});

mutation('updateLineComment', {
  description: 'Changes the text of a draft of the viewer.',
  input: 'A draft and its new text.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the draft.' }),
    text: t.string({ required: true, description: TEXT }),
  }),
  resolve: async ({ id: given, text }, { viewer }) => {
    requireSignedIn(viewer);
    const id = idOf('LineComment', given);
    await updateDraft(viewer, id, text);
    return { id };
  },
  payloadFields: draftPayload,
});

mutation('deleteLineComment', {
  description: 'Deletes a draft of the viewer.',
  input: 'The draft to delete.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the draft.' }) }),
  resolve: async ({ id: given }, { viewer }) => {
    requireSignedIn(viewer);
    const id = idOf('LineComment', given);
    await deleteDraft(viewer, id);
    return { id };
  },
  payloadFields: (t) => ({
    deletedId: t.globalID({
      description: 'Global id of the deleted draft.',
      resolve: ({ id }) => ({ type: 'LineComment', id }),
    }),
  }),
});
