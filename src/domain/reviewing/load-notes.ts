import { AUTOMATIC_REVIEW_ID } from '../../auth/key-holder.ts';
import { NotFoundError } from '../../errors.ts';
import type { KeysetPage } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { type ReadableThread, threadOfVersion } from './note-access.ts';
import { NOTE_ACTIONS, type NoteAction } from './note-actions.ts';

/** A row of the activity log as a review note. */
export interface Note {
  id: number;
  versionId: number;
  action: NoteAction;
  /** The built-in account for rows of the service. */
  accountId: number;
  /** Who replied; null for other actions. */
  by: 'developer' | 'reviewer' | null;
  comments: string;
  created: Date;
}

/** What those who are not reviewers read instead of the words of a referral (people.md D115). */
const REFERRED = 'This add-on has been referred to an administrator.';

/** SQL: the columns of a note `r`. */
export const COLUMNS = `r.id, r.version_id AS "versionId", r.action, r.comments, r.created, r.details->>'by' AS by,
  coalesce(r.account_id, CASE r.action WHEN 'review-requested' THEN (
    SELECT u.account_id FROM upload u WHERE u.version_id = r.version_id) END, ${AUTOMATIC_REVIEW_ID}) AS "accountId"`;

/** SQL: whether row `r` is a note; the condition of the index `activity_review_notes`. */
export const IS_NOTE = `r.action IN (${NOTE_ACTIONS.map((action) => `'${action}'`).join(', ')})`;

/** SQL: the notes of each wanted thread. $1 are version ids, $2 whether the viewer sees the comments of each. */
const WANTED = 'unnest($1::int[], $2::bool[]) AS wanted(version_id, sees)';
const OF_THREAD = `r.version_id = wanted.version_id AND ${IS_NOTE} AND (wanted.sees OR r.action <> 'comment')`;
const position = (id: string) =>
  `(SELECT p.created, p.id FROM activity p WHERE p.id = ${id} AND p.version_id = r.version_id)`;

const selectPages = (name: string, direction: 'ASC' | 'DESC') =>
  prepared<Note>(
    lookupPool,
    name,
    `SELECT n.* FROM ${WANTED} CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM activity r WHERE ${OF_THREAD}
        AND ($3::int IS NULL OR (r.created, r.id) < ${position('$3')})
        AND ($4::int IS NULL OR (r.created, r.id) > ${position('$4')})
      ORDER BY r.created ${direction}, r.id ${direction} LIMIT $5 OFFSET $6::int8) n`,
  );

const [newestFirst, oldestFirst] = [selectPages('review-notes', 'DESC'), selectPages('review-notes-reversed', 'ASC')];

/** A page of a thread, newest first unless inverted; `offset` counts the notes before it. */
export interface NotePage extends KeysetPage {
  offset: number;
}

/** Pages of threads; those with the same bounds are read in one statement. */
export const notesOf = perRequest<{ thread: ReadableThread; page: NotePage }, readonly Note[]>(async (keys) => {
  const boundsOf = ({ page }: { page: NotePage }) => JSON.stringify(page);
  const batches = [...Map.groupBy(keys, boundsOf)].map(async ([bounds, same]) => {
    const { before, after, limit, inverted, offset } = JSON.parse(bounds) as NotePage;
    const read = inverted ? oldestFirst : newestFirst;
    // A request may select the same page twice, as under two aliases.
    const threads = [...new Map(same.map(({ thread }) => [thread.versionId, thread])).values()];
    const rows = await read(...threadArrays(threads), after, before, limit, offset);
    return [bounds, Map.groupBy(rows.map(forReader(threads)), ({ versionId }) => versionId)] as const;
  });
  const found = new Map(await Promise.all(batches));
  return keys.map((key) => found.get(boundsOf(key))?.get(key.thread.versionId) ?? []);
});

const countNotes = prepared<{ versionId: number; count: number }>(
  lookupPool,
  'count-review-notes',
  `SELECT wanted.version_id AS "versionId", (SELECT count(*)::int FROM activity r WHERE ${OF_THREAD}) AS count FROM ${WANTED}`,
);

/** Number of notes of a thread that the viewer sees. */
export const noteCounts = perRequest<ReadableThread, number>(async (threads) => {
  const rows = await countNotes(...threadArrays(threads));
  const byVersion = new Map(rows.map(({ versionId, count }) => [versionId, count]));
  return threads.map(({ versionId }) => byVersion.get(versionId) ?? 0);
});

const threadArrays = (threads: readonly ReadableThread[]) =>
  [threads.map(({ versionId }) => versionId), threads.map(({ seesComments }) => seesComments)] as const;

function forReader(threads: readonly ReadableThread[]): (note: Note) => Note {
  const reviewed = new Set(threads.filter(({ seesComments }) => seesComments).map(({ versionId }) => versionId));
  return (note) => shownTo(note, reviewed.has(note.versionId));
}

/** A note as a viewer reads it who does or does not see the comments between reviewers. */
export const shownTo = (note: Note, seesComments: boolean): Note =>
  note.action === 'super-review-requested' && !seesComments ? { ...note, comments: REFERRED } : note;

const readNotes = prepared<Note>(
  lookupPool,
  'review-notes-by-id',
  `SELECT ${COLUMNS} FROM activity r WHERE r.id = ANY($1) AND ${IS_NOTE} AND r.version_id IS NOT NULL`,
);

/** The note of this id in a thread. @throws {NotFoundError} when there is none that the viewer sees. */
export async function noteOf({ versionId, seesComments }: ReadableThread, id: number): Promise<Note> {
  const [note] = await readNotes([id]);
  if (note === undefined || note.versionId !== versionId) throw new NotFoundError();
  if (note.action === 'comment' && !seesComments) throw new NotFoundError();
  return shownTo(note, seesComments);
}

/** Notes by id in the same order, with an error for each one that the viewer may not read. */
export async function loadNotes(ids: readonly number[], context: Context): Promise<(Note | Error)[]> {
  const byId = new Map((await readNotes(ids)).map((note) => [note.id, note]));
  return Promise.all(ids.map((id) => readable(byId.get(id), context).catch((error: Error) => error)));
}

async function readable(note: Note | undefined, context: Context): Promise<Note> {
  if (note === undefined) throw new NotFoundError();
  const { seesComments } = await threadOfVersion(context, note.versionId);
  if (note.action === 'comment' && !seesComments) throw new NotFoundError();
  return shownTo(note, seesComments);
}
