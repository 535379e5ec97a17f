import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { db, type Prisma, type Transaction } from '../../infra/db.ts';
import { accountNamed } from '../accounts/administration.ts';
import { requireEditableAccount } from '../accounts/target-accounts.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { COMMAND_LINE } from '../activity/record-audit.ts';
import { recordAccountAct } from '../mail/record-staff-act.ts';

/**
 * Ends sessions: their access tokens are refused from the next request on, in every process, and the page sessions made with
 * them end. `actor` is an account id; null for commands. Returns how many were valid before.
 */
async function endSessions(
  tx: Transaction,
  where: Prisma.AccessTokenWhereInput,
  actor: number | null,
): Promise<number> {
  const ended = await tx.accessToken.updateManyAndReturn({
    where: { ...where, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true, accountId: true },
  });
  const tokenIds = ended.map(({ id }) => id);
  await tx.pageSession.deleteMany({ where: { accessTokenId: { in: tokenIds } } });
  const details = { tokenIds, ownerId: ended[0]?.accountId };
  if (ended.length > 0) await recordActivity(tx, { action: 'session-ended', accountId: actor, details });
  return ended.length;
}

/**
 * Ends the session of the request (docs/decisions.md D99). A one-time token has none. Returns how many ended.
 * @throws {NotAuthenticatedError} for an anonymous viewer.
 */
export async function signOut(viewer: Viewer): Promise<number> {
  const { accountId, via } = requireSignedIn(viewer);
  if (via.scheme !== 'bearer' && via.scheme !== 'page') return 0;
  return db.$transaction((tx) => endSessions(tx, { id: via.tokenId }, accountId));
}

/**
 * Ends all sessions of the viewer but that of the request. A one-time token has none, so that it ends all of them. Returns how many
 * were valid before.
 * @throws {NotAuthenticatedError} for an anonymous viewer.
 */
export async function endOtherSessions(viewer: Viewer): Promise<number> {
  const { accountId, via } = requireSignedIn(viewer);
  const others = 'tokenId' in via ? { id: { not: via.tokenId } } : {};
  return db.$transaction((tx) => endSessions(tx, { ...others, accountId, expires: { gt: new Date() } }, accountId));
}

const ENDED = { name: 'account-session-ended', path: '/account/sessions/' } as const;

/**
 * Ends one session of the viewer, or of any account with `Users:Edit`. Idempotent.
 * @throws {NotAuthenticatedError}, {NotFoundError} for unknown sessions and those of other accounts, {NotPermittedError} for one of
 * an account above the viewer's rank.
 */
export async function endSession(viewer: Viewer, id: number): Promise<void> {
  const actor = requireSignedIn(viewer);
  const found = await db.accessToken.findUnique({ where: { id }, select: { accountId: true } });
  if (found === null || !canSeePrivateAccount(viewer, found.accountId)) throw new NotFoundError();
  const { accountId } = found;
  await db.$transaction(async (tx) => {
    await requireEditableAccount(tx, viewer, accountId);
    if ((await endSessions(tx, { id }, actor.accountId)) === 0) return;
    const act = { action: 'session-ended', details: { tokenId: id, accountId }, notice: ENDED };
    await recordAccountAct(tx, actor, accountId, act);
  });
}

/** The sessions of an account that are valid now, the newest first. */
export const validSessions = () =>
  ({ where: { revokedAt: null, expires: { gt: new Date() } }, orderBy: { id: 'desc' } }) as const;

/**
 * The valid sessions of a user, for commands.
 * @throws {NotFoundError} for an unknown user.
 */
export async function sessionsOf(
  username: string,
): Promise<{ id: number; label: string; created: Date; expires: Date; lastUsed: Date | null }[]> {
  const { id: accountId } = await accountNamed(db, username);
  const { where, orderBy } = validSessions();
  const select = { id: true, label: true, created: true, expires: true, lastUsed: true };
  return db.accessToken.findMany({ where: { ...where, accountId }, orderBy, select });
}

/**
 * Ends all sessions of a user, as the command line. Returns how many were valid before.
 * @throws {NotFoundError} for an unknown user.
 */
export async function endSessionsOf(username: string): Promise<number> {
  return db.$transaction(async (tx) => {
    const { id: accountId } = await accountNamed(tx, username);
    const ended = await endSessions(tx, { accountId, expires: { gt: new Date() } }, null);
    if (ended === 0) return 0;
    const act = { action: 'sessions-ended', details: { accountId, ended }, notice: ENDED };
    await recordAccountAct(tx, COMMAND_LINE, accountId, act);
    return ended;
  });
}
