import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { authorOf, usernameOf } from '../support/account-pages.ts';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;
/** An account without add-ons. */
let client: Client;
let visitor: Visitor;

beforeAll(async () => {
  anonymous = new Visitor(app);
  client = await app.developer();
  visitor = await visitorOf(app, client);
});
afterEach(() => {
  app.config.READ_ONLY = false;
  app.config.RATE_LIMITS = false;
});

describe('the API keys', () => {
  it('are made with the secret shown once, which works, and revoked after a page of consequences', async () => {
    const reply = await visitor.submit('/account/keys/?done=revoke-key', 'new-key', { label: 'Build "1"', days: '90' });
    expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(reply.text).toContain('<title>New key: Build &quot;1&quot; – ');
    expect(textOf(reply)).not.toContain('The key is revoked.');
    const [, key = ''] = /--api-key &quot;([^&]+)&quot;/.exec(reply.text) ?? [];
    const [, secret = ''] = /--api-secret &quot;([^&]+)&quot;/.exec(reply.text) ?? [];
    expect(reply.text).toContain(`--amo-base-url &quot;${app.config.BASE_URL}/api/v5/&quot;`);
    const profile = () => app.client({ key, secret }).get('/api/v4/accounts/profile/');
    expect((await profile()).status).toBe(200);

    const list = await visitor.get('/account/keys/');
    expect(list.text).toContain(key);
    expect(list.text).not.toContain(secret);
    const [row] = await app.sql<{ id: number; days: number }>(
      'select id, round(extract(epoch from expires - created) / 86400)::int as days from api_key where key = $1',
      [key],
    );
    expect(row?.days).toBe(90);
    const path = `/account/keys/${row?.id}/revoke/`;
    expect(list.text).toContain(`href="${path}"`);
    expect(textOf(await visitor.get(path))).toContain('What happens');

    const revoked = await visitor.submit(path, 'revoke-key');
    expect([revoked.status, revoked.headers.location]).toEqual([303, '/account/keys/?done=revoke-key']);
    expect((await profile()).status).toBe(401);
    expect(textOf(await visitor.get('/account/keys/?done=revoke-key'))).toContain('1 key that expired or was revoked');
    const again = await visitor.get(path);
    expect([again.status, again.headers.location]).toEqual([303, '/account/keys/']);
  });

  it('are made for one add-on, by its authors', async () => {
    const owner = await app.developer();
    const own = await addon({ slug: 'keyed', name: { 'en-US': 'Keyed' }, authors: [owner.accountId ?? 0] });
    const visitor = await visitorOf(app, owner);
    const $ = documentOf(await visitor.get('/account/keys/'));
    const choices = $('[name=addon] option').map((_, option) => $(option).text().trim());
    expect(choices.get()).toEqual(['Everything that you may do by API', 'Upload versions of Keyed']);
    const fields = { label: 'CI', days: '30', addon: globalId('Addon', own.id) };
    expect((await visitor.submit('/account/keys/', 'new-key', fields)).text).toContain('addons_upload_');
    expect(documentOf(await visitor.get('/account/keys/'))('#keys, table').text()).toContain(
      'Upload versions of Keyed',
    );
    const others = await visitorOf(app, await app.developer());
    const refused = await others.submit('/account/keys/', 'new-key', fields);
    expect([refused.status, textOf(refused)]).toEqual([
      422,
      expect.stringContaining('You are no author of this add-on.'),
    ]);
  });

  it.each([
    ['30', 30],
    ['365', 365],
    ['', null],
  ])('expire after "%s" days', async (days, expected) => {
    const developer = await app.developer();
    const owner = await visitorOf(app, developer);
    expect((await owner.submit('/account/keys/', 'new-key', { label: '', days })).status).toBe(200);
    const [row] = await app.sql<{ days: number | null }>(
      `select round(extract(epoch from expires - created) / 86400)::int as days from api_key
       where account_id = $1 order by id desc limit 1`,
      [developer.accountId],
    );
    expect(row?.days).toBe(expected);
  });

  it('are refused with an invalid label or lifetime, and without the agreement', async () => {
    const developer = await app.developer();
    await app.sql('update account set read_dev_agreement = null where id = $1', [developer.accountId]);
    const owner = await visitorOf(app, developer);
    const make = (fields: Record<string, string>) => owner.submit('/account/keys/', 'new-key', fields);
    const long = await make({ label: 'x'.repeat(101), days: '30', acceptDeveloperAgreement: 'true' });
    expect(long.status).toBe(422);
    expect(long.text).toMatch(/id="new-key-label-error">.*?at most 100 characters/s);
    expect(documentOf(long)('option[value=30]').is('[selected]')).toBe(true);
    expect((await make({ days: '31', acceptDeveloperAgreement: 'true' })).text).toMatch(/id="new-key-days-error">/);
    const refused = await make({ label: 'Kept', days: '30' });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/id="new-key-acceptDeveloperAgreement-error">/);
    expect(refused.text).toContain('value="Kept"');
    const made = await make({ label: 'Kept', days: '30', acceptDeveloperAgreement: 'true' });
    expect(made.status).toBe(200);
    expect((await owner.get('/account/keys/')).text).not.toContain('name="acceptDeveloperAgreement"');
  });

  it('are limited in number an hour', async () => {
    const owner = await visitorOf(app, await app.developer());
    app.config.RATE_LIMITS = true;
    for (let made = 0; made < 10; made++) {
      expect((await owner.submit('/account/keys/', 'new-key', { days: '30' })).status).toBe(200);
    }
    const reply = await owner.submit('/account/keys/', 'new-key', { label: 'Eleventh', days: '30' });
    expect([reply.status, Number(reply.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(reply.text).toContain('value="Eleventh"');
  });

  it('are not found if they belong to another account', async () => {
    const [own] = await app.sql<{ id: number }>('select id from api_key where account_id = $1', [client.accountId]);
    const other = await visitorOf(app, await app.developer());
    for (const path of [
      `/account/keys/${own?.id}/revoke/`,
      '/account/keys/999999/revoke/',
      '/account/keys/x/revoke/',
    ]) {
      expect((await other.get(path)).status).toBe(404);
      expect((await other.submit(path, 'revoke-key')).status).toBe(404);
    }
    expect((await anonymous.get(`/account/keys/${own?.id}/revoke/`)).status).toBe(303);
    expect((await visitor.submit(`/account/keys/${own?.id}/revoke/`, 'revoke-key', { csrf: '' })).status).toBe(403);
    app.config.READ_ONLY = true;
    expect((await visitor.submit(`/account/keys/${own?.id}/revoke/`, 'revoke-key')).status).toBe(503);
    expect((await visitor.get(`/account/keys/${own?.id}/revoke/`)).status).toBe(200);
  });
});

describe('the sessions', () => {
  const idOf = (page: { text: string }) => documentOf(page)('[name=id]').attr('value') ?? '';

  it('end at once in other browsers', async () => {
    const developer = await app.developer();
    const [here, there, third] = [
      await visitorOf(app, developer),
      await visitorOf(app, developer),
      await visitorOf(app, developer),
    ];
    const page = await here.get('/account/sessions/');
    expect(documentOf(page)('[name=id]')).toHaveLength(2);
    expect(page.text.match(/This session/g)).toHaveLength(1);

    // The newest of the others.
    const { status, headers } = await here.submit('/account/sessions/', 'end-session', { id: idOf(page) });
    expect([status, headers.location]).toEqual([303, '/account/sessions/?done=end-session']);
    expect((await third.get('/account/')).status).toBe(303);
    expect((await there.get('/account/')).status).toBe(200);

    const all = await here.submit('/account/sessions/', 'end-other-sessions');
    expect([all.status, all.headers.location]).toEqual([303, '/account/sessions/?done=end-other-sessions']);
    expect((await there.get('/account/')).status).toBe(303);
    expect(textOf(await here.get('/account/sessions/'))).toContain('You are signed in only here.');
  });

  it('end by signing out, and continue in other browsers', async () => {
    const developer = await app.developer();
    const [here, there] = [await visitorOf(app, developer), await visitorOf(app, developer)];
    expect((await there.submit('/logout/', 'logout')).status).toBe(303);
    expect((await there.get('/account/')).status).toBe(303);
    expect((await here.get('/account/')).status).toBe(200);
  });

  it('are not found if they belong to another account', async () => {
    const other = await visitorOf(app, await app.developer());
    await visitorOf(app, client);
    const id = idOf(await visitor.get('/account/sessions/'));
    const reply = await other.submit('/account/sessions/', 'end-session', { id });
    expect(reply.status).toBe(404);
    expect(reply.text).toContain('role="alert"');
    expect((await other.submit('/account/sessions/', 'end-session', { id: '1' })).status).toBe(422);
  });
});

describe('the deletion', () => {
  it('erases the account and its session after the username was typed', async () => {
    const developer = await app.developer();
    const leaving = await visitorOf(app, developer);
    const username = await usernameOf(app, developer);
    const wrong = await leaving.submit('/account/delete/', 'delete-account', { username: 'wrong' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/id="delete-account-username-error">/);
    expect(wrong.text).toContain('value="wrong"');
    const { status, headers } = await leaving.submit('/account/delete/', 'delete-account', { username });
    expect([status, headers.location]).toEqual([303, '/?done=delete-account']);
    const cookies = headers['set-cookie'] ?? [];
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/^\w+=; .*Max-Age=0/);
    expect((await leaving.get('/account/')).status).toBe(303);
    expect((await developer.get('/api/v4/accounts/profile/')).status).toBe(401);
  });

  it('shows authors their add-ons instead, and is refused', async () => {
    const { visitor: author, client: owner } = await authorOf(app, 'kept-addon');
    const page = await author.get('/account/delete/');
    expect(page.status).toBe(200);
    expect(page.text).toContain('href="/developers/addon/kept-addon/"');
    expect(page.text).not.toContain('id="delete-account"');
    const fields = { username: await usernameOf(app, owner) };
    const reply = await author.submit('/account/delete/', 'delete-account', fields);
    expect(reply.status).toBe(422);
    expect((await author.get('/account/')).status).toBe(200);
  });
});
