import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JtiRule } from '../../src/auth/used-nonces.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeToken } from '../support/make-token.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const {
  createAccount,
  createApiKeyFor,
  grantRule: grant,
  revokeKey,
} = await import('../../src/domain/accounts/administration.ts');
const { disableAccountByName } = await import('../../src/domain/profiles/disable-account.ts');
const { authenticate } = await import('../../src/auth/authenticate.ts');
const { purgeUsedNonces } = await import('../../src/auth/used-nonces.ts');
const { settleUses } = await import('../../src/auth/record-last-used.ts');
const { config } = await import('../../src/config.ts');

afterAll(async () => {
  await settleUses();
  await closeDatabase();
  await database.drop();
});

const IP = '192.0.2.7';
let number = 0;
let username = '';
let pair = { key: '', secret: '' };
let now = 0;

beforeEach(async () => {
  username = `developer-${++number}`;
  await createAccount({ username, email: `${username}@example.org` });
  pair = await createApiKeyFor({ username });
  now = Math.floor(Date.now() / 1000);
});

afterEach(() => {
  config.JWT_JTI = 'lenient';
});

/** The kind of viewer that a header authenticates, or the error message. */
async function outcome(header: string | undefined, jti: JtiRule = 'required', at?: number) {
  return authenticate({ authorization: header, ip: IP, jti }, at).then(
    (viewer) => viewer.kind,
    (error: Error) => error.message,
  );
}

const token = (changes: Record<string, unknown> = {}) => `JWT ${makeToken({ ...pair, now }, changes)}`;
const serverTime = (at: number) => `Server time is ${new Date(at * 1000).toISOString().slice(0, 19)}Z`;

describe('a one-time token', () => {
  it('authenticates its account with the rules of its groups', async () => {
    await grant({ group: 'Editors', rule: 'Addons:Edit', username });
    await grant({ group: 'Reviewers', rule: 'Addons:Review', username });
    await grant({ group: 'Reviewers', rule: 'Addons:Edit', username });
    const viewer = await authenticate({ authorization: token(), ip: IP, jti: 'required' });
    const { id, accountId } = await db.apiKey.findUniqueOrThrow({ where: { key: pair.key } });
    expect(viewer).toEqual({
      kind: 'account',
      accountId,
      username,
      rules: ['Addons:Edit', 'Addons:Review'],
      via: { scheme: 'jwt', addonId: null, apiKeyId: id },
    });
  });

  it.each(['JWT', 'jwt', 'Jwt', 'JWT '])('is accepted after the scheme word %j', async (scheme) => {
    expect(await outcome(token().replace('JWT', scheme))).toBe('account');
  });

  it('is accepted with unknown claims', async () => {
    expect(await outcome(token({ sub: 'x', aud: 'y', nbf: now - 5, admin: true, iss2: null }))).toBe('account');
  });

  it.each([undefined, '', 'Basic YTpi', 'Token abc', 'Digest username="a"', 'JWTx abc', 'frontend_auth_token=1'])(
    'is not looked for in the header %j, whose sender is anonymous',
    async (header) => {
      expect(await outcome(header)).toBe('anonymous');
    },
  );
});

