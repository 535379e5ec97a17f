/*
 * Comments of reviewers on lines of a version. A comment is a draft of its reviewer until a decision, a request for information or a reply of
 * that reviewer about the version sends it, in the transaction and the text of the note.
 */
import { requireReviewer, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, refusedField } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { linesOf } from '../../package/code/text-lines.ts';
import { message } from '../../texts/messages.ts';
import { MAX_NOTE_LENGTH, noteText } from '../activity/note-text.ts';
import { isOneOf, NOT_A_VERSION } from '../addons/stages.ts';
import { readableCode } from '../code/package-contents.ts';
import { archiveText, packageArchive, packageFiles } from '../code/read-code.ts';
import { versionWithAddon } from '../versions/find-version.ts';
import { type LockedVersion, lockVersion, requireNewest } from './lock-version.ts';

/** Drafts of one reviewer about one version. */
export const MAX_DRAFTS = 50;
/** Characters of the line that a comment quotes. */
const MAX_QUOTE = 200;

/** What a comment is about, and its text. */
export interface LineText {
  path: string;
  /** From 1. */
  line: number;
  /** The line, cut. */
  quote: string;
  text: string;
}

/** Control and format characters, which would change how a quoted line looks. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const quoteOf = (line: string): string =>
  [
    ...line
      .replaceAll('\t', ' ')
      .trim()
      .slice(0, 4 * MAX_QUOTE),
  ]
    .slice(0, MAX_QUOTE)
    .join('')
    .toWellFormed()
    .replace(INVISIBLE, '\ufffd');

/** Comments on lines as plain text: place, quoted line, text. */
const linesText = (comments: readonly LineText[]): string =>
  comments.map(({ path, line, quote, text }) => `${path}:${line}\n> ${quote}\n${text}`).join('\n\n');

/** The text of a note with comments on lines. */
export const withLines = (text: string, comments: readonly LineText[]): string =>
  [text, linesText(comments)].filter((part) => part !== '').join('\n\n');

/** A draft to write. */
interface NewDraft extends Pick<LineText, 'path' | 'line' | 'text'> {
  versionId: number;
}

/**
 * Adds a draft. Returns its id.
 * @throws {NotFoundError}, {NotAuthenticatedError}, {NotPermittedError} without the reviewer permission of the type and channel,
 * {ThrottledError}, {InvalidInputError} for a file or line that the package does not have, for the text, above the limits, and for a
 * version that neither waits nor is the newest of its channel, because no note could send the draft.
 */
export async function createDraft(context: Context, { versionId, path, line, text: given }: NewDraft): Promise<number> {
  const account = requireSignedIn(context.viewer);
  const { facts, addon } = await versionWithAddon(context, versionId);
  const isKnown = facts.deletedAt === null && addon.deletedAt === null && !isOneOf(NOT_A_VERSION, facts.stage);
  if (!isKnown) throw new NotFoundError();
  requireReviewer(context.viewer, addon, facts.channel);
  await consumeLimit('review-note-minute', account.accountId);
  const text = noteText(given, { field: 'text', required: true });
  const sha256 = await readableCode(context, facts);
  if (sha256 === null) throw refusedField('path', message('review.no_such_file', { path }));
  const quote = quoteOf(await requireLine(sha256, path, line));
  return db.$transaction(async (tx) => {
    const version = await lockVersion(tx, versionId);
    requireReviewer(context.viewer, version.addon, version.channel);
    await requireSendable(tx, version);
    await requireRoom(tx, { versionId, account }, { path, line, quote, text });
    const accountId = account.accountId;
    const { id } = await tx.lineComment.create({ data: { versionId, accountId, path, line, quote, text } });
    return id;
  });
}

/** The text of a line. @throws {InvalidInputError} for a file that is no text, and a line that it does not have. */
async function requireLine(sha256: string, path: string, line: number): Promise<string> {
  const file = (await packageFiles(sha256)).find((each) => each.path === path);
  const content = file?.isText ? await archiveText(packageArchive(sha256), path) : null;
  if (content === null) throw refusedField('path', message('review.no_such_file', { path }));
  const lines = linesOf(content.text);
  const found = lines[line - 1];
  if (found === undefined) throw refusedField('line', message('review.no_such_line', { path, count: lines.length }));
  return found;
}

