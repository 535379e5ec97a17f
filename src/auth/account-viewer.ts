import type { Transaction } from '../infra/db.ts';
import { KEY_HOLDER, type KeyHolder } from './key-holder.ts';
import type { SignedIn } from './viewer.ts';

/** An account as a viewer, for requests that a reply address authenticates. Null when it is unknown, disabled or deleted. */
export async function mailViewer(tx: Transaction, accountId: number): Promise<SignedIn | null> {
  const [holder] = await tx.$queryRaw<KeyHolder[]>`SELECT ${KEY_HOLDER} FROM account a WHERE a.id = ${accountId}`;
  if (holder === undefined || holder.isGone) return null;
  const { username, rules } = holder;
  return { kind: 'account', accountId, username, rules, via: { scheme: 'mail' } };
}
