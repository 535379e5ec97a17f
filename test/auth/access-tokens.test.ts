import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const {
  createAccount,
  createAccessTokenFor,
  grantRule: grant,
} = await import('../../src/domain/accounts/administration.ts');
const { disableAccountByName } = await import('../../src/domain/profiles/disable-account.ts');
const { authenticate } = await import('../../src/auth/authenticate.ts');
const { hashAccessToken, isAccessToken, newAccessToken } = await import('../../src/auth/access-token.ts');
const { settleUses } = await import('../../src/auth/record-last-used.ts');

afterAll(async () => {
  await settleUses();
  await closeDatabase();
  await database.drop();
});

let number = 0;
let username = '';

beforeEach(async () => {
  username = `user-${++number}`;
  await createAccount({ username, email: `${username}@example.org` });
});

const authenticateWith = (authorization: string, now?: number) =>
  authenticate({ authorization, ip: '2001:db8::1', jti: 'required' }, now);
const issue = async (expires?: Date) => (await createAccessTokenFor({ username, expires })).token;
const UNKNOWN = { message: 'Incorrect authentication credentials.', details: {} };

describe('an access token', () => {
  it('authenticates its account repeatedly, without the developer agreement', async () => {
    await grant({ group: `Group ${number}`, rule: '*:*', username });
    const token = await issue();
    const { id, accountId } = await db.accessToken.findUniqueOrThrow({ where: { hash: hashAccessToken(token) } });
    const viewer = {
      kind: 'account',
      accountId,
      username,
      rules: ['*:*'],
      via: { scheme: 'bearer', tokenId: id, signedInAt: expect.any(Date) },
    };
    expect(await authenticateWith(`Bearer ${token}`)).toEqual(viewer);
    expect(await authenticateWith(`bearer   ${token}`)).toEqual(viewer);
    expect(await authenticateWith(`BEARER\t${token}`)).toEqual(viewer);
  });

  it('has a prefix, 256 random bits and a checksum', () => {
    const tokens = new Set(Array.from({ length: 1000 }, () => newAccessToken()));
    expect(tokens.size).toBe(1000);
    for (const token of tokens) {
      expect(token).toMatch(/^addons_token_[0-9a-f]{72}$/);
      expect(isAccessToken(token)).toBe(true);
    }
  });

  it('is invalid after a change of any character', () => {
    const token = newAccessToken();
    for (let position = 0; position < token.length; position++) {
      const letter = token[position] === 'a' ? 'b' : 'a';
      expect(isAccessToken(token.slice(0, position) + letter + token.slice(position + 1))).toBe(false);
    }
  });

  it('is valid for 30 days by default, to the second', async () => {
    const { token, expires } = await createAccessTokenFor({ username });
    expect(Math.round((expires.getTime() - Date.now()) / 86_400_000)).toBe(30);
    const end = Math.ceil(expires.getTime() / 1000);
    expect(await authenticateWith(`Bearer ${token}`, end - 1)).toMatchObject({ kind: 'account' });
    await expect(authenticateWith(`Bearer ${token}`, end)).rejects.toMatchObject({
      message: expect.stringMatching(/^Signature has expired\. The access token was valid until /),
      details: { tokenProblem: 'ERROR_SIGNATURE_EXPIRED' },
    });
  });

  it('is refused once revoked, also after it expired', async () => {
    const token = await issue(new Date(Date.now() + 60_000));
    await db.accessToken.updateMany({ where: { hash: hashAccessToken(token) }, data: { revokedAt: new Date() } });
    await expect(authenticateWith(`Bearer ${token}`)).rejects.toMatchObject(UNKNOWN);
    await expect(authenticateWith(`Bearer ${token}`, Date.now() / 1000 + 61)).rejects.toMatchObject(UNKNOWN);
  });

  it('is refused once its account is disabled or deleted', async () => {
    const token = await issue();
    await disableAccountByName(username);
    await expect(authenticateWith(`Bearer ${token}`)).rejects.toMatchObject(UNKNOWN);
    await db.account.update({ where: { username }, data: { disabledAt: null, deletedAt: new Date() } });
    await expect(authenticateWith(`Bearer ${token}`)).rejects.toMatchObject(UNKNOWN);
  });

  it('is refused if it was never issued', async () => {
    await expect(authenticateWith(`Bearer ${newAccessToken()}`)).rejects.toMatchObject(UNKNOWN);
  });

  it('records when it was last used, which is no login of its account', async () => {
    const token = await issue();
    const login = { lastLogin: new Date('2020-01-01T00:00:00Z'), lastLoginIp: '192.0.2.9' };
    await db.account.update({ where: { username }, data: login });
    await authenticateWith(`Bearer ${token}`);
    await settleUses();
    const { lastUsed, account } = await db.accessToken.findUniqueOrThrow({
      where: { hash: hashAccessToken(token) },
      include: { account: true },
    });
    expect(lastUsed).toBeInstanceOf(Date);
    expect(account).toMatchObject(login);
  });
});
