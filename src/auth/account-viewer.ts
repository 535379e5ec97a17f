import type { Transaction } from '../infra/db.ts';
import { CREDENTIAL_ACCOUNT, type CredentialAccount } from './credential-account.ts';
import type { SignedIn } from './viewer.ts';

/** An account as a viewer, for requests that a reply address authenticates. Null when it is unknown, disabled or deleted. */
export async function mailViewer(tx: Transaction, accountId: number): Promise<SignedIn | null> {
  return (await mailViewers(tx, [accountId]))[0] ?? null;
}

/** The accounts with these ids as viewers, without unknown, disabled and deleted ones. */
export async function mailViewers(tx: Transaction, accountIds: readonly number[]): Promise<SignedIn[]> {
  const holders = await tx.$queryRaw<CredentialAccount[]>`
    SELECT ${CREDENTIAL_ACCOUNT} FROM account a WHERE a.id = ANY (${[...accountIds]}::int[])`;
  return holders
    .filter(({ isInactive }) => !isInactive)
    .map(({ accountId, username, rules }) => ({
      kind: 'account',
      accountId,
      username,
      rules,
      via: { scheme: 'mail' },
    }));
}
