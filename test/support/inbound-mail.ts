import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import type { Client, Reply } from './client.ts';
import { addon } from './factories.ts';

export const SECRET = 'a-secret-of-16-or-more';
export const PATH = '/api/v4/activity/mail';

/** A service that receives mail, and a new version with reply addresses for each test. */
export interface Inbound {
  app: TestApp;
  /** Author of the add-on. */
  owner: Client;
  reviewer: Client;
  /** Has a reply address too, but is neither author nor reviewer. */
  stranger: Client;
  addonId: number;
  versionId: number;
  addressOf(person: Client): string;
  /** Recipients: addresses, or the reply addresses of people. */
  to(...people: (string | Client)[]): { EmailAddress: string }[];
  /** Posts a body, as JSON unless it is a text. */
  post(values: unknown, path?: string, headers?: Record<string, string>): Promise<Reply>;
  /** The body of a reply by mail. */
  mail(person: Client, message?: Record<string, unknown>, rest?: Record<string, unknown>): Record<string, unknown>;
  /** The replies in the thread of the version. */
  notes(): Promise<{ account_id: number; comments: string; by: string }[]>;
}

/** Starts the service before the tests of a file. */
export function useInbound(): Inbound {
  let addresses = new Map<number, string>();
  const addressOf: Inbound['addressOf'] = ({ accountId }) => addresses.get(accountId ?? 0) ?? '';
  const to: Inbound['to'] = (...people) =>
    people.map((each) => ({ EmailAddress: typeof each === 'string' ? each : addressOf(each) }));
  const inbound = {} as Inbound;
  const helpers: Pick<Inbound, 'addressOf' | 'to' | 'post' | 'mail' | 'notes'> = {
    addressOf,
    to,
    post: (values, path = PATH, headers = {}) =>
      inbound.app.anonymous.request('POST', path, {
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof values === 'string' ? values : JSON.stringify(values),
      }),
    mail: (person, message = {}, rest = {}) => ({
      SecretKey: SECRET,
      Message: { TextBody: 'A reply.', MessageId: `<${randomUUID()}@example.org>`, ...message },
      To: to(person),
      ...rest,
    }),
    notes: () =>
      inbound.app.sql(
        `SELECT account_id, comments, details->>'by' AS by FROM activity
         WHERE version_id = $1 AND action = 'review-note' ORDER BY id`,
        [inbound.versionId],
      ),
  };
  Object.assign(inbound, helpers);

  beforeAll(async () => {
    inbound.app = await startApp({
      settings: {
        MAIL_DOMAIN: 'addons.example',
        INBOUND_MAIL_SECRET: SECRET,
        INBOUND_MAIL_VALIDATION_KEY: 'a key',
        TRUSTED_PROXIES: ['127.0.0.1'],
      },
    });
    inbound.owner = await inbound.app.developer();
    inbound.reviewer = await inbound.app.reviewer();
    inbound.stranger = await inbound.app.developer();
  });
  afterAll(() => inbound.app.close());

  beforeEach(async () => {
    await inbound.app.sql('DELETE FROM outgoing_mail');
    await inbound.app.sql('DELETE FROM reply_address');
    const made = await addon({
      authors: [inbound.owner.accountId ?? 0],
      versions: [{ version: '1.0', stage: 'awaiting_review', files: [{ status: 1 }] }],
      status: 'pending',
    });
    inbound.addonId = made.id;
    inbound.versionId = made.versions[0]?.id ?? 0;
    const { replyAddress, insertReplyAddresses } = await import('../../src/domain/mail/reply-address.ts');
    const { db } = await import('../../src/infra/db.ts');
    const people = [inbound.owner, inbound.reviewer, inbound.stranger].map(({ accountId }) => accountId ?? 0);
    // Numbers of mails that do not exist: the address depends on the number alone.
    const mails = people.map((accountId) => ({ id: 1_000_000 + made.id * 10 + people.indexOf(accountId), accountId }));
    await db.$transaction((tx) => insertReplyAddresses(tx, inbound.versionId, mails));
    addresses = new Map(mails.map(({ id, accountId }) => [accountId, replyAddress(id)]));
  });
  return inbound;
}
