import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { addon } from '../support/factories.ts';
import { closedPort, type LoopbackMailServer, startMailServer } from '../support/mail-server.ts';
import { addons } from '../support/program.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { createAccount } = await import('../../src/domain/accounts/administration.ts');

let server: LoopbackMailServer;
let folder: string;
const run = (words: string[], settings: Record<string, string> = {}) =>
  addons(words, { DATABASE_URL: database.url, MAIL_DOMAIN: 'addons.example', ...settings });
const printed = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });

beforeAll(async () => {
  server = await startMailServer();
  folder = await mkdtemp(join(tmpdir(), 'mail-commands-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server.close();
  await closeDatabase();
  await database.drop();
});

it('mail test sends a mail at once, or prints why it was not accepted', async () => {
  const SMTP_URL = server.url;
  expect(await run(['mail', 'test', 'ada@example.org'], { SMTP_URL })).toEqual(
    printed('The mail server accepted a mail to ada@example.org.'),
  );
  expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.org']]);
  server.outcomes.push({ at: 'rcpt', status: 451 });
  const refused = await run(['mail', 'test', 'ada@example.org'], { SMTP_URL });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^.*not sent: .*451.*\n$/)]);
  const unreachable = { SMTP_URL: `smtp://127.0.0.1:${await closedPort()}` };
  expect((await run(['mail', 'test', 'ada@example.org'], unreachable)).code).toBe(1);
  expect(await run(['mail', 'test', 'ada@example.org'])).toEqual(
    printed('SMTP_URL is not set: the mail to ada@example.org waits in the outbox.'),
  );
  expect((await run(['mail', 'test', 'no address'])).code).toBe(1);
  const mails = await db.outgoingMail.findMany({ orderBy: { id: 'asc' }, select: { state: true } });
  expect(mails.map(({ state }) => state)).toEqual(['sent', 'failed', 'failed', 'queued']);
});

it('mail list prints the outbox, and mail retry makes dead letters wait again', async () => {
  const { stdout } = await run(['mail', 'list', '--json']);
  const mails = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(mails).toHaveLength(4);
  expect(mails[0]).toMatchObject({
    to: 'ada@example.org',
    state: 'queued',
    notification: null,
    attempts: 0,
    sent: null,
  });
  expect(mails[0].headers).toContainEqual({ name: 'Auto-Submitted', value: 'auto-generated' });
  expect((await run(['mail', 'list'])).stdout).toMatch(/^\d+ {2}\S+ {2}queued \(0\) {2}ada@example\.org {2}/);
  expect(await run(['mail', 'retry'])).toEqual(printed('2 mails are sent again.'));
  expect(await run(['mail', 'retry', '--json'])).toEqual(printed('{"retried":0}'));
});

it('mail send reaches the accounts that have the type on, in their language, with an audit row', async () => {
  const names = ['default', 'off', 'on', 'german', 'disabled', 'user'];
  const ids = new Map<string, number>();
  for (const username of names) {
    ids.set(username, (await createAccount({ username, email: `${username}@example.org` })).id);
  }
  const id = (name: string) => ids.get(name) ?? 0;
  await addon({ authors: ['default', 'off', 'on', 'german', 'disabled'].map(id) });
  await db.account.update({ where: { id: id('disabled') }, data: { disabledAt: new Date() } });
  await db.account.update({ where: { id: id('german') }, data: { locale: 'de' } });
  const setting = (name: string, notification: string, enabled: boolean) => ({
    accountId: id(name),
    name: notification,
    enabled,
  });
  await db.notificationSetting.createMany({
    data: [
      setting('off', 'new_features', false),
      setting('on', 'announcements', true),
      setting('disabled', 'announcements', true),
      setting('user', 'announcements', true),
    ],
  });
  const file = join(folder, 'news.txt');
  await writeFile(file, 'News <b>\n');
  const send = (notification: string) =>
    run(['mail', 'send', '--notification', notification, '--subject', 'News', file]);
  const queued = async () => {
    const mails = await db.outgoingMail.findMany({
      where: { isBulk: true },
      include: { account: true },
      orderBy: { id: 'asc' },
    });
    await db.outgoingMail.deleteMany();
    return mails;
  };
  expect(await send('new_features')).toEqual(printed('Queued for 4 accounts.'));
  const features = await queued();
  expect(features.map(({ account }) => account?.username).sort()).toEqual(['default', 'german', 'on', 'user']);
  expect(new Set(features.map(({ headers }) => JSON.stringify(headers))).size).toBe(4);
  expect(features.find(({ account }) => account?.locale === 'de')?.text).toMatch(
    /^News <b>\n\nSie erhalten diese E-Mail/,
  );
  expect(features[0]?.html).toContain('News &lt;b&gt;');

  expect(await send('announcements')).toEqual(printed('Queued for 1 account.'));
  expect((await queued()).map(({ account }) => account?.username)).toEqual(['on']);
  expect((await send('reviewer_reviewed')).code).toBe(1);
  expect((await run(['mail', 'send', '--notification', 'announcements', '--subject', ' ', file])).code).toBe(1);
  expect(
    (await run(['mail', 'send', '--notification', 'announcements', '--subject', 'S', `${file}.missing`])).code,
  ).toBe(1);
  const audit = await db.auditEntry.findMany({ where: { action: 'mailing-sent' }, orderBy: { id: 'asc' } });
  expect(audit.map(({ details }) => details)).toMatchObject([
    { notification: 'new_features', subject: 'News', recipients: 4 },
    { notification: 'announcements', subject: 'News', recipients: 1 },
  ]);
});
