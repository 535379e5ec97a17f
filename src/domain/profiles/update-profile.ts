import { requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError, refusedField, refusedFields } from '../../errors.ts';
import { db, Prisma, type Transaction } from '../../infra/db.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { type Message, message } from '../../texts/messages.ts';
import { anonymousUsername } from '../accounts/account-names.ts';
import type { AccountRef } from '../accounts/account-ref.ts';
import { editableAccountId } from '../accounts/find-account.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockAddonsOf, publishAddonsOf } from '../listing/publish-addons.ts';
import { recordAccountAct } from '../mail/record-staff-act.ts';
import { ACCOUNT_PICTURE } from '../pictures/picture-kinds.ts';
import { judgePicture, receivePicture } from '../pictures/receive-picture.ts';
import { checkProfile, type ProfileTexts, type ProfileValues } from './check-profile.ts';

/** Changes to an account. Absent fields do not change. */
interface ProfileChanges {
  values: ProfileValues;
  picture: Promise<UploadedFile> | null;
}

const TAKEN = message('account.username_taken');

/**
 * Counts a change of an account, which may follow in the body of the request.
 * @throws what `editableAccountId` throws, and {ThrottledError} above the limit.
 */
export async function checkAccountEditLimit(viewer: Viewer, by: AccountRef): Promise<void> {
  const editor = requireSignedIn(viewer);
  await editableAccountId(viewer, by);
  await consumeLimit('account-edit-minute', editor.accountId);
}

/**
 * Changes what an account states about itself, and its picture (contract, PATCH account). Returns its id. The caller has counted the change by `checkAccountEditLimit`.
 * @throws what `editableAccountId` throws, and {InvalidInputError} for all fields at fault together, the picture as `file`: then
 * nothing changes.
 */
export async function updateProfile(
  viewer: Viewer,
  by: AccountRef,
  { values, picture }: ProfileChanges,
): Promise<number> {
  const editor = requireSignedIn(viewer);
  const id = await editableAccountId(viewer, by);
  const { username } = await db.account.findUniqueOrThrow({ where: { id }, select: { username: true } });
  const { texts, problems } = checkProfile(values, username);
  if (typeof texts.username === 'string' && (await isTaken(texts.username, id))) problems.set('username', TAKEN);
  if (problems.size > 0) {
    throw refusedFields(new Map<string, Message>([...problems, ...(await pictureProblems(editor, picture))]));
  }
  const stored = picture && (await receivePicture(editor.accountId, picture, ACCOUNT_PICTURE));
  const changes = stored ? { ...texts, pictureSha256: stored.sha256 } : texts;
  await db.$transaction((tx) => writeProfile(tx, editor, id, changes)).catch(explainConflict);
  return id;
}

async function isTaken(username: string, id: number): Promise<boolean> {
  return (await db.account.findFirst({ where: { username, id: { not: id } }, select: { id: true } })) !== null;
}

/** What is wrong with the picture of changes that are refused for another reason. */
async function pictureProblems(
  { accountId }: SignedIn,
  picture: Promise<UploadedFile> | null,
): Promise<[string, Message][]> {
  if (picture === null) return [];
  try {
    await judgePicture(accountId, picture, ACCOUNT_PICTURE);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return [['file', error.reason]];
  }
}

const COLUMNS = {
  biography: true,
  displayName: true,
  homepage: true,
  location: true,
  occupation: true,
  username: true,
  hasChosenUsername: true,
  pictureSha256: true,
} as const;

/** Also updates the documents of all add-ons that list the account as an author. */
async function writeProfile(
  tx: Transaction,
  editor: SignedIn,
  id: number,
  { username, ...others }: ProfileTexts & { pictureSha256?: string },
): Promise<void> {
  if (username !== undefined) await lockAddonsOf(tx, id);
  await tx.$queryRaw`SELECT FROM account WHERE id = ${id} FOR NO KEY UPDATE`;
  const current = await tx.account.findFirst({ where: { id, deletedAt: null }, select: COLUMNS });
  if (current === null) throw new NotFoundError();
  const wanted = { ...others, ...nameColumns(username, current) };
  const changed = Object.entries(wanted).filter(([name, value]) => value !== current[name as keyof typeof current]);
  if (changed.length === 0) return;
  await tx.account.update({ where: { id }, data: Object.fromEntries(changed), select: { id: true } });
  const details = { accountId: id, fields: changed.map(([name]) => name) };
  await recordActivity(tx, { action: 'account-edited', accountId: editor.accountId, details });
  await publishAddonsOf(tx, id);
  const notice = { name: 'account-edited', path: '/account/' } as const;
  await recordAccountAct(tx, editor, id, { action: 'account-edited', details, notice });
}

/** The columns of a chosen username; null drops it, if there is one. */
function nameColumns(
  username: string | null | undefined,
  current: { username: string; hasChosenUsername: boolean },
): { username?: string; hasChosenUsername?: boolean } {
  if (username === undefined || username === current.username) return {};
  if (username !== null) return { username, hasChosenUsername: true };
  return current.hasChosenUsername ? { username: anonymousUsername(), hasChosenUsername: false } : {};
}

/** A concurrent change may take the username after the check. */
function explainConflict(error: unknown): never {
  const isConflict = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
  throw isConflict ? refusedField('username', TAKEN) : error;
}
