/* What people do about versions in review: one act on one version, or on several of an add-on at once. */
import { requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import {
  fieldMessagesOf,
  InvalidInputError,
  NotFoundError,
  NotPermittedError,
  refusedField,
  ServiceError,
} from '../../errors.ts';
import { globalId } from '../../graphql/global-id.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { message } from '../../texts/messages.ts';
import { recordReply } from './reply.ts';
import { type NotedVersion, ReviewConflictError, type ReviewTarget } from './review-conflict.ts';
import { type ActOnVersion, approveVersion, rejectVersion } from './review-version.ts';
import { commentOnVersion, referVersion, requestInformation } from './write-note.ts';

export const REVIEW_ACTS = ['approve', 'reject', 'request-information', 'refer', 'reply', 'comment'] as const;

export type ReviewAct = (typeof REVIEW_ACTS)[number];

const reply: ActOnVersion = (tx, { accountId }, target, text) =>
  recordReply(tx, { ...target, accountId, sendsDrafts: true, text });

const WORK: Readonly<Record<ReviewAct, ActOnVersion>> = {
  ...{ approve: approveVersion, reject: rejectVersion, 'request-information': requestInformation },
  ...{ refer: referVersion, comment: commentOnVersion, reply },
};

/** Each of these versions has a note and mails of its own. */
export const MAX_VERSIONS = 20;

/** @throws {ThrottledError} above the limit of notes; decisions have none. */
async function countNotes({ accountId }: SignedIn, act: ReviewAct, versions: number): Promise<void> {
  if (act === 'approve' || act === 'reject') return;
  for (let counted = 0; counted < versions; counted++) await consumeLimit('review-note-minute', accountId);
}

/** Acts on a version. @throws {NotAuthenticatedError}, {ThrottledError}, and what the act throws. */
export async function reviewVersion(
  viewer: Viewer,
  act: ReviewAct,
  target: ReviewTarget,
  comments: string,
): Promise<NotedVersion> {
  const account = requireSignedIn(viewer);
  await countNotes(account, act, 1);
  return db.$transaction((tx) => WORK[act](tx, account, target, comments));
}

/**
 * Acts on several versions of an add-on with the same text, on all of them or on none. Each gets its own note, audit entry and mails.
 * @throws what `reviewVersion` throws, with the version at fault; {InvalidInputError} on `versions` without one, for more than
 * `MAX_VERSIONS`, and for those of several add-ons.
 */
export async function reviewVersions(
  viewer: Viewer,
  act: ReviewAct,
  targets: readonly ReviewTarget[],
  comments: string,
): Promise<NotedVersion[]> {
  const account = requireSignedIn(viewer);
  const distinct = [...new Map(targets.map((target) => [target.versionId, target])).values()];
  if (distinct.length === 0) throw refusedField('versions', message('review.no_versions'));
  if (distinct.length > MAX_VERSIONS) {
    throw refusedField('versions', message('field.too_many_entries', { count: MAX_VERSIONS }));
  }
  await countNotes(account, act, distinct.length);
  return db.$transaction(async (tx) => {
    await requireOneAddon(tx, distinct);
    const notes: NotedVersion[] = [];
    for (const target of distinct) {
      try {
        notes.push(await WORK[act](tx, account, target, comments));
      } catch (error) {
        throw distinct.length === 1 ? error : await ofVersion(tx, target.versionId, error);
      }
    }
    return notes;
  });
}

/** One lock then serves all versions, so that two such transactions cannot wait for each other. */
async function requireOneAddon(tx: Transaction, targets: readonly ReviewTarget[]): Promise<void> {
  const where = { id: { in: targets.map(({ versionId }) => versionId) } };
  const addons = await tx.version.findMany({ where, distinct: ['addonId'], select: { addonId: true } });
  if (addons.length > 1) throw refusedField('versions', message('review.several_addons'));
}

/** A refusal that names the version at fault: by its number where the viewer may act on it, otherwise by the id that the viewer sent. */
async function ofVersion(tx: Transaction, versionId: number, error: unknown): Promise<unknown> {
  if (!(error instanceof ServiceError) || error instanceof ReviewConflictError) return error;
  const id = globalId('Version', versionId);
  if (error instanceof NotFoundError) return new NotFoundError(message('review.version_not_found', { id }));
  if (error instanceof NotPermittedError) return new NotPermittedError(message('review.version_not_permitted', { id }));
  if (!(error instanceof InvalidInputError)) return error;
  const { version } = await tx.version.findUniqueOrThrow({ where: { id: versionId }, select: { version: true } });
  const refused = message('review.version_refused', { version });
  const fields = fieldMessagesOf(error);
  return new InvalidInputError(
    refused,
    fields === null ? { versions: [refused, error.reason] } : { versions: [refused], ...fields },
  );
}
