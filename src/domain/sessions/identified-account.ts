import type { Identity } from '../../auth/identity-provider.ts';
import { SignInError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { anonymousUsername } from '../accounts/anonymous-username.ts';
import { isMailbox } from '../accounts/new-account.ts';
import { recordActivity } from '../activity/record-activity.ts';

/** An account that signs in. */
interface IdentifiedAccount {
  id: number;
  email: string | null;
}

interface KnownAccount extends IdentifiedAccount {
  idpId: string | null;
  isVerified: boolean;
  disabledAt: Date | null;
}

const KNOWN = { id: true, email: true, idpId: true, isVerified: true, disabledAt: true } as const;

/**
 * The account of a person at the provider (people.md D105), created when missing: the one with this identity, else the one with
 * this e-mail address if the provider has verified it. Updates the address of the account.
 * @throws {SignInError} `no-profile` without a usable address, `account-disabled`.
 */
export async function identifiedAccount(tx: Transaction, identity: Identity): Promise<IdentifiedAccount> {
  const { idpId, email, isEmailVerified: isVerified } = identity;
  if (email === null || !isMailbox(email)) throw new SignInError('no-profile');
  const known = await tx.account.findUnique({ where: { idpId }, select: KNOWN });
  const holder = await tx.account.findUnique({ where: { email }, select: KNOWN });
  if (known !== null) {
    requireEnabled(known);
    const isTaken = holder !== null && holder.id !== known.id;
    return isTaken ? known : save(tx, known.id, { email, isVerified });
  }
  if (holder === null || (isVerified && hasOnlyClaimed(holder))) {
    if (holder !== null) await tx.account.update({ where: { id: holder.id }, data: { email: null } });
    return createIdentified(tx, { idpId, email, isVerified });
  }
  if (!isVerified) throw new SignInError('no-profile');
  requireEnabled(holder);
  return save(tx, holder.id, { idpId, email, isVerified });
}

/** Whether an identity stated the address of its account without proof. It must not get the sign-ins of the address's owner. */
const hasOnlyClaimed = ({ idpId, isVerified }: KnownAccount): boolean => idpId !== null && !isVerified;

function requireEnabled({ disabledAt }: KnownAccount): void {
  if (disabledAt !== null) throw new SignInError('account-disabled');
}

type AccountChanges = Parameters<Transaction['account']['update']>[0]['data'];

function save(tx: Transaction, id: number, data: AccountChanges): Promise<IdentifiedAccount> {
  return tx.account.update({ where: { id }, data, select: { id: true, email: true } });
}

/** Creates an account without a chosen name. */
async function createIdentified(
  tx: Transaction,
  data: { idpId: string; email: string; isVerified: boolean },
): Promise<IdentifiedAccount> {
  const username = anonymousUsername();
  const created = await tx.account.create({
    data: { ...data, username, hasChosenUsername: false },
    select: { id: true, email: true },
  });
  const details = { accountId: created.id, username };
  await recordActivity(tx, { action: 'account-created', accountId: created.id, details });
  return created;
}
