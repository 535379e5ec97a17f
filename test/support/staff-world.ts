/* What the pages of administrators list, and webhooks. */
import type { TestApp } from './app.ts';

/** Groups of which the accounts are members, and mails; returns the ids of one each. */
export async function addStaffObjects(app: TestApp, accountIds: readonly number[]): Promise<Record<string, number>> {
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
  const webhook = await addWebhook(app, null, size);
  return { group: groups[0]?.id ?? 0, mail: mail?.id ?? 0, account: accountIds[0] ?? 0, serviceWebhook: webhook };
}

/** A webhook with this many deliveries, of the service for null. Returns its id. */
export async function addWebhook(app: TestApp, addonId: number | null, size: number): Promise<number> {
  const [webhook] = await app.sql<{ id: number }>(
    `INSERT INTO webhook (addon_id, url, sealed_secret, actions) VALUES ($1, 'https://hooks.example/', '', '{published}') RETURNING id`,
    [addonId],
  );
  await app.sql(
    `INSERT INTO webhook_delivery (webhook_id, action, data, state, finished)
     SELECT $1, 'published', '{}', 'delivered', now() FROM generate_series(1, $2)`,
    [webhook?.id, size],
  );
  return webhook?.id ?? 0;
}

interface StaffWorld {
  values: Readonly<Record<string, string>>;
  idOf: Readonly<Record<string, number>>;
}

/** Their addresses, by the path of the row. */
export const STAFF_ADDRESSES = {
  '/admin/users/:id/': ({ idOf }: StaffWorld) => `/admin/users/${idOf.account}/`,
  '/admin/groups/:id/': ({ idOf }: StaffWorld) => `/admin/groups/${idOf.group}/`,
  '/developers/addon/:ref/webhooks/:id/': ({ values, idOf }: StaffWorld) =>
    `/developers/addon/${values.ref}/webhooks/${idOf.webhook}/`,
  '/admin/webhooks/:id/': ({ idOf }: StaffWorld) => `/admin/webhooks/${idOf.serviceWebhook}/`,
  '/admin/mail/:id/': ({ idOf }: StaffWorld) => `/admin/mail/${idOf.mail}/`,
};
