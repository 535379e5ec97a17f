import type { Identity } from '../../auth/identity-provider.ts';
import { InvalidInputError, NotFoundError, SignInError } from '../../errors.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { accountNamed } from '../accounts/administration.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { type AuditActor, COMMAND_LINE, recordAudit } from '../activity/record-audit.ts';
import { queueNotice } from '../mail/notice.ts';

/** What names an identity: the provider and its name for the person. */
interface IdentityName {
  issuer: string;
  subject: string;
}

/** Changes of the identities of one account wait for each other, and for sign-ins that would join it. */
export async function lockAccount(tx: Transaction, accountId: number): Promise<void> {
  await tx.$queryRaw`SELECT FROM account WHERE id = ${accountId} FOR UPDATE`;
}

/** Who links or removes an identity; null for commands. */
type Person = { accountId: number; username: string } | null;

/** What happened to an identity of an account. */
interface IdentityAct extends IdentityName {
  accountId: number;
  person: Person;
}

/**
 * Records that an identity was linked to an account or removed from it: activity, mail to the account, audit entry. Call it last in the
 * transaction of the change.
 */
export async function recordIdentityAct(
  tx: Transaction,
  action: 'identity-linked' | 'identity-removed',
  { accountId, issuer, subject, person }: IdentityAct,
): Promise<void> {
  const details = { accountId, issuer, subject };
  await recordActivity(tx, { action, accountId: person?.accountId ?? null, details });
  await queueNotice(tx, [accountId], {
    name: `account-${action}`,
    values: () => ({ issuer: hostOf(issuer) }),
    path: '/account/identities/',
    byStaff: person?.accountId !== accountId,
  });
  const actor: AuditActor = person ?? COMMAND_LINE;
  await recordAudit(tx, actor, action, details);
}

/** The host of an issuer, for people; the issuer itself where it is no address. */
export const hostOf = (issuer: string): string => URL.parse(issuer)?.host ?? issuer;

/**
 * Links an identity to an account of a person who has proven both. Idempotent.
 * @throws {SignInError} `identity-taken` for an identity of another account.
 */
export async function linkProven(
  tx: Transaction,
  { accountId, username }: { accountId: number; username: string },
  { issuer, subject, email }: Identity,
): Promise<void> {
  await lockAccount(tx, accountId);
  const known = await tx.accountIdentity.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (known?.accountId === accountId) return;
  if (known !== null) throw new SignInError('identity-taken');
  await tx.accountIdentity.create({ data: { accountId, issuer, subject, email, lastUsed: new Date() } });
  await recordIdentityAct(tx, 'identity-linked', { accountId, issuer, subject, person: { accountId, username } });
}

/**
 * Links an identity to an account, as the command line. Returns false when it was linked before.
 * @throws {NotFoundError} for an unknown user, {InvalidInputError} for an identity of another account and a malformed one.
 */
export async function linkIdentityTo(username: string, { issuer, subject }: IdentityName): Promise<boolean> {
  if (!/^[\x20-\x7e]{1,255}$/.test(subject)) throw new InvalidInputError(message('identity.invalid_subject'));
  const work = async (tx: Transaction) => {
    const { id: accountId } = await accountNamed(tx, username);
    await lockAccount(tx, accountId);
    const known = await tx.accountIdentity.findUnique({ where: { issuer_subject: { issuer, subject } } });
    if (known?.accountId === accountId) return false;
    if (known !== null) throw new InvalidInputError(message('identity.taken'));
    await tx.accountIdentity.create({ data: { accountId, issuer, subject } });
    await recordIdentityAct(tx, 'identity-linked', { accountId, issuer, subject, person: null });
    return true;
  };
  return retryAfterConflict(() => db.$transaction(work));
}

/**
 * Removes an identity of an account. `person` is null for commands.
 * @throws {NotFoundError} for an unknown one and that of another account, {InvalidInputError} for the last one.
 */
export async function removeIdentity(
  accountId: number,
  which: { id: number } | IdentityName,
  person: Person,
): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const identities = await tx.accountIdentity.findMany({ where: { accountId } });
    const found = identities.find((each) =>
      'id' in which ? each.id === which.id : each.issuer === which.issuer && each.subject === which.subject,
    );
    if (found === undefined) throw new NotFoundError();
    if (identities.length === 1) throw new InvalidInputError(message('identity.last'));
    await tx.accountIdentity.delete({ where: { id: found.id }, select: { id: true } });
    await recordIdentityAct(tx, 'identity-removed', { ...found, person });
  });
}

/** Removes an identity of a user, as the command line. @throws as `removeIdentity`. */
export async function removeIdentityOf(username: string, name: IdentityName): Promise<void> {
  const { id } = await accountNamed(db, username);
  await removeIdentity(id, name, null);
}

/** The identities of a user, for commands. @throws {NotFoundError} for an unknown user. */
export async function identitiesOf(
  username: string,
): Promise<{ issuer: string; subject: string; email: string | null; created: Date; lastUsed: Date | null }[]> {
  const { id: accountId } = await accountNamed(db, username);
  const select = { issuer: true, subject: true, email: true, created: true, lastUsed: true };
  return db.accountIdentity.findMany({ where: { accountId }, orderBy: { id: 'asc' }, select });
}
