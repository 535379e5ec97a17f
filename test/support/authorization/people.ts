/* Accounts with the permission rules of roles, and their viewers. */
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';

/**
 * Creates an account with a group for each role, both with the name of the role after `prefix`. Anonymous has one too, which no viewer
 * uses.
 */
export async function makePeople<Some extends string>(
  app: TestApp,
  rules: Readonly<Record<Some, readonly string[] | null>>,
  prefix = '',
): Promise<{ ids: Record<Some, number>; viewers: Record<Some, Viewer> }> {
  const roles = Object.keys(rules) as Some[];
  const accounts = await app.sql<{ role: Some; id: number }>(
    `INSERT INTO account (username, email) SELECT $2 || role, $2 || role || '@example.org' FROM unnest($1::text[]) AS role
     RETURNING substr(username::text, length($2) + 1) AS role, id`,
    [roles, prefix],
  );
  for (const { role, id } of accounts) {
    await app.sql(
      `WITH g AS (INSERT INTO permission_group (name, rules) VALUES ($1, $2) RETURNING id)
       INSERT INTO group_member (group_id, account_id) SELECT id, $3 FROM g`,
      [prefix + role, rules[role] ?? [], id],
    );
  }
  const viewers = accounts.map(({ role, id }) => [role, viewerOf(prefix + role, rules[role], id)]);
  return {
    ids: Object.fromEntries(accounts.map(({ role, id }) => [role, id])) as Record<Some, number>,
    viewers: Object.fromEntries(viewers) as Record<Some, Viewer>,
  };
}

function viewerOf(username: string, rules: readonly string[] | null, accountId: number): Viewer {
  if (rules === null) return { kind: 'anonymous' };
  return { kind: 'account', accountId, username, rules, via: { scheme: 'bearer', tokenId: 1, signedInAt: new Date() } };
}
