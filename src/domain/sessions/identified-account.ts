import type { Identity } from '../../auth/identity-provider.ts';
import { SignInError } from '../../errors.ts';
import type { Database, Prisma, Transaction } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { anonymousUsername } from '../accounts/account-names.ts';
import { isMailbox } from '../accounts/new-account.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockAccount } from './link-identity.ts';

/** An account that signs in. */
export interface IdentifiedAccount {
  id: number;
  username: string;
  email: string | null;
  /** Whether this sign-in has linked its identity to an existing account. */
  isJoined: boolean;
}

const KNOWN = {
  ...{ id: true, username: true, email: true, isVerified: true, disabledAt: true },
  _count: { select: { identities: true, groups: true } },
} as const;

type KnownAccount = Prisma.AccountGetPayload<{ select: typeof KNOWN }>;

/**
 * The account of a person at the provider, created when missing: the one with this identity, else the one with this e-mail address if
 * the provider has verified it and the account has neither an identity nor a group. All other accounts are joined by `linkProven`,
 * from a session of the account, or by the operator's command: an address alone, which providers assign again, proves too little.
 * @throws {SignInError} `no-profile` without a usable address, `account-disabled`, `identity-not-linked`.
 */
export async function identifiedAccount(tx: Transaction, identity: Identity): Promise<IdentifiedAccount> {
  const { email } = identity;
  if (email === null || !isMailbox(email)) throw new SignInError('no-profile');
  const usable = { ...identity, email };
  const known = await signInKnown(tx, usable);
  if (known !== null) return known;
  const holder = await lockedHolder(tx, email);
  if (holder === null) return createIdentified(tx, usable);
  // A concurrent sign-in of the same person may have made the account since the first look-up.
  return (await signInKnown(tx, usable)) ?? joinHolder(tx, holder, usable);
}

/** The account with this identity; null for none. */
async function signInKnown(tx: Transaction, identity: UsableIdentity): Promise<IdentifiedAccount | null> {
  const { issuer, subject } = identity;
  const known = await tx.accountIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { id: true, email: true, account: { select: KNOWN } },
  });
  if (known === null) return null;
  await requireEnabled(tx, known.account);
  return signedIn(tx, known, identity);
}

async function joinHolder(tx: Transaction, holder: KnownAccount, identity: UsableIdentity): Promise<IdentifiedAccount> {
  const { issuer, subject } = identity;
  if (!identity.isEmailVerified) throw new SignInError('no-profile');
  if (hasOnlyClaimed(holder)) {
    await tx.account.update({ where: { id: holder.id }, data: { email: null }, select: { id: true } });
    return createIdentified(tx, identity);
  }
  await requireEnabled(tx, holder);
  if (holder._count.identities + holder._count.groups > 0) {
    // The operator finds here what `addons user link` needs.
    log.warn(
      { username: holder.username, issuer, subject },
      'a sign-in with the address of this account was not linked to it',
    );
    throw new SignInError('identity-not-linked');
  }
  await tx.account.update({ where: { id: holder.id }, data: { isVerified: true }, select: { id: true } });
  await insertIdentity(tx, holder.id, identity);
  return { id: holder.id, username: holder.username, email: holder.email, isJoined: true };
}

/** The account with this address, locked so that two identities cannot both join it; null for none. */
async function lockedHolder(tx: Transaction, email: string): Promise<KnownAccount | null> {
  const found = await tx.account.findUnique({ where: { email }, select: { id: true } });
  if (found === null) return null;
  await lockAccount(tx, found.id);
  // Reads what a concurrent sign-in has changed since the first look-up.
  return tx.account.findUnique({ where: { email }, select: KNOWN });
}

/**
 * Whether an identity stated the address of its account without proof. It must not get the sign-ins of the address's owner. Accounts
 * of staff keep their address: the operator decides about it.
 */
const hasOnlyClaimed = ({ isVerified, _count }: KnownAccount): boolean =>
  !isVerified && _count.identities > 0 && _count.groups === 0;

async function requireEnabled(tx: Transaction, { id, disabledAt }: KnownAccount): Promise<void> {
  if (disabledAt !== null) throw new SignInError('account-disabled', await reasonOfDisabling(tx, id));
}

type UsableIdentity = Identity & { email: string };

/**
 * Notes the use of an identity. The address of the account follows the identity that it comes from: a verified one replaces it unless
 * another account has it. An unverified one changes nothing.
 */
async function signedIn(
  tx: Transaction,
  known: { id: number; email: string | null; account: KnownAccount },
  { email, isEmailVerified }: UsableIdentity,
): Promise<IdentifiedAccount> {
  const { account } = known;
  const stated = isEmailVerified ? { email } : {};
  await tx.accountIdentity.update({
    where: { id: known.id },
    data: { ...stated, lastUsed: new Date() },
    select: { id: true },
  });
  const unchanged = { id: account.id, username: account.username, email: account.email, isJoined: false };
  if (!isEmailVerified || !followsIdentity(known)) return unchanged;
  const holder = await tx.account.findUnique({ where: { email }, select: { id: true } });
  if (holder !== null && holder.id !== account.id) return unchanged;
  await tx.account.update({ where: { id: account.id }, data: { email, isVerified: true }, select: { id: true } });
  return { ...unchanged, email };
}

function followsIdentity({ email, account }: { email: string | null; account: KnownAccount }): boolean {
  const isOwnAddress = email !== null && email.toLowerCase() === account.email?.toLowerCase();
  return account.email === null || account._count.identities === 1 || isOwnAddress;
}

function insertIdentity(
  tx: Transaction,
  accountId: number,
  { issuer, subject, email }: UsableIdentity,
): Promise<{ id: number }> {
  const data = { accountId, issuer, subject, email, lastUsed: new Date() };
  return tx.accountIdentity.create({ data, select: { id: true } });
}

/** Creates an account without a chosen name. */
async function createIdentified(tx: Transaction, identity: UsableIdentity): Promise<IdentifiedAccount> {
  const username = anonymousUsername();
  const { email, isEmailVerified: isVerified } = identity;
  const { id } = await tx.account.create({
    data: { email, isVerified, username, hasChosenUsername: false },
    select: { id: true },
  });
  await insertIdentity(tx, id, identity);
  await recordActivity(tx, { action: 'account-created', accountId: id, details: { accountId: id, username } });
  return { id, username, email, isJoined: false };
}

/** What the operator wrote when they last disabled an account, for its owner; empty without a reason. */
async function reasonOfDisabling(database: Database, accountId: number): Promise<string> {
  const [last] = await database.$queryRaw<{ comments: string }[]>`
    SELECT comments FROM activity WHERE action = 'account-disabled' AND details->>'accountId' = ${String(accountId)}
    ORDER BY id DESC LIMIT 1`;
  return last?.comments ?? '';
}
