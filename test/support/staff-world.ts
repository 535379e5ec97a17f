/* What the pages of administrators list. */
import type { TestApp } from './app.ts';

/** Groups of which the accounts are members, and mails; returns the ids of one each. */
export async function addStaffObjects(
  app: TestApp,
  accountIds: readonly number[],
): Promise<{ group: number; mail: number; account: number }> {
  const size = accountIds.length - 1;
  const groups = await app.sql<{ id: number }>(
    `INSERT INTO permission_group (name, rules) SELECT 'Group ' || $1::int || '-' || n, '{}' FROM generate_series(1, $1::int) AS n
     RETURNING id`,
    [size],
  );
  await app.sql(
    'INSERT INTO group_member (group_id, account_id) SELECT g, a FROM unnest($1::int[]) AS g, unnest($2::int[]) AS a',
    [groups.map(({ id }) => id), accountIds],
  );
  const [mail] = await app.sql<{ id: number }>('SELECT max(id) AS id FROM outgoing_mail');
  return { group: groups[0]?.id ?? 0, mail: mail?.id ?? 0, account: accountIds[0] ?? 0 };
}

interface StaffWorld {
  idOf: { group: number; mail: number; account: number };
}

/** Their addresses, by the path of the row. */
export const STAFF_ADDRESSES = {
  '/admin/users/:id/': ({ idOf }: StaffWorld) => `/admin/users/${idOf.account}/`,
  '/admin/groups/:id/': ({ idOf }: StaffWorld) => `/admin/groups/${idOf.group}/`,
  '/admin/mail/:id/': ({ idOf }: StaffWorld) => `/admin/mail/${idOf.mail}/`,
};
