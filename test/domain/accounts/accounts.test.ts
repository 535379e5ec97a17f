import { graphql } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../../../src/auth/viewer.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeToken } from '../../support/make-token.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../../src/infra/db.ts');
const { publicSchema: schema } = await import('../../../src/execution/schema.ts');
const { authenticate } = await import('../../../src/auth/authenticate.ts');
const { settleUses } = await import('../../../src/auth/record-last-used.ts');
const {
  createAccessTokenFor,
  createAccount,
  createApiKeyFor,
  grantRule: grant,
} = await import('../../../src/domain/accounts/administration.ts');

interface Person {
  id: number;
  globalId: string;
  viewer: Viewer;
  token: string;
}

async function person(username: string, rule?: string): Promise<Person> {
  const { id } = await createAccount({ username, email: `${username}@example.org` });
  if (rule !== undefined) await grant({ group: `Group of ${username}`, rule, username });
  const { token } = await createAccessTokenFor({ username });
  const viewer = await authenticate({ authorization: `Bearer ${token}`, ip: '192.0.2.1', jti: 'required' });
  return { id, globalId: globalId('Account', id), viewer, token };
}

const globalId = (type: string, id: number) => Buffer.from(`${type}:${id}`).toString('base64');

let dev: Person;
let other: Person;
let admin: Person;

beforeAll(async () => {
  dev = await person('dev');
  other = await person('other');
  admin = await person('admin', 'Users:Edit');
});

afterAll(async () => {
  await settleUses();
  await closeDatabase();
  await database.drop();
});

async function execute(viewer: Viewer, source: string, variableValues: Record<string, unknown> = {}) {
  const contextValue = { viewer, locale: 'en-US', ip: null, requestId: 'test' };
  const { data, errors } = await graphql({ schema, source, variableValues, contextValue });
  return { data: data === undefined ? data : JSON.parse(JSON.stringify(data)), errors };
}

const ANONYMOUS: Viewer = { kind: 'anonymous' };

const CREATE = `mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { __typename
  ... on CreateApiKeyPayload { secret apiKey { id databaseId key label expires revoked lastUsed } }
  ... on UserError { code message path } } }`;
const REVOKE = `mutation($id: ID!) { revokeApiKey(input: { id: $id }) { __typename
  ... on RevokeApiKeyPayload { apiKey { key revoked } } ... on UserError { code message } } }`;
const DISABLE = `mutation($id: ID!, $reason: String = "spam") { disableAccount(input: { id: $id, reason: $reason }) { __typename
  ... on DisableAccountPayload { account { username private { isDisabled } } } ... on UserError { code message } } }`;

async function newKey(person: Person) {
  const input = { label: 'CI', acceptDeveloperAgreement: true };
  const { data } = await execute(person.viewer, CREATE, { input });
  return data.createApiKey as {
    secret: string;
    apiKey: { id: string; key: string; databaseId: number; expires?: string };
  };
}

const signsIn = ({ secret, apiKey: { key } }: Awaited<ReturnType<typeof newKey>>) => {
  const now = Math.floor(Date.now() / 1000);
  const authorization = `JWT ${makeToken({ key, secret, now })}`;
  return authenticate({ authorization, ip: null, jti: 'required' }).then(
    () => true,
    () => false,
  );
};

describe('viewer', () => {
  const QUERY = `{ viewer { databaseId username name hasGeneratedUsername hasGeneratedName isAddonDeveloper isArtist
    publicAddonCount averageAddonRating created
    private { email displayName developerAgreementAccepted permissions isDisabled lastLogin } } }`;

  it('is null for anonymous requests', async () => {
    expect(await execute(ANONYMOUS, QUERY)).toEqual({ data: { viewer: null }, errors: undefined });
  });

  it('is the account of the request, with private data', async () => {
    expect((await execute(admin.viewer, QUERY)).data.viewer).toMatchObject({
      databaseId: admin.id,
      username: 'admin',
      name: 'admin',
      hasGeneratedUsername: false,
      hasGeneratedName: false,
      isAddonDeveloper: false,
      isArtist: false,
      publicAddonCount: 0,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      private: {
        email: 'admin@example.org',
        developerAgreementAccepted: null,
        permissions: ['Users:Edit'],
        isDisabled: false,
      },
    });
  });
});

