import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { createAccount, createAccessTokenFor, disableAccountByName, grant } = await import(
  '../../src/domain/accounts/administration.ts'
);
const { authenticate } = await import('../../src/auth/authenticate.ts');
const { hashAccessToken, isAccessToken, newAccessToken } = await import('../../src/auth/access-token.ts');
const { settleUses } = await import('../../src/auth/record-use.ts');

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

const ask = (authorization: string, now?: number) =>
  authenticate({ authorization, ip: '2001:db8::1', jti: 'required' }, now);
const issue = async (expires?: Date) => (await createAccessTokenFor({ username, expires })).token;
const UNKNOWN = { message: 'Incorrect authentication credentials.', details: {} };

describe('an access token', () => {
  it('signs its account in, again and again, without the developer agreement', async () => {
    await grant({ group: `Group ${number}`, rule: '*:*', username });
    const token = await issue();
    const { id, accountId } = await db.accessToken.findUniqueOrThrow({ where: { hash: hashAccessToken(token) } });
    const viewer = { kind: 'account', accountId, username, rules: ['*:*'], via: { scheme: 'bearer', tokenId: id } };
    expect(await ask(`Bearer ${token}`)).toEqual(viewer);
    expect(await ask(`bearer   ${token}`)).toEqual(viewer);
    expect(await ask(`BEARER\t${token}`)).toEqual(viewer);
  });

  it('has a prefix, 256 random bits and a checksum', () => {
    const tokens = new Set(Array.from({ length: 1000 }, () => newAccessToken()));
    expect(tokens.size).toBe(1000);
    for (const token of tokens) {
      expect(token).toMatch(/^addons_token_[0-9a-f]{72}$/);
      expect(isAccessToken(token)).toBe(true);
    }
  });

  it('is not one any more after any change of one letter', () => {
    const token = newAccessToken();
    for (let position = 0; position < token.length; position++) {
      const letter = token[position] === 'a' ? 'b' : 'a';
      expect(isAccessToken(token.slice(0, position) + letter + token.slice(position + 1))).toBe(false);
    }
  });

  it('lives 30 days unless told otherwise, to the second', async () => {
    const { token, expires } = await createAccessTokenFor({ username });
    expect(Math.round((expires.getTime() - Date.now()) / 86_400_000)).toBe(30);
    const end = Math.ceil(expires.getTime() / 1000);
    expect(await ask(`Bearer ${token}`, end - 1)).toMatchObject({ kind: 'account' });
    await expect(ask(`Bearer ${token}`, end)).rejects.toMatchObject({
      message: 'Signature has expired.',
      details: { tokenProblem: 'ERROR_SIGNATURE_EXPIRED' },
    });
  });

  it('is refused once revoked, and when its time has passed as well', async () => {
    const token = await issue(new Date(Date.now() + 60_000));
    await db.accessToken.updateMany({ where: { hash: hashAccessToken(token) }, data: { revokedAt: new Date() } });
    await expect(ask(`Bearer ${token}`)).rejects.toMatchObject(UNKNOWN);
    await expect(ask(`Bearer ${token}`, Date.now() / 1000 + 61)).rejects.toMatchObject(UNKNOWN);
  });

  it('is refused once its account is disabled or deleted', async () => {
    const token = await issue();
    await disableAccountByName(username);
    await expect(ask(`Bearer ${token}`)).rejects.toMatchObject(UNKNOWN);
    await db.account.update({ where: { username }, data: { disabledAt: null, deletedAt: new Date() } });
    await expect(ask(`Bearer ${token}`)).rejects.toMatchObject(UNKNOWN);
  });

  it('is refused when nobody was given it', async () => {
    await expect(ask(`Bearer ${newAccessToken()}`)).rejects.toMatchObject(UNKNOWN);
  });

  it('leaves the time of its use on itself and the account', async () => {
    const token = await issue();
    await ask(`Bearer ${token}`);
    await settleUses();
    const { lastUsed, account } = await db.accessToken.findUniqueOrThrow({
      where: { hash: hashAccessToken(token) },
      include: { account: true },
    });
    expect(lastUsed).toBeInstanceOf(Date);
    expect(account).toMatchObject({ lastLogin: lastUsed, lastLoginIp: '2001:db8::1' });
  });
});
