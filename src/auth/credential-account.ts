import { Prisma } from '../infra/db.ts';

/** Id of the built-in account `automatic-review`, which the migrations create. */
export const AUTOMATIC_REVIEW_ID = -1;

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
  (a.disabled_at IS NOT NULL OR a.deleted_at IS NOT NULL OR a.id = ${AUTOMATIC_REVIEW_ID}) AS "isInactive",
  extract(epoch FROM clock_timestamp())::float8 AS now,
  ARRAY(SELECT DISTINCT rule FROM group_member m JOIN permission_group g ON g.id = m.group_id, unnest(g.rules) AS rule
    WHERE m.account_id = a.id ORDER BY rule) AS rules`;
