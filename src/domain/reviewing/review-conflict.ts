/* The guard of reviews against each other: with an act, a client sends the newest note that it read. */
import { canReadReviewerComments } from '../../auth/review-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { ConflictError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { type Message, message } from '../../texts/messages.ts';
import { accountName } from '../accounts/account-names.ts';
import { IS_NOTE, NOTE_COLUMNS, type NoteRow } from './load-notes.ts';
import type { LockedVersion } from './lock-version.ts';

/** A version to act on. `expectedNote` is the newest note that the client read: null for none, undefined to skip the comparison. */
export interface ReviewTarget {
  versionId: number;
  expectedNote?: number | null;
}

/** A version and the activity row of a note on it. */
export interface NotedVersion {
  versionId: number;
  activityId: number;
}

/** Others have decided about the version, or written in its thread, since the client read it. */
export class ReviewConflictError extends ConflictError {
  /** The decision, else the newest note. */
  readonly note: NotedVersion;

  constructor(text: Message, note: NotedVersion) {
    super(text, ['newestNote']);
    this.note = note;
  }
}

/**
 * Notes get their ids under the lock of the add-on, in the order in which they are written.
 * @throws {ReviewConflictError} when the viewer sees a note that is newer than the expected one.
 */
export async function requireExpectedNote(
  tx: Transaction,
  viewer: Viewer,
  { id, number, channel, addon, queued }: LockedVersion,
  expectedNote: ReviewTarget['expectedNote'],
): Promise<void> {
  if (expectedNote === undefined) return;
  const seesComments = canReadReviewerComments(viewer, addon, { channel, isInReferral: queued?.isReferred ?? false });
  const [newer] = await tx.$queryRawUnsafe<NoteRow[]>(NEWER_NOTE, id, expectedNote ?? 0, seesComments);
  if (newer === undefined) return;
  const account = await tx.account.findUniqueOrThrow({ where: { id: newer.accountId } });
  const params = { version: number, name: accountName(account) };
  throw new ReviewConflictError(message(conflictCode(newer), params), { versionId: id, activityId: newer.id });
}

const NEWER_NOTE = `SELECT ${NOTE_COLUMNS} FROM activity r
  WHERE r.version_id = $1 AND ${IS_NOTE} AND r.id > $2 AND ($3 OR r.action <> 'comment')
  ORDER BY r.action IN ('approved', 'rejected') DESC, r.id DESC LIMIT 1`;

function conflictCode({ action }: NoteRow) {
  if (action === 'approved') return 'review.approved_since';
  return action === 'rejected' ? 'review.rejected_since' : 'review.note_since';
}
