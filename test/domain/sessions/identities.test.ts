/* Several identities of one account: joining, linking, removal. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { Browser } from '../../support/browser.ts';
import type { Reply } from '../../support/client.ts';
import { connectProvider, type RealProvider } from '../../support/real-provider.ts';

const app = setUpApp();
let provider: RealProvider;
let accounts: typeof import('../../../src/domain/accounts/administration.ts');
let linking: typeof import('../../../src/domain/sessions/link-identity.ts');

beforeAll(async () => {
  provider = await connectProvider(app);
  accounts = await import('../../../src/domain/accounts/administration.ts');
  linking = await import('../../../src/domain/sessions/link-identity.ts');
});
afterAll(() => provider.close());

let people = 0;
function newPerson(email = `person-${people}@example.org`, isVerified = true): string {
  const sub = `person-${++people}`;
  provider.person = { sub, email, email_verified: isVerified };
  return sub;
}

const asJson = { Accept: 'application/json' };
const signIn = async (browser = new Browser(app), headers: Record<string, string> = asJson): Promise<Reply> =>
  browser.get(await browser.signInAtProvider(), headers);
const tokenOf = (reply: Reply) => (reply.json as { token: string }).token;
const accountOf = async (token: string) =>
  (await app.client({ token }).graphql('{ viewer { databaseId } }')) as { viewer: { databaseId: number } };
const idOf = async (reply: Reply) => (await accountOf(tokenOf(reply))).viewer.databaseId;
const identitiesOf = (accountId: number) =>
  app.sql<{ subject: string }>('SELECT subject FROM account_identity WHERE account_id = $1 ORDER BY id', [accountId]);
const auditOf = (accountId: number) =>
  app.sql<{ action: string; actor: string }>(
    `SELECT action, actor FROM audit_entry WHERE details->>'accountId' = $1 AND action LIKE 'identity-%' ORDER BY id`,
    [String(accountId)],
  );
const mailsTo = (accountId: number) =>
  app.sql<{ subject: string }>('SELECT subject FROM outgoing_mail WHERE account_id = $1 ORDER BY id', [accountId]);
const NOT_LINKED = {
  error: 'identity-not-linked',
  detail: expect.stringContaining('Sign in the way you did before, then add this one'),
};

describe('a new identity with the verified address of an account', () => {
  it('joins an account without identity and group, with an audit entry and a mail', async () => {
    const { id } = await accounts.createAccount({ username: 'imported', email: 'imported@example.org' });
    const subject = newPerson('imported@example.org');
    expect(await idOf(await signIn())).toBe(id);
    expect(await identitiesOf(id)).toEqual([{ subject }]);
    expect(await auditOf(id)).toEqual([{ action: 'identity-linked', actor: `account ${id} (imported)` }]);
    expect(await mailsTo(id)).toEqual([{ subject: expect.stringContaining('A way to sign in was added') }]);
  });

  it('does not join an account with another identity', async () => {
    newPerson('owner@example.org');
    const id = await idOf(await signIn());
    newPerson('owner@example.org');
    const refused = await signIn();
    expect([refused.status, refused.json, refused.headers['set-cookie']]).toEqual([403, NOT_LINKED, undefined]);
    const page = await signIn(undefined, {});
    expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Sign in the way you did before');
    expect(await identitiesOf(id)).toHaveLength(1);
    expect(await auditOf(id)).toEqual([]);
  });

  it('does not join an account with a permission rule or a group until the operator links it', async () => {
    const { id } = await accounts.createAccount({ username: 'staff', email: 'staff@example.org' });
    await accounts.grantRule({ group: 'Staff', rule: 'Addons:Review', username: 'staff' });
    const subject = newPerson('staff@example.org');
    expect(await signIn()).toMatchObject({ status: 403, json: NOT_LINKED });
    expect(await linking.linkIdentityTo('staff', { issuer: provider.issuer, subject })).toBe(true);
    expect(await linking.linkIdentityTo('staff', { issuer: provider.issuer, subject })).toBe(false);
    expect(await idOf(await signIn())).toBe(id);
    expect(await auditOf(id)).toEqual([{ action: 'identity-linked', actor: 'command line' }]);
  });

  it('does not join when only its address is unverified, and an account of staff keeps an unproven address', async () => {
    newPerson('claimed-staff@example.org', false);
    const id = await idOf(await signIn());
    const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [id]);
    await accounts.grantRule({ group: 'Staff', rule: 'Addons:Review', username: row?.username ?? '' });
    newPerson('claimed-staff@example.org');
    expect(await signIn()).toMatchObject({ status: 403, json: NOT_LINKED });
  });

  it('joins once when two identities try at the same time', async () => {
    const { id } = await accounts.createAccount({ username: 'raced', email: 'raced@example.org' });
    const returns: [Browser, string][] = [];
    for (const _ of [1, 2]) {
      newPerson('raced@example.org');
      const browser = new Browser(app);
      returns.push([browser, await browser.signInAtProvider()]);
    }
    const replies = await Promise.all(returns.map(([browser, back]) => browser.get(back, asJson)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await identitiesOf(id)).toHaveLength(1);
  });

  it('makes one account for two sign-ins of the same new identity at the same time', async () => {
    const subject = newPerson('twice@example.org');
    const browsers = [new Browser(app), new Browser(app)];
    const backs: string[] = [];
    for (const browser of browsers) backs.push(await browser.signInAtProvider());
    const replies = await Promise.all(browsers.map((browser, index) => browser.get(backs[index] ?? '', asJson)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const ids = await Promise.all(replies.map(idOf));
    expect(new Set(ids).size).toBe(1);
    expect(await identitiesOf(ids[0] ?? 0)).toEqual([{ subject }]);
  });
});

/** A browser that is signed in, and where its link starts. */
async function signedIn(email?: string) {
  const subject = newPerson(email);
  const browser = new Browser(app);
  const reply = await signIn(browser);
  const token = tokenOf(reply);
  const id = await idOf(reply);
  const query =
    'mutation { linkIdentity { ... on LinkIdentityPayload { location browser } ... on UserError { code } } }';
  const start = async () => {
    const { linkIdentity } = (await app.client({ token }).graphql(query)) as {
      linkIdentity: { location: string; browser: string };
    };
    browser.setCookie('addons_login', linkIdentity.browser);
    return linkIdentity.location;
  };
  return { subject, browser, token, id, start };
}

