/* Groups and strength of a sign-in, as the identity provider states them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import type { Reply } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { connectProvider, type Person, type RealProvider } from '../../support/real-provider.ts';

const app = setUpApp({
  settings: {
    OIDC_GROUPS_CLAIM: 'groups',
    OIDC_GROUPS: [
      { value: 'addons-reviewers', group: 'Reviewers' },
      { value: '/staff/admins', group: 'Administrators' },
      { value: 'addons-staff', group: 'reviewers' },
      { value: 'missing', group: 'No such group' },
    ],
  },
});
let provider: RealProvider;
let accounts: typeof import('../../../src/domain/accounts/administration.ts');

beforeAll(async () => {
  provider = await connectProvider(app);
  await app.sql(`INSERT INTO permission_group (name, rules)
    VALUES ('Reviewers', '{Addons:Review}'), ('Administrators', '{*:*}'), ('By hand', '{Stats:View}') ON CONFLICT DO NOTHING`);
  accounts = await import('../../../src/domain/accounts/administration.ts');
});
afterAll(() => provider.close());

const asJson = { Accept: 'application/json' };

async function signInAs(person: Person, headers: Record<string, string> = asJson): Promise<Reply> {
  provider.person = { email: `${person.sub}@example.org`, email_verified: true, ...person };
  const browser = new Browser(app);
  return browser.get(await browser.signInAtProvider(), headers);
}

const idOf = async (sub: string) =>
  (await app.sql<{ id: number }>('SELECT account_id AS id FROM account_identity WHERE subject = $1', [sub]))[0]?.id ??
  0;
const groupsOf = async (sub: string) => {
  const rows = await app.sql<{ name: string }>(
    `SELECT g.name FROM group_member m JOIN permission_group g ON g.id = m.group_id WHERE m.account_id = $1 ORDER BY g.name`,
    [await idOf(sub)],
  );
  return rows.map(({ name }) => name);
};
const auditOf = async (sub: string) =>
  app.sql(
    `SELECT action, actor, details->>'group' AS "group" FROM audit_entry WHERE details->>'memberId' = $1 ORDER BY id`,
    [String(await idOf(sub))],
  );

describe('the groups claim of a sign-in', () => {
  it('gives and ends memberships of the mapped groups, audited and mailed, and leaves other groups alone', async () => {
    const sub = 'wanda';
    expect((await signInAs({ sub, groups: ['addons-reviewers', 'x', 'missing'] })).status).toBe(200);
    expect(await groupsOf(sub)).toEqual(['Reviewers']);
    const [{ username } = { username: '' }] = await app.sql<{ username: string }>(
      'SELECT username FROM account WHERE id = $1',
      [await idOf(sub)],
    );
    await accounts.grantRule({ group: 'By hand', rule: 'Stats:View', username });
    expect((await signInAs({ sub, groups: ['addons-staff', '/staff/admins'] })).status).toBe(200);
    expect(await groupsOf(sub)).toEqual(['Administrators', 'By hand', 'Reviewers']);
    await app.admin();
    expect((await signInAs({ sub })).status).toBe(200);
    expect(await groupsOf(sub)).toEqual(['By hand']);
    const actor = 'identity provider';
    expect(await auditOf(sub)).toEqual([
      { action: 'group-member-added', actor, group: 'Reviewers' },
      { action: 'group-member-added', actor, group: 'Administrators' },
      { action: 'group-member-removed', actor, group: 'Reviewers' },
      { action: 'group-member-removed', actor, group: 'Administrators' },
    ]);
    const mails = await app.sql('SELECT FROM outgoing_mail WHERE account_id = $1', [await idOf(sub)]);
    expect(mails).toHaveLength(5);
  });

  it('ends the page sessions of other browsers when it changes a membership, and opens one', async () => {
    const sub = 'two-browsers';
    const browser = new Browser(app);
    provider.person = { sub, email: `${sub}@example.org`, email_verified: true };
    await browser.get(await browser.signInAtProvider(), asJson);
    expect((await browser.get('/account/')).status).toBe(200);
    const other = new Browser(app);
    provider.person = { ...provider.person, groups: 'addons-reviewers' };
    await other.get(await other.signInAtProvider(), asJson);
    expect(await groupsOf(sub)).toEqual(['Reviewers']);
    expect([(await browser.get('/account/')).status, (await other.get('/account/')).status]).toEqual([303, 200]);
  });

  it('never takes the rights of the last administrator', async () => {
    const sub = 'last-administrator';
    await app.sql(
      `DELETE FROM group_member m USING permission_group g WHERE g.id = m.group_id AND '*:*' = ANY (g.rules)`,
    );
    await signInAs({ sub, groups: ['addons-reviewers', '/staff/admins'] });
    expect((await signInAs({ sub, groups: [] })).status).toBe(200);
    expect(await groupsOf(sub)).toEqual(['Administrators']);
    await app.admin();
    expect((await signInAs({ sub, groups: [] })).status).toBe(200);
    expect(await groupsOf(sub)).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['one text', 'addons-reviewers', ['Reviewers']],
    [
      '10,000 groups',
      [...Array.from({ length: 10_000 }, (_, index) => `group-${index}`), 'addons-staff'],
      ['Reviewers'],
    ],
    ['repeated values', ['addons-staff', 'addons-staff', 'addons-reviewers'], ['Reviewers']],
    ['an object', { 'addons-reviewers': true }, []],
    ['objects, numbers and nested lists', [{ value: 'addons-reviewers' }, 5, null, ['addons-reviewers'], ''], []],
    ['a text that lists several', 'addons-reviewers,addons-staff', []],
    ['other letters and NUL', ['ADDONS-REVIEWERS', 'addons-reviewers\0', 'Reviewers', '\ud800'], []],
  ])('is read from %s', async (name, groups, expected) => {
    const sub = `hostile-${name.replaceAll(/\W/g, '-')}`;
    expect((await signInAs({ sub, groups })).status).toBe(200);
    expect(await groupsOf(sub)).toEqual(expected);
  });

  it('changes nothing when the provider sends more than a megabyte', async () => {
    const reply = await signInAs({ sub: 'huge', groups: ['addons-reviewers', 'x'.repeat(1_100_000)] });
    expect([reply.status, await idOf('huge')]).toEqual([503, 0]);
  });
});

describe('OIDC_REQUIRED_ACR', () => {
  beforeAll(() => {
    app.config.OIDC_REQUIRED_ACR = ['mfa', 'hardware'];
  });
  afterAll(() => {
    app.config.OIDC_REQUIRED_ACR = [];
  });

  it('is requested, and needed by staff and developers only', async () => {
    const started = await app.anonymous.get('/api/v4/accounts/login/start/');
    expect(new URL(String(started.headers.location)).searchParams.get('acr_values')).toBe('mfa hardware');
    const sub = 'acr-person';
    expect((await signInAs({ sub, acr: 'password' })).status).toBe(200);
    await addon({ authors: [await idOf(sub)] });
    const refused = await signInAs({ sub, acr: 'password' });
    expect([refused.status, refused.json, refused.headers['set-cookie']]).toEqual([
      403,
      { error: 'acr-required', detail: expect.stringContaining('stronger sign-in') },
      undefined,
    ]);
    expect((await signInAs({ sub })).status).toBe(403);
    expect((await signInAs({ sub, acr: 'mfa' })).status).toBe(200);
  });

  it('is needed by the memberships of the sign-in itself, and a refusal changes nothing', async () => {
    const sub = 'acr-reviewer';
    expect((await signInAs({ sub, acr: 'password', groups: ['addons-reviewers'] })).status).toBe(403);
    expect(await idOf(sub)).toBe(0);
    expect((await signInAs({ sub, acr: 'mfa', groups: ['addons-reviewers'] })).status).toBe(200);
    expect((await signInAs({ sub, acr: 'password', groups: [] })).status).toBe(200);
    expect(await groupsOf(sub)).toEqual([]);
  });

  it('has a page that says what to do, in the language of the browser', async () => {
    const person = { sub: 'acr-page', groups: ['addons-reviewers'] };
    for (const [language, text] of [
      ['en', 'stronger sign-in'],
      ['de', 'stärkere Anmeldung'],
      ['he', 'התחברות חזקה יותר'],
    ] as const) {
      const page = await signInAs(person, { Accept: 'text/html', 'Accept-Language': language });
      expect([page.status, page.text]).toEqual([403, expect.stringContaining(text)]);
    }
  });
});
