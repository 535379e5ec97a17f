import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { addon } from './factories.ts';
import { type Visitor, visitorOf } from './pages.ts';

/** The username of an account. */
export async function usernameOf(app: TestApp, { accountId }: Client): Promise<string> {
  const [row] = await app.sql<{ username: string }>('select username from account where id = $1', [accountId]);
  return row?.username ?? '';
}

/** A visitor whose sign-in was longer ago than pages of credentials accept. */
export async function signedInLongAgo(app: TestApp): Promise<Visitor> {
  const client = await app.developer();
  const visitor = await visitorOf(app, client);
  await app.sql(
    `update page_session set created = now() - interval '16 minutes'
     where access_token_id in (select id from access_token where account_id = $1)`,
    [client.accountId],
  );
  return visitor;
}

/** A visitor who is the author of a new add-on, and their client. */
export async function authorOf(app: TestApp, slug: string): Promise<{ visitor: Visitor; client: Client }> {
  const client = await app.developer();
  await addon({ slug, authors: [Number(client.accountId)] });
  return { visitor: await visitorOf(app, client), client };
}
