import { Prisma, type Transaction } from '../infra/db.ts';
import type { SignedIn } from './viewer.ts';

/** Id of the built-in account `automatic-review`, which the migrations create. */
export const AUTOMATIC_REVIEW_ID = -1;

/** Id of the built-in account of the operator, which has the collections of curators. */
export const OPERATOR_ID = -2;

/** Whether an account is built in: it has no credentials, and no request names it by its id. */
export const isBuiltIn = (accountId: number): boolean => accountId < 0;

/** The account of a credential, and the time of the look-up. */
export interface CredentialAccount {
  accountId: number;
  username: string;
  readDevAgreement: Date | null;
  /** Disabled, deleted or built in. */
  isInactive: boolean;
  rules: string[];
  /** The database's time in seconds; all processes check tokens by this clock. */
  now: number;
}

/** The columns of a CredentialAccount, from the account `a`. */
export const CREDENTIAL_ACCOUNT = Prisma.sql`a.id AS "accountId", a.username::text AS username, a.read_dev_agreement AS "readDevAgreement",
  (a.disabled_at IS NOT NULL OR a.deleted_at IS NOT NULL OR a.id < 0) AS "isInactive",
  extract(epoch FROM clock_timestamp())::float8 AS now,
  ARRAY(SELECT DISTINCT rule FROM group_member m JOIN permission_group g ON g.id = m.group_id, unnest(g.rules) AS rule
    WHERE m.account_id = a.id ORDER BY rule) AS rules`;

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