describe('an account', () => {
  const QUERY = `query($id: ID!) { node(id: $id) { ... on Account { username isAddonDeveloper isArtist publicAddonCount
    private { email } } } }`;
  const read = async (viewer: Viewer) => (await execute(viewer, QUERY, { id: dev.globalId })).data.node;
  const facts = { username: 'dev', isAddonDeveloper: false, isArtist: false, publicAddonCount: 0 };

  it('without public add-ons is visible to itself and administrators only', async () => {
    expect(await read(ANONYMOUS)).toBeNull();
    expect(await read(other.viewer)).toBeNull();
    expect(await read(dev.viewer)).toEqual({ ...facts, private: { email: 'dev@example.org' } });
    expect(await read(admin.viewer)).toEqual({ ...facts, private: { email: 'dev@example.org' } });
  });

  it('of a developer is visible to every viewer once an add-on is public, without private data', async () => {
    const addon = { guid: 'a@example.org', type: 'extension', status: 'nominated', defaultLocale: 'en-US' };
    const authors = { create: { accountId: dev.id, role: 'owner' } };
    const { id } = await db.addon.create({ data: { ...addon, authors } });
    expect(await read(ANONYMOUS)).toBeNull();
    await db.addon.update({ where: { id }, data: { status: 'public' } });
    const shown = { ...facts, isAddonDeveloper: true, publicAddonCount: 1, private: null };
    expect(await read(ANONYMOUS)).toEqual(shown);
    expect(await read(other.viewer)).toEqual(shown);
  });

  it.each(['ApiKey:1e99', 'ApiKey:NaN'])('returns NOT_FOUND for the id %j', async (id) => {
    const { data, errors } = await execute(admin.viewer, '{ node(id: "ID") { id } }'.replace('ID', btoa(id)));
    expect(data).toEqual({ node: null });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that is deleted is visible to no viewer', async () => {
    await db.account.update({ where: { id: dev.id }, data: { deletedAt: new Date() } });
    expect(await read(admin.viewer)).toBeNull();
    await db.account.update({ where: { id: dev.id }, data: { deletedAt: null } });
  });
});

describe('createApiKey', () => {
  it('requires a signed-in viewer', async () => {
    const { data, errors } = await execute(ANONYMOUS, CREATE, { input: {} });
    expect(data).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_AUTHENTICATED' });
  });

  it('requires the developer agreement once', async () => {
    expect((await execute(other.viewer, CREATE, { input: {} })).data.createApiKey).toEqual({
      __typename: 'InvalidInputError',
      code: 'BAD_USER_INPUT',
      message: 'API keys need the developer agreement to be accepted.',
      path: ['acceptDeveloperAgreement'],
    });
    expect(await db.apiKey.count({ where: { accountId: other.id } })).toBe(0);
    await execute(other.viewer, CREATE, { input: { acceptDeveloperAgreement: true } });
    await execute(other.viewer, CREATE, { input: {} });
    expect(await db.apiKey.count({ where: { accountId: other.id } })).toBe(2);
  });

  it('returns a secret that signs in', async () => {
    const made = await newKey(dev);
    expect(made).toMatchObject({
      __typename: 'CreateApiKeyPayload',
      secret: expect.stringMatching(/^addons_secret_[0-9a-f]{64}$/),
      apiKey: { label: 'CI', revoked: null, lastUsed: null },
    });
    const days = (Date.parse(made.apiKey.expires ?? '') - Date.now()) / 86_400_000;
    expect([days > 364, days < 366]).toEqual([true, true]);
    expect(await signsIn(made)).toBe(true);
    const activity = await db.activity.findFirst({ where: { action: 'api-key-created', accountId: dev.id } });
    expect(activity?.details).toEqual({ key: made.apiKey.key });
  });

  it('refuses an expiry date that has passed', async () => {
    const input = { expires: '2018-10-25T09:30:00Z', acceptDeveloperAgreement: true };
    expect((await execute(dev.viewer, CREATE, { input })).data.createApiKey).toMatchObject({
      message: 'The expiry date has passed.',
      path: ['expires'],
    });
  });
});

