import type { Database } from '../../infra/db.ts';

/** What the operator wrote when they last disabled an account, for its owner; empty without a reason. */
export async function reasonOfDisabling(database: Database, accountId: number): Promise<string> {
  const [last] = await database.$queryRaw<{ comments: string }[]>`
    SELECT comments FROM activity WHERE action = 'account-disabled' AND details->>'accountId' = ${String(accountId)}
    ORDER BY id DESC LIMIT 1`;
  return last?.comments ?? '';
}
