import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { AuditActor } from '../activity/record-audit.ts';
import { queueNotice } from '../mail/notice.ts';
import { recordAccountAct } from '../mail/record-staff-act.ts';
import { type ApiKeyOptions, issueApiKey } from './issue-credentials.ts';
import { requireEditableAccount } from './target-accounts.ts';

/** Records that an account accepts the developer agreement, which API keys require (contract, Account). */
export async function acceptAgreement(tx: Transaction, accountId: number): Promise<void> {
  const { count } = await tx.account.updateMany({
    where: { id: accountId, readDevAgreement: null },
    data: { readDevAgreement: new Date() },
  });
  if (count > 0) await recordActivity(tx, { action: 'developer-agreement-accepted', accountId });
}

/**
 * Records that the viewer accepts the developer agreement. Idempotent. Returns the id of the account.
 * @throws {NotAuthenticatedError}.
 */
export async function acceptAgreementAs(viewer: Viewer): Promise<number> {
  const { accountId } = requireSignedIn(viewer);
  await db.$transaction((tx) => acceptAgreement(tx, accountId));
  return accountId;
}

/**
 * Creates an API key of the viewer, who must accept the developer agreement now or have accepted it before.
 * @throws {NotAuthenticatedError}, {InvalidInputError} without the agreement, for an add-on of others, and as `issueApiKey` does.
 */
export async function createApiKey(
  viewer: Viewer,
  { acceptsAgreement, ...options }: ApiKeyOptions & { acceptsAgreement: boolean },
): Promise<{ id: number; secret: string }> {
  const { accountId } = requireSignedIn(viewer);
  return db.$transaction(async (tx) => {
    if (options.addonId != null) await requireOwnAddon(tx, accountId, options.addonId);
    if (acceptsAgreement) await acceptAgreement(tx, accountId);
    const { readDevAgreement } = await tx.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { readDevAgreement: true },
    });
    if (readDevAgreement === null) {
      throw refusedField('acceptDeveloperAgreement', message('key.agreement_not_accepted'));
    }
    const { id, key, secret } = await issueApiKey(tx, accountId, options);
    await recordActivity(tx, { action: 'api-key-created', accountId, details: { key } });
    await queueNotice(tx, [accountId], { name: 'own-key-created', values: () => ({ key }), path: '/account/keys/' });
    return { id, secret };
  });
}

/** @throws {InvalidInputError} unless the account is an author of the add-on. */
async function requireOwnAddon(tx: Transaction, accountId: number, addonId: number): Promise<void> {
  const found = await tx.addonAuthor.count({ where: { accountId, addonId, addon: { deletedAt: null } } });
  if (found === 0) throw refusedField('addon', message('key.not_author'));
}

/**
 * Revokes an API key of the viewer, or of any account with `Users:Edit`. Idempotent. Returns its id.
 * @throws {NotAuthenticatedError}, {NotFoundError} for unknown keys and keys of other accounts, {NotPermittedError} for a key of an
 * account above the viewer's rank.
 */
export async function revokeApiKey(viewer: Viewer, id: number): Promise<number> {
  const actor = requireSignedIn(viewer);
  const where = { id, account: { deletedAt: null } };
  const found = await db.apiKey.findUnique({ where, select: { accountId: true, key: true } });
  if (found === null || !canSeePrivateAccount(viewer, found.accountId)) throw new NotFoundError();
  await db.$transaction(async (tx) => {
    await requireEditableAccount(tx, viewer, found.accountId);
    if (await markRevoked(tx, { id }, actor.accountId)) await recordKeyRevocation(tx, actor, found);
  });
  return id;
}

/** Records that staff revoked a key of another account. */
export async function recordKeyRevocation(
  tx: Transaction,
  actor: AuditActor,
  { accountId, key }: { accountId: number; key: string },
): Promise<void> {
  await recordAccountAct(tx, actor, accountId, {
    action: 'api-key-revoked',
    details: { accountId, key },
    notice: { name: 'account-key-revoked', values: () => ({ key }), path: '/account/keys/' },
  });
}

/** Marks a key revoked and logs it; `actor` is null for commands. Returns false when it was revoked before. */
export async function markRevoked(
  tx: Transaction,
  where: { id: number } | { key: string },
  actor: number | null,
): Promise<boolean> {
  const [revoked] = await tx.apiKey.updateManyAndReturn({
    where: { ...where, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { key: true, accountId: true },
  });
  if (revoked === undefined) return false;
  const details = { key: revoked.key, ownerId: revoked.accountId };
  await recordActivity(tx, { action: 'api-key-revoked', accountId: actor, details });
  return true;
}