describe('revokeApiKey', () => {
  it('revokes a key immediately and is idempotent', async () => {
    const made = await newKey(dev);
    const first = await execute(dev.viewer, REVOKE, { id: made.apiKey.id });
    expect(first.data.revokeApiKey).toMatchObject({ apiKey: { key: made.apiKey.key, revoked: expect.any(String) } });
    expect(await signsIn(made)).toBe(false);
    expect((await execute(dev.viewer, REVOKE, { id: made.apiKey.id })).data).toEqual(first.data);
    const where = { action: 'api-key-revoked', details: { path: ['key'], equals: made.apiKey.key } };
    expect(await db.activity.count({ where })).toBe(1);
  });

  it('returns NOT_FOUND unless the viewer is the owner or an administrator', async () => {
    const made = await newKey(dev);
    const unknown = { __typename: 'NotFoundError', code: 'NOT_FOUND', message: 'Not found.' };
    expect((await execute(other.viewer, REVOKE, { id: made.apiKey.id })).data.revokeApiKey).toEqual(unknown);
    expect((await execute(dev.viewer, REVOKE, { id: globalId('ApiKey', 2e9) })).data.revokeApiKey).toEqual(unknown);
    expect((await execute(ANONYMOUS, REVOKE, { id: made.apiKey.id })).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_AUTHENTICATED',
    });
    expect(await signsIn(made)).toBe(true);
    await execute(admin.viewer, REVOKE, { id: made.apiKey.id });
    expect(await signsIn(made)).toBe(false);
  });

  it('writes one audit row for keys of other accounts', async () => {
    const keys = [await newKey(dev), await newKey(admin)].map(({ apiKey }) => apiKey);
    for (const { id } of [...keys, ...keys]) await execute(admin.viewer, REVOKE, { id });
    const where = {
      action: 'api-key-revoked',
      OR: keys.map(({ key: equals }) => ({ details: { path: ['key'], equals } })),
    };
    expect(await db.auditEntry.findMany({ where })).toMatchObject([
      { actor: `account ${admin.id} (admin)`, details: { accountId: dev.id, key: keys[0]?.key } },
    ]);
  });

  it.each(['', 'x', '1', globalId('ApiKey', 0), globalId('Account', 1)])('refuses the id %j', async (id) => {
    expect((await execute(dev.viewer, REVOKE, { id })).data.revokeApiKey).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('API keys', () => {
  it('are listed for their owner, newest first, without secrets', async () => {
    const made = await newKey(dev);
    const { data } = await execute(dev.viewer, '{ viewer { private { apiKeys { key } } } }');
    expect(data.viewer.private.apiKeys[0]).toEqual({ key: made.apiKey.key });
    const type = await execute(dev.viewer, '{ __type(name: "ApiKey") { fields { name } } }');
    expect(JSON.stringify(type.data)).not.toMatch(/secret/i);
  });
});

describe('disableAccount', () => {
  it('requires Users:Edit', async () => {
    expect((await execute(dev.viewer, DISABLE, { id: other.globalId })).data.disableAccount).toEqual({
      __typename: 'NotPermittedError',
      code: 'NOT_PERMITTED',
      message: 'You do not have permission to perform this action.',
    });
    expect((await execute(ANONYMOUS, DISABLE, { id: other.globalId })).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_AUTHENTICATED',
    });
  });

  it("refuses the viewer's own account and an unknown one", async () => {
    expect((await execute(admin.viewer, DISABLE, { id: admin.globalId })).data.disableAccount).toMatchObject({
      message: 'You cannot disable your own account.',
    });
    expect((await execute(admin.viewer, DISABLE, { id: globalId('Account', 2e9) })).data.disableAccount).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('invalidates all tokens of the account and writes an activity and an audit row', async () => {
    const { key, secret } = await createApiKeyFor({ username: 'other' });
    const made = { secret, apiKey: { id: '', databaseId: 0, key } };
    expect(await signsIn(made)).toBe(true);
    expect((await execute(admin.viewer, DISABLE, { id: other.globalId })).data.disableAccount).toEqual({
      __typename: 'DisableAccountPayload',
      account: { username: 'other', private: { isDisabled: true } },
    });
    expect(await signsIn(made)).toBe(false);
    const credentials = { authorization: `Bearer ${other.token}`, ip: null, jti: 'required' } as const;
    await expect(authenticate(credentials)).rejects.toThrow('Incorrect authentication credentials.');
    expect(await db.apiKey.count({ where: { key, revokedAt: null } })).toBe(1);
    expect(await db.activity.findFirst({ where: { action: 'account-disabled' } })).toMatchObject({
      accountId: admin.id,
      comments: 'spam',
      details: { accountId: other.id },
    });
    expect(await db.auditEntry.findFirst({ where: { action: 'account-disabled' } })).toMatchObject({
      actor: `account ${admin.id} (admin)`,
      details: { accountId: other.id, reason: 'spam' },
    });
  });

  it('removes characters that PostgreSQL cannot store from the reason', async () => {
    const { globalId: id, ...spammer } = await person('spammer');
    const { data } = await execute(admin.viewer, DISABLE, { id, reason: 'x\ud800y\0z' });
    expect(data.disableAccount.__typename).toBe('DisableAccountPayload');
    const where = { action: 'account-disabled', details: { path: ['accountId'], equals: spammer.id } };
    expect((await db.auditEntry.findFirst({ where }))?.details).toMatchObject({ reason: 'x\ufffdyz' });
  });
});