describe('the clock', () => {
  const at = 1_540_459_800;
  const timed = (iat: number, exp: number) => outcome(token({ iat, exp }), 'required', at);
  const iatText =
    'JWT iat (issued at time) is invalid. Make sure your system clock is synchronized with something like TLSdate.';

  it.each([
    ['lives one second', at, at + 1],
    ['lives five minutes', at, at + 300],
    ['was issued almost five minutes ago', at - 299, at + 1],
    ['was issued 30 s ahead', at + 30, at + 330],
    ['was issued 29 s ahead', at + 29, at + 30],
  ])('accepts a token that %s', async (_name, iat, exp) => {
    expect(await timed(iat, exp)).toBe('account');
  });

  it.each([
    ['expires now', at - 60, at, `Signature has expired. ${serverTime(at)}, skew 60 s.`],
    ['expired a second ago', at - 60, at - 1, `Signature has expired. ${serverTime(at)}, skew 60 s.`],
    ['expired after its five minutes', at - 300, at, `Signature has expired. ${serverTime(at)}, skew 300 s.`],
    [
      'lives 301 s',
      at,
      at + 301,
      expect.stringMatching(/ too long\. exp is 301 s after iat; at most 300 s are allowed\.$/),
    ],
    ['was issued 31 s ahead', at + 31, at + 60, `${iatText} ${serverTime(at)}, skew -31 s.`],
    [
      'ends when it begins',
      at + 10,
      at + 10,
      `JWT exp (expiration) is not after iat. exp is ${at + 10}, iat is ${at + 10}.`,
    ],
  ])('refuses a token that %s', async (_name, iat, exp, text) => {
    expect(await timed(iat, exp)).toEqual(text);
  });

  it('prints the server time like every date of the service', () => {
    expect(serverTime(at)).toBe('Server time is 2018-10-25T09:30:00Z');
  });

  it('is that of the database by default', async () => {
    expect(await outcome(token({ iat: now - 120, exp: now - 60 }))).toMatch(
      /^Signature has expired\. Server time is 20/,
    );
    expect(await outcome(token())).toBe('account');
  });
});

describe('a nonce', () => {
  it('is refused the second time', async () => {
    const header = token();
    expect(await outcome(header)).toBe('account');
    expect(await outcome(header)).toBe('JWT jti has already been used.');
    expect(await outcome(token({ jti: 'same' }), 'optional')).toBe('account');
    expect(await outcome(token({ jti: 'same', exp: now + 90 }), 'optional')).toBe('JWT jti has already been used.');
  });

  it('is per key: another key may use the same nonce', async () => {
    const other = await createApiKeyFor({ username });
    expect(await outcome(token({ jti: 'shared' }))).toBe('account');
    expect(await outcome(`JWT ${makeToken({ ...other, now }, { jti: 'shared' })}`)).toBe('account');
  });

  it.each([
    ['long', 'x'.repeat(128)],
    ['a number', 1],
    ['half a character', '\ud800'],
    ['looking like a number', '0.473629446234554'],
  ])('is used up as %s', async (_name, jti) => {
    expect(await outcome(token({ jti }))).toBe('account');
    expect(await outcome(token({ jti }))).toBe('JWT jti has already been used.');
  });

  it('may be missing repeatedly where stock clients send none', async () => {
    const header = token({ jti: undefined });
    expect(await outcome(header, 'optional')).toBe('account');
    expect(await outcome(header, 'optional')).toBe('account');
  });

  it('may not be missing elsewhere, nor anywhere in strict mode', async () => {
    const text = 'Invalid JWT: Token is missing the "jti" claim.';
    const header = token({ jti: undefined });
    expect(await outcome(header, 'required')).toBe(text);
    config.JWT_JTI = 'strict';
    expect(await outcome(header, 'optional')).toBe(text);
  });

  it('is not used up by a refused token', async () => {
    expect(await outcome(token({ jti: 'later', exp: now + 301 }))).toMatch(/^JWT exp \(expiration\) is too long\./);
    expect(await outcome(token({ jti: 'later' }))).toBe('account');
  });

  it('allows exactly one of 24 concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      const header = token();
      const outcomes = await Promise.all(Array.from({ length: 24 }, () => outcome(header)));
      expect(outcomes.filter((one) => one === 'account')).toHaveLength(1);
      expect(outcomes.filter((one) => one === 'JWT jti has already been used.')).toHaveLength(23);
    }
  });

  it('stays used in other processes and after a restart', async () => {
    const header = token();
    const program = join(import.meta.dirname, '../support/authenticate-process.ts');
    const authenticateInProcess = async () => (await promisify(execFile)(process.execPath, [program, header])).stdout;
    expect([await authenticateInProcess(), await authenticateInProcess(), await outcome(header)]).toEqual([
      'account',
      'JWT jti has already been used.',
      'JWT jti has already been used.',
    ]);
  });

  it('is deleted once its token would be refused anyway, and not earlier', async () => {
    await db.spentToken.deleteMany();
    await outcome(token({ jti: 'fresh' }));
    await outcome(token({ jti: 'old', iat: now - 200, exp: now - 100 }), 'required', now - 150);
    expect(await purgeUsedNonces()).toBe(1);
    expect(await outcome(token({ jti: 'fresh' }))).toBe('JWT jti has already been used.');
  });
});

