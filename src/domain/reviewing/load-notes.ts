import { AUTOMATIC_REVIEW_ID } from '../../auth/credential-account.ts';
import { NotFoundError } from '../../errors.ts';
import { type KeysetPage, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { englishText, message } from '../../texts/messages.ts';
import { NO_VERSION } from '../versions/find-version.ts';
import { type ReadableThread, threadOfVersion } from './note-access.ts';
import { NOTE_ACTIONS, type NoteAction } from './note-actions.ts';

/** A row of the activity log as a review note. */
export interface NoteRow {
  id: number;
  versionId: number;
  action: NoteAction;
  /** The built-in account for rows of the service. */
  accountId: number;
  /** Who replied; null for other actions. */
  by: 'developer' | 'reviewer' | null;
  comments: string;
  /** Whether `comments` are a sentence of the service in place of the words of a referral. */
  isWithheld?: boolean;
  created: Date;
}

/** What those who are not reviewers read instead of the words of a referral (docs/decisions.md D115). */
export const REFERRAL_PLACEHOLDER = message('review.referred');

/** SQL: the columns of a note `r`. */
export const NOTE_COLUMNS = `r.id, r.version_id AS "versionId", r.action, r.comments, r.created, r.details->>'by' AS by,
  coalesce(r.account_id, CASE r.action WHEN 'review-requested' THEN (
    SELECT u.account_id FROM upload u WHERE u.version_id = r.version_id) END, ${AUTOMATIC_REVIEW_ID}) AS "accountId"`;

/** SQL: whether row `r` is a note; the condition of the index `activity_review_notes`. */
export const IS_NOTE = `r.action IN (${NOTE_ACTIONS.map((action) => `'${action}'`).join(', ')})`;

/** SQL: the notes of each wanted thread. $1 are version ids, $2 whether the viewer sees the comments. */
const WANTED = 'unnest($1::int[]) AS wanted(version_id)';
const OF_THREAD = `r.version_id = wanted.version_id AND ${IS_NOTE} AND ($2::bool OR r.action <> 'comment')`;
const position = (id: string) =>
  `(SELECT p.created, p.id FROM activity p WHERE p.id = ${id} AND p.version_id = r.version_id)`;

const selectPages = (name: string, direction: 'ASC' | 'DESC') =>
  prepared<NoteRow>(
    lookupPool,
    name,
    `SELECT n.* FROM ${WANTED} CROSS JOIN LATERAL (
      SELECT ${NOTE_COLUMNS} FROM activity r WHERE ${OF_THREAD}
        AND ($3::int IS NULL OR (r.created, r.id) < ${position('$3')})
        AND ($4::int IS NULL OR (r.created, r.id) > ${position('$4')})
      ORDER BY r.created ${direction}, r.id ${direction} LIMIT $5 OFFSET $6::int8) n`,
  );

const [newestFirst, oldestFirst] = [selectPages('review-notes', 'DESC'), selectPages('review-notes-reversed', 'ASC')];

/** A page of a thread, newest first unless inverted; `offset` counts the notes before it. */
interface NotePage extends KeysetPage {
  offset: number;
}

type Reader = Pick<ReadableThread, 'seesComments'>;

const pages = pageLoader<NoteRow & { parentId: number }, NotePage & Reader>(async (versionIds, page) => {
  const { before, after, limit, inverted, offset, seesComments } = page;
  const read = inverted ? oldestFirst : newestFirst;
  const rows = await read(versionIds, seesComments, after, before, limit, offset);
  return rows.map((note) => ({ ...shownTo(note, seesComments), parentId: note.versionId }));
});

/** A page of a thread. */
export const notesOf = (context: Context, { versionId, seesComments }: ReadableThread, page: NotePage) =>
  pages(context, versionId, { ...page, seesComments });

const countNotes = prepared<{ parentId: number; count: number }>(
  lookupPool,
  'count-review-notes',
  `SELECT wanted.version_id AS "parentId", (SELECT count(*)::int FROM activity r WHERE ${OF_THREAD}) AS count FROM ${WANTED}`,
);

const counts = pageLoader<{ parentId: number; count: number }, Reader>((versionIds, { seesComments }) =>
  countNotes(versionIds, seesComments),
);

/** Number of notes of a thread that the viewer sees. */
export async function noteCount(context: Context, { versionId, seesComments }: ReadableThread): Promise<number> {
  return (await counts(context, versionId, { seesComments }))[0]?.count ?? 0;
}

/** A note as a viewer reads it who does or does not see the comments between reviewers. */
export const shownTo = (note: NoteRow, seesComments: boolean): NoteRow =>
  note.action === 'super-review-requested' && !seesComments
    ? { ...note, comments: englishText(REFERRAL_PLACEHOLDER), isWithheld: true }
    : note;

const readNotes = prepared<NoteRow>(
  lookupPool,
  'review-notes-by-id',
  `SELECT ${NOTE_COLUMNS} FROM activity r WHERE r.id = ANY($1) AND ${IS_NOTE} AND r.version_id IS NOT NULL`,
);

/** The note of this id in a thread. @throws {NotFoundError} when there is none that the viewer sees. */
export async function noteOf({ versionId, seesComments }: ReadableThread, id: number): Promise<NoteRow> {
  const [note] = await readNotes([id]);
  if (note === undefined || note.versionId !== versionId) throw new NotFoundError();
  if (note.action === 'comment' && !seesComments) throw new NotFoundError();
  return shownTo(note, seesComments);
}

/** Notes by id in the same order, with an error for each one that the viewer may not read. */
export async function loadNotes(ids: readonly number[], context: Context): Promise<(NoteRow | Error)[]> {
  const byId = new Map((await readNotes(ids)).map((note) => [note.id, note]));
  return Promise.all(ids.map((id) => readable(byId.get(id), context).catch((error: Error) => error)));
}

/** An unknown note takes the statements of a known one, so that the time does not reveal which notes exist. */
async function readable(note: NoteRow | undefined, context: Context): Promise<NoteRow> {
  const { seesComments } = await threadOfVersion(context, note?.versionId ?? NO_VERSION);
  if (note === undefined || (note.action === 'comment' && !seesComments)) throw new NotFoundError();
  return shownTo(note, seesComments);
}
