import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { printable } from '../../../src/texts/printable.ts';
import { createTestDatabase } from '../../support/database.ts';

const database = await createTestDatabase();
const { closeDatabase, db, pool } = await import('../../../src/infra/db.ts');
const administration = await import('../../../src/domain/accounts/administration.ts');
const { disableAccountByName, enableAccountByName } = await import('../../../src/domain/profiles/disable-account.ts');
const { openSecret } = await import('../../../src/auth/secret-box.ts');

const { createAccessTokenFor, createAccount, createApiKeyFor, grantRule: grant, revokeKey } = administration;

afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

let number = 0;
let username = '';
let accountId = 0;

beforeEach(async () => {
  username = `user-${++number}`;
  accountId = (await createAccount({ username, email: `${username}@example.org` })).id;
});

/** The newest row of each log. */
async function lastEntries() {
  const activity = await db.activity.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const audit = await db.auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });
  return { activity: [activity.action, activity.details], audit: [audit.actor, audit.action, audit.details] };
}

async function countEntries(): Promise<number> {
  return (await db.activity.count()) + (await db.auditEntry.count());
}

/** Expects a refusal with a one-line message and no written rows; returns it. */
async function refusal(work: () => Promise<unknown>): Promise<{ code: string; message: string }> {
  const before = [await db.account.count(), await db.group.count(), await db.groupMember.count(), await countEntries()];
  const error = await work().then(
    () => {
      throw new Error('was not refused');
    },
    (problem: { code: string; message: string }) => problem,
  );
  expect([
    await db.account.count(),
    await db.group.count(),
    await db.groupMember.count(),
    await countEntries(),
  ]).toEqual(before);
  expect(error.message).not.toContain('\n');
  return { code: error.code, message: error.message };
}

describe('createAccount', () => {
  it('returns and logs the account', async () => {
    const made = await createAccount({ username: 'Ann_1-x', email: 'ann@example.org' });
    expect(made).toEqual({ id: expect.any(Number), username: 'Ann_1-x', email: 'ann@example.org' });
    const details = { accountId: made.id, username: 'Ann_1-x' };
    expect(await lastEntries()).toEqual({
      activity: ['account-created', details],
      audit: ['command line', 'account-created', details],
    });
  });

  it('adds the account to an existing group', async () => {
    await grant({ group: 'Reviewers', rule: 'Addons:Review', username });
    const { id } = await createAccount({ username: 'member', email: 'member@example.org', groupName: 'reviewers' });
    expect(await db.groupMember.count({ where: { accountId: id, group: { name: 'Reviewers' } } })).toBe(1);
  });

  it('refuses an unknown group without creating the account', async () => {
    const account = { username: 'groupless', email: 'groupless@example.org', groupName: 'Unknown' };
    expect(await refusal(() => createAccount(account))).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no group named "Unknown".',
    });
  });

  const LETTERS = 'Enter a valid username consisting of letters, numbers, underscores or hyphens.';
  const EMAIL = 'Enter a valid email address.';

  it.each([
    ['', 'a@example.org', LETTERS],
    ['a b', 'a@example.org', LETTERS],
    ['a\n', 'a@example.org', LETTERS],
    ['\u00e4', 'a@example.org', LETTERS],
    ['a\0', 'a@example.org', LETTERS],
    ['12345', 'a@example.org', 'Usernames cannot contain only digits.'],
    ['x'.repeat(256), 'a@example.org', 'Ensure this field has no more than 255 characters.'],
    ['fine', '', EMAIL],
    ['fine', 'no-domain', EMAIL],
    ['fine', 'a@b@example.org', EMAIL],
    ['fine', 'a\n@example.org', EMAIL],
    ['fine', `${'x'.repeat(255)}@example.org`, EMAIL],
  ])('refuses the username %j with the address %j', async (name, email, message) => {
    expect(await refusal(() => createAccount({ username: name, email }))).toEqual({ code: 'INVALID_INPUT', message });
  });

  it('refuses taken usernames and addresses regardless of case', async () => {
    const taken = (what: string) => ({
      code: 'INVALID_INPUT',
      message: `Someone with this ${what} already exists in the system.`,
    });
    const again = { username: username.toUpperCase(), email: 'new@example.org' };
    expect(await refusal(() => createAccount(again))).toEqual(taken('username'));
    const other = { username: 'new', email: `${username.toUpperCase()}@EXAMPLE.org` };
    expect(await refusal(() => createAccount(other))).toEqual(taken('email'));
  });

  it('creates one account for concurrent requests with the same name', async () => {
    const create = (index: number) =>
      createAccount({ username: 'concurrent', email: `concurrent-${index}@example.org` });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => create(index)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ message: 'Someone with this username already exists in the system.' });
      }
    }
  });
});