describe('the key and its account', () => {
  it('are refused like unknown ones as soon as the key is revoked', async () => {
    await revokeKey(pair.key);
    expect(await outcome(token())).toBe('Error decoding signature.');
  });

  it('are refused with a reason when the key has expired', async () => {
    const expires = new Date((now + 100) * 1000);
    pair = await createApiKeyFor({ username, expires });
    const signedAt = (at: number) => outcome(`JWT ${makeToken({ ...pair, now: at })}`, 'required', at);
    expect(await signedAt(now + 99)).toBe('account');
    expect(await signedAt(now + 100)).toMatch(/^API key has expired\. It was valid until \d{4}-/);
  });

  it('are refused with a reason as soon as the account is disabled or deleted', async () => {
    await disableAccountByName(username);
    expect(await outcome(token())).toBe('User account is disabled.');
    await db.account.update({ where: { username }, data: { disabledAt: null, deletedAt: new Date() } });
    expect(await outcome(token())).toBe('User account is disabled.');
  });

  it('require the developer agreement', async () => {
    await db.account.update({ where: { username }, data: { readDevAgreement: null } });
    expect(await outcome(token())).toBe('User has not read developer agreement.');
  });

  it('are not revealed to a client with a wrong secret', async () => {
    await disableAccountByName(username);
    pair.secret = `addons_secret_${'1'.repeat(64)}`;
    expect(await outcome(token())).toBe('Error decoding signature.');
  });

  it('are independent of other keys of the account', async () => {
    const other = await createApiKeyFor({ username });
    await revokeKey(other.key);
    expect(await outcome(token())).toBe('account');
  });
});

describe('the use of a key', () => {
  const uses = async () => {
    await settleUses();
    const { lastUsed, account } = await db.apiKey.findUniqueOrThrow({
      where: { key: pair.key },
      include: { account: true },
    });
    return { lastUsed, lastLogin: account.lastLogin, ip: account.lastLoginIp };
  };

  it('is recorded on the key and the account', async () => {
    expect(await uses()).toEqual({ lastUsed: null, lastLogin: null, ip: null });
    await outcome(token());
    expect(await uses()).toEqual({ lastUsed: expect.any(Date), lastLogin: expect.any(Date), ip: IP });
  });

  it('is recorded once a minute', async () => {
    await outcome(token());
    const first = await uses();
    await outcome(token());
    expect(await uses()).toEqual(first);
    const earlier = new Date(Date.now() - 61_000);
    await db.apiKey.update({ where: { key: pair.key }, data: { lastUsed: earlier } });
    await outcome(token());
    expect((await uses()).lastUsed?.getTime()).toBeGreaterThan(earlier.getTime() + 60_000);
  });

  it('is not recorded in read-only mode', async () => {
    config.READ_ONLY = true;
    try {
      await outcome(token());
      expect(await uses()).toEqual({ lastUsed: null, lastLogin: null, ip: null });
    } finally {
      config.READ_ONLY = false;
    }
  });

  it('skips an account that a transaction changes, instead of waiting for it', async () => {
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM account WHERE id = (SELECT account_id FROM api_key WHERE key = ${pair.key}) FOR UPDATE`;
      await outcome(token());
      expect(await uses()).toEqual({ lastUsed: expect.any(Date), lastLogin: null, ip: null });
    });
  });

  it('is not recorded for a refused token', async () => {
    await outcome(token({ exp: now - 1 }));
    expect((await uses()).lastUsed).toBeNull();
  });
});