describe('linkIdentity', () => {
  it('adds an identity with any address from a session of the account', async () => {
    const { browser, id, start, subject } = await signedIn();
    const location = await start();
    const added = newPerson('elsewhere@example.org', false);
    const reply = await browser.get(await browser.followProvider(location));
    expect([reply.status, reply.headers.location]).toEqual([302, '/account/identities/?done=link-identity']);
    expect(await identitiesOf(id)).toEqual([{ subject }, { subject: added }]);
    expect(await auditOf(id)).toMatchObject([{ action: 'identity-linked' }]);
    expect((await mailsTo(id)).at(-1)?.subject).toContain('A way to sign in was added');
    expect(await idOf(await signIn())).toBe(id);
  });

  it('refuses the identity of another account, and another browser or session', async () => {
    const other = await signedIn();
    const { browser, id, start } = await signedIn();
    const taken = await start();
    provider.person = { sub: other.subject, email: 'taken@example.org', email_verified: true };
    const refused = await browser.get(await browser.followProvider(taken), asJson);
    expect([refused.status, refused.json]).toMatchObject([403, { error: 'identity-taken' }]);
    const location = await start();
    newPerson();
    const back = await browser.followProvider(location);
    browser.setCookie('addons_session', other.browser.cookie('addons_session') ?? '');
    expect(await browser.get(back, asJson)).toMatchObject({ status: 400, json: { error: 'state-mismatch' } });
    expect(await identitiesOf(id)).toHaveLength(1);
    expect(await identitiesOf(other.id)).toHaveLength(1);
  });

  it('needs a sign-in', async () => {
    const { errors } = await app.anonymous.graphqlResult('mutation { linkIdentity { __typename } }');
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_AUTHENTICATED' } }]);
  });
});

describe('removeIdentity', () => {
  const REMOVE = `mutation ($id: ID!) { removeIdentity(input: { id: $id }) {
    ... on RemoveIdentityPayload { account { private { identities { email } } } } ... on UserError { code message } } }`;
  const list = async (token: string) => {
    const query = '{ viewer { private { identities { id email provider } } } }';
    const { viewer } = (await app.client({ token }).graphql(query)) as {
      viewer: { private: { identities: { id: string; email: string }[] } };
    };
    return viewer.private.identities;
  };

  it('removes all but the last, and none of others', async () => {
    const { browser, token, id, start } = await signedIn();
    const [first] = await list(token);
    const client = app.client({ token });
    expect(await client.graphql(REMOVE, { id: first?.id })).toMatchObject({
      removeIdentity: { code: 'BAD_USER_INPUT', message: expect.stringContaining('only way to sign in') },
    });
    const location = await start();
    newPerson('second@example.org');
    await browser.get(await browser.followProvider(location));
    const stranger = await signedIn();
    expect(await app.client({ token: stranger.token }).graphql(REMOVE, { id: first?.id })).toMatchObject({
      removeIdentity: { code: 'NOT_FOUND' },
    });
    expect(await client.graphql(REMOVE, { id: first?.id })).toMatchObject({
      removeIdentity: { account: { private: { identities: [{ email: 'second@example.org' }] } } },
    });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['identity-linked', 'identity-removed']);
    expect((await mailsTo(id)).at(-1)?.subject).toContain('A way to sign in was removed');
  });

  it('leaves one when two are removed at the same time', async () => {
    const { browser, token, id, start } = await signedIn();
    const location = await start();
    newPerson('third@example.org');
    await browser.get(await browser.followProvider(location));
    const both = await list(token);
    const client = app.client({ token });
    await Promise.all(both.map((each) => client.graphql(REMOVE, { id: each.id })));
    expect(await identitiesOf(id)).toHaveLength(1);
  });
});