/** @throws {InvalidInputError} for a version about which no note can be written that sends the draft. */
async function requireSendable(tx: Transaction, version: LockedVersion): Promise<void> {
  if (version.queued === null) await requireNewest(tx, version);
}

interface Owner {
  versionId: number;
  account: SignedIn;
}

/** The drafts of a reviewer, in the order of files and lines. */
const draftsOf = (tx: Transaction, { versionId, account: { accountId } }: Owner) =>
  tx.lineComment.findMany({
    where: { versionId, accountId, activityId: null },
    orderBy: [{ path: 'asc' }, { line: 'asc' }, { id: 'asc' }],
  });

/** @throws {InvalidInputError} when the drafts with this one are too many, or longer than a note. */
async function requireRoom(tx: Transaction, owner: Owner, added: LineText, exceptId = 0): Promise<void> {
  const others = (await draftsOf(tx, owner)).filter(({ id }) => id !== exceptId);
  if (others.length >= MAX_DRAFTS) {
    throw refusedField('text', message('review.too_many_line_comments', { count: MAX_DRAFTS }));
  }
  requireLength(linesText([...others, added]), 'text');
}

function requireLength(text: string, field: string): void {
  if ([...text].length <= MAX_NOTE_LENGTH) return;
  throw refusedField(field, message('review.line_comments_too_long', { count: MAX_NOTE_LENGTH }));
}

/** A draft of the viewer, whose version is locked. @throws {NotFoundError} for others, {InvalidInputError} for a sent one. */
async function requireOwnDraft(tx: Transaction, account: SignedIn, id: number) {
  const where = { id, accountId: account.accountId };
  const found = await tx.lineComment.findFirst({ where, select: { versionId: true } });
  if (found === null) throw new NotFoundError();
  await lockVersion(tx, found.versionId);
  const draft = await tx.lineComment.findFirst({ where });
  if (draft === null) throw new NotFoundError();
  if (draft.activityId !== null) throw new InvalidInputError(message('review.line_comment_sent'));
  return draft;
}

/** Changes the text of a draft. @throws {NotAuthenticatedError}, {NotFoundError}, {InvalidInputError} for the text and a sent one. */
export async function updateDraft(viewer: Viewer, id: number, given: string): Promise<void> {
  const account = requireSignedIn(viewer);
  const text = noteText(given, { field: 'text', required: true });
  await db.$transaction(async (tx) => {
    const draft = await requireOwnDraft(tx, account, id);
    await requireRoom(tx, { versionId: draft.versionId, account }, { ...draft, text }, id);
    await tx.lineComment.update({ where: { id }, data: { text } });
  });
}

/** Deletes a draft. @throws {NotAuthenticatedError}, {NotFoundError}, {InvalidInputError} for a sent one. */
export async function deleteDraft(viewer: Viewer, id: number): Promise<void> {
  const account = requireSignedIn(viewer);
  await db.$transaction(async (tx) => {
    await requireOwnDraft(tx, account, id);
    await tx.lineComment.delete({ where: { id } });
  });
}

/** The text of a note, and what marks the drafts in it as sent. */
export interface NoteWithLines {
  comments: string;
  send(activityId: number): Promise<void>;
}

/**
 * The text of a note with the reviewer's drafts about the version. With drafts, the typed text may be empty.
 * @throws {InvalidInputError} on `comments` for a missing text, and when both are too long together.
 */
export async function noteWithDrafts(
  tx: Transaction,
  owner: Owner,
  typed: string,
  { required }: { required: boolean },
): Promise<NoteWithLines> {
  const drafts = await draftsOf(tx, owner);
  const text = noteText(typed, { required: required && drafts.length === 0 });
  const comments = withLines(text, drafts);
  requireLength(comments, 'comments');
  const send = async (activityId: number) => {
    if (drafts.length === 0) return;
    await tx.lineComment.updateMany({ where: { id: { in: drafts.map(({ id }) => id) } }, data: { activityId } });
  };
  return { comments, send };
}