describe('createApiKeyFor', () => {
  it('returns key and secret, accepts the agreement and logs both', async () => {
    const { key, secret } = await createApiKeyFor({ username: username.toUpperCase(), label: ' CI ' });
    expect(key).toMatch(/^addons_key_[0-9a-f]{32}$/);
    expect(secret).toMatch(/^addons_secret_[0-9a-f]{64}$/);
    const row = await db.apiKey.findUniqueOrThrow({ where: { key }, include: { account: true } });
    expect(openSecret(row.sealedSecret)).toBe(secret);
    expect(row).toMatchObject({ label: 'CI', revokedAt: null });
    expect(Math.round(((row.expires?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(365);
    expect(row.account.readDevAgreement).toBeInstanceOf(Date);
    expect(await lastEntries()).toEqual({
      activity: ['api-key-created', { key, ownerId: accountId }],
      audit: ['command line', 'api-key-created', { key, accountId }],
    });
    expect(await db.activity.count({ where: { action: 'developer-agreement-accepted', accountId } })).toBe(1);
  });

  it('creates several keys and accepts the agreement once', async () => {
    const keys = [await createApiKeyFor({ username }), await createApiKeyFor({ username })];
    expect(new Set(keys.flatMap(({ key, secret }) => [key, secret])).size).toBe(4);
    expect(await db.activity.count({ where: { action: 'developer-agreement-accepted', accountId } })).toBe(1);
  });

  it('refuses an unknown and a deleted user', async () => {
    const missing = (name: string) => ({
      code: 'NOT_FOUND',
      message: `There is no user named "${printable(name)}".`,
    });
    expect(await refusal(() => createApiKeyFor({ username: 'no\nbody' }))).toEqual(missing('no\nbody'));
    expect(await refusal(() => createApiKeyFor({ username: 'no\0body' }))).toEqual(missing('no\0body'));
    await db.account.update({ where: { username }, data: { deletedAt: new Date() } });
    expect(await refusal(() => createApiKeyFor({ username }))).toEqual(missing(username));
  });

  it('refuses past dates and invalid labels', async () => {
    const expires = new Date(Date.now() - 1000);
    expect(await refusal(() => createApiKeyFor({ username, expires }))).toMatchObject({
      message: 'The expiry date has passed.',
    });
    for (const label of ['x'.repeat(101), 'a\nb', 'a\0b']) {
      expect(await refusal(() => createApiKeyFor({ username, label }))).toMatchObject({
        message: 'A label has at most 100 characters, none of them a control character.',
      });
    }
  });

  it('refuses the 51st valid key; revoked and expired keys do not count', async () => {
    const first = await createApiKeyFor({ username });
    for (let number = 2; number <= 50; number++) await createApiKeyFor({ username });
    expect(await refusal(() => createApiKeyFor({ username }))).toMatchObject({
      message: 'An account has at most 50 API keys. Revoke one that is not used any more.',
    });
    await revokeKey(first.key);
    await createApiKeyFor({ username });
  });
});

describe('createAccessTokenFor', () => {
  it('returns a token and logs its creation without the token', async () => {
    const expires = new Date(Date.now() + 3_600_000);
    const made = await createAccessTokenFor({ username, expires });
    expect(made).toEqual({ token: expect.stringMatching(/^addons_token_[0-9a-f]{72}$/), expires });
    const { id } = await db.accessToken.findFirstOrThrow({ where: { accountId } });
    expect(await lastEntries()).toEqual({
      activity: ['access-token-created', { tokenId: id, ownerId: accountId }],
      audit: ['command line', 'access-token-created', { tokenId: id, accountId, expires: expires.toISOString() }],
    });
  });
});

describe('grant', () => {
  const rulesOf = async (name: string) => (await db.group.findUnique({ where: { name } }))?.rules;

  it('creates a missing group, rule and membership', async () => {
    await grant({ group: 'Editors', rule: 'Addons:Edit', username });
    await grant({ group: 'EDITORS', rule: 'Addons:Edit', username });
    expect((await lastEntries()).audit).toContainEqual({ group: 'Editors', rule: 'Addons:Edit', accountId });
    await grant({ group: 'editors', rule: 'Users:*', username });
    expect(await rulesOf('Editors')).toEqual(['Addons:Edit', 'Users:*']);
    expect(await db.groupMember.count({ where: { accountId } })).toBe(1);
    const granted = ['permission-granted', { group: 'editors', rule: 'Users:*', accountId }];
    expect(await lastEntries()).toEqual({ activity: granted, audit: ['command line', ...granted] });
  });

  it('keeps all rules that are granted concurrently', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    await Promise.all(names.map((name) => grant({ group: 'Crowd', rule: `${name}:*`, username })));
    expect((await rulesOf('Crowd'))?.sort()).toEqual(names.map((name) => `${name}:*`));
  });

  it.each(['Addons', 'Addons:', ':Edit', 'Addons:Edit:x', 'Add*:Edit', '', 'Addons:Edit,Users:Edit', 'a b:c'])(
    'refuses the rule %j',
    async (rule) => {
      expect(await refusal(() => grant({ group: 'Editors', rule, username }))).toEqual({
        code: 'INVALID_INPUT',
        message: `${JSON.stringify(rule)} is not a permission rule. It has the form app:action, either part of which may be *.`,
      });
    },
  );

  it.each(['', ' ', 'a\n', ' Editors', 'x'.repeat(101), 'a\0'])('refuses the group name %j', async (group) => {
    expect(await refusal(() => grant({ group, rule: 'Addons:Edit', username }))).toEqual({
      code: 'INVALID_INPUT',
      message: `"${printable(group)}" cannot be the name of a group.`,
    });
  });

  it('refuses an unknown user without creating the group', async () => {
    const request = { group: 'New group', rule: 'Addons:Edit', username: 'unknown' };
    expect(await refusal(() => grant(request))).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('disableAccountByName, enableAccountByName and revokeKey', () => {
  it('are logged once and idempotent', async () => {
    await disableAccountByName(username, 'spam');
    expect((await lastEntries()).audit).toEqual(['command line', 'account-disabled', { accountId, reason: 'spam' }]);
    const { disabledAt } = await db.account.findUniqueOrThrow({ where: { id: accountId } });
    const entries = await countEntries();
    await disableAccountByName(username);
    expect(await countEntries()).toBe(entries);
    expect(await db.account.findUniqueOrThrow({ where: { id: accountId } })).toMatchObject({ disabledAt });
    await enableAccountByName(username, 'a mistake');
    const enabled = { accountId, reason: 'a mistake' };
    expect((await lastEntries()).audit).toEqual(['command line', 'account-enabled', enabled]);
    await enableAccountByName(username);
    expect(await countEntries()).toBe(entries + 2);
    expect(await db.account.findUniqueOrThrow({ where: { id: accountId } })).toMatchObject({ disabledAt: null });
  });

  it('revoke a key once', async () => {
    const { key } = await createApiKeyFor({ username });
    await revokeKey(key);
    expect(await lastEntries()).toEqual({
      activity: ['api-key-revoked', { key, ownerId: accountId }],
      audit: ['command line', 'api-key-revoked', { accountId, key }],
    });
    const entries = await countEntries();
    await revokeKey(key);
    expect(await countEntries()).toBe(entries);
  });

  it('refuse unknown users and keys', async () => {
    expect(await refusal(() => disableAccountByName('unknown'))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(() => revokeKey('addons_key_0'))).toEqual({
      code: 'NOT_FOUND',
      message: 'There is no API key "addons_key_0".',
    });
  });
});

describe('a dump of the database', () => {
  it('contains no issued secret or token', async () => {
    const { secret } = await createApiKeyFor({ username });
    const { token } = await createAccessTokenFor({ username });
    const { rows: tables } = await pool.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    expect(tables.length).toBeGreaterThan(20);
    const dump: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      dump.push(...rows.map(({ row }) => row));
    }
    const text = dump.join('\n');
    expect(text).toContain(`${username}@example.org`);
    for (const canary of [secret, token]) {
      const bits = canary.slice(canary.lastIndexOf('_') + 1);
      for (const form of [canary, bits, Buffer.from(canary).toString('hex'), Buffer.from(canary).toString('base64')]) {
        expect(text.includes(form)).toBe(false);
      }
    }
  });
});
