import { expect, it } from 'vitest';
import { encodeForm } from '../support/client.ts';
import { useOutbox } from '../support/outbox.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../support/pages.ts';

const outbox = useOutbox();

it('an unsubscribe link of a mail switches its type off, after a confirmation or by one click', async () => {
  const { app } = outbox;
  const { accountId } = await app.developer();
  expect(await outbox.queue({ accountId, notification: 'new_features' })).toBe(true);
  await outbox.work();
  const [mail] = outbox.server.mails;
  expect(mail?.headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
  const link = /^<(.+)>$/.exec(mail?.headers.get('list-unsubscribe')?.[0] ?? '')?.[1] ?? '';
  expect(link.startsWith(`${app.config.BASE_URL}/account/unsubscribe/`)).toBe(true);
  const { pathname } = new URL(link);
  const settings = () => app.sql('SELECT name, enabled FROM notification_setting WHERE account_id = $1', [accountId]);

  const page = await app.anonymous.get(pathname);
  expect([page.status, page.headers['content-security-policy']]).toEqual([
    200,
    expect.stringContaining("form-action 'self'"),
  ]);
  expect(await settings()).toEqual([]);
  const inLanguage = async (language: string, path = pathname) =>
    (await app.anonymous.request('GET', path, { headers: { 'Accept-Language': language } })).text;
  expect(page.text).toContain('<html lang="en" dir="ltr">');
  const german = documentOf({ text: await inLanguage('de-AT, en;q=0.5') });
  expect(german('html[lang=de][dir=ltr] main button').text()).toBe('Abbestellen');
  const hebrew = documentOf({ text: await inLanguage('he') });
  expect(hebrew('html[lang=he][dir=rtl] main button').text()).toBe('ביטול הרשמה');
  expect(await inLanguage('de', '/account/unsubscribe/x/')).toContain('<h1>Nicht gefunden</h1>');

  const tampered = pathname.replace(/.\/$/, (end) => (end === '0/' ? '1/' : '0/'));
  const otherAccount = pathname.replace(/\/\d+-/, `/${Number(accountId) + 1}-`);
  const otherType = pathname.replace('new_features', 'announcements');
  const mandatory = pathname.replace('new_features', 'reviewer_reviewed');
  for (const path of [tampered, otherAccount, otherType, mandatory, '/account/unsubscribe/x/']) {
    expect((await app.anonymous.get(path)).status).toBe(404);
    expect((await app.anonymous.request('POST', path)).status).toBe(404);
  }
  app.config.READ_ONLY = true;
  expect((await app.anonymous.request('POST', pathname)).status).toBe(503);
  app.config.READ_ONLY = false;
  expect(await settings()).toEqual([]);

  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = 'List-Unsubscribe=One-Click';
  expect((await app.anonymous.request('POST', pathname, { headers, body })).status).toBe(200);
  expect((await app.anonymous.request('POST', pathname, { headers, body })).status).toBe(200);
  expect(await settings()).toEqual([{ name: 'new_features', enabled: false }]);
  expect(await outbox.queue({ accountId, notification: 'new_features', cause: 'test:after' })).toBe(false);
});

it('the form of the page is one of this site, for signed-in visitors too', async () => {
  const { app } = outbox;
  const client = await app.developer();
  const { unsubscribeUrl } = await import('../../src/domain/mail/unsubscribe.ts');
  const path = new URL(unsubscribeUrl(Number(client.accountId), 'new_features')).pathname;
  const settings = () => app.sql('SELECT enabled FROM notification_setting WHERE account_id = $1', [client.accountId]);
  const anonymous = new Visitor(app);
  const visitor = await visitorOf(app, client);

  const page = await visitor.get(path);
  expect([page.status, textOf(page).includes('News about add-ons for users')]).toEqual([200, true]);
  expect((await anonymous.get(path)).headers['cache-control']).toBe('no-store');
  expect((await anonymous.submit(path, 'unsubscribe', {}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await visitor.submit(path, 'unsubscribe', { csrf: 'wrong' })).status).toBe(403);
  expect((await anonymous.submit(path, 'other')).status).toBe(400);
  app.config.READ_ONLY = true;
  expect((await anonymous.submit(path, 'unsubscribe')).status).toBe(503);
  app.config.READ_ONLY = false;
  expect(await settings()).toEqual([]);

  const done = await anonymous.submit(path, 'unsubscribe');
  expect([done.status, done.headers.location]).toEqual([303, path]);
  expect(textOf(await visitor.get(path))).toContain('You get no mails of this kind.');
  expect(await settings()).toEqual([{ enabled: false }]);
});

it('a mail program may unsubscribe by multipart form data', async () => {
  const { app } = outbox;
  const { accountId } = await app.developer();
  const { unsubscribeUrl } = await import('../../src/domain/mail/unsubscribe.ts');
  const headers = { 'Content-Type': 'multipart/form-data; boundary=----a-boundary-of-the-tests' };
  const body = encodeForm({ 'List-Unsubscribe': 'One-Click' });
  const { pathname } = new URL(unsubscribeUrl(Number(accountId), 'new_features'));
  expect((await app.anonymous.request('POST', pathname, { headers, body })).status).toBe(200);
  expect(await app.sql('SELECT enabled FROM notification_setting WHERE account_id = $1', [accountId])).toEqual([
    { enabled: false },
  ]);
});

it('a mailing that is queued when its type is switched off is not sent', async () => {
  const { accountId } = await outbox.app.developer();
  await outbox.queue({ accountId, notification: 'new_features' });
  await outbox.app.sql("INSERT INTO notification_setting VALUES ($1, 'new_features', false)", [accountId]);
  await outbox.work();
  expect(outbox.server.mails).toEqual([]);
  expect(await outbox.rows()).toMatchObject([{ state: 'failed' }]);
});

it('mails about reviews cannot be switched off', async () => {
  const { accountId } = await outbox.app.developer();
  await outbox.queue({ accountId, notification: 'reviewer_reviewed' });
  await outbox.work();
  expect(outbox.server.mails[0]?.headers.has('list-unsubscribe')).toBe(false);
});

it('a token of a link switches its type off through GraphQL', async () => {
  const { accountId } = await outbox.app.developer();
  const { unsubscribeUrl } = await import('../../src/domain/mail/unsubscribe.ts');
  const token =
    unsubscribeUrl(accountId ?? 0, 'announcements')
      .split('/')
      .at(-2) ?? '';
  const run = (text: string) =>
    outbox.app.anonymous.graphql(
      `mutation($token: String!) { unsubscribe(input: { token: $token }) {
        ... on UnsubscribePayload { notification } ... on UserError { code } } }`,
      { token: text },
    );
  expect(await run(`${token}0`)).toEqual({ unsubscribe: { code: 'NOT_FOUND' } });
  for (let times = 0; times < 2; times++) {
    expect(await run(token)).toEqual({ unsubscribe: { notification: 'announcements' } });
  }
  const settings = 'SELECT name, enabled FROM notification_setting WHERE account_id = $1';
  expect(await outbox.app.sql(settings, [accountId])).toEqual([{ name: 'announcements', enabled: false }]);
});
