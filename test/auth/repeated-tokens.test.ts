/* One-time tokens that return under API v5 (submission API): the same token, for ten seconds after its first use. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JtiRule } from '../../src/auth/used-nonces.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeToken } from '../support/make-token.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { createAccount, createApiKeyFor } = await import('../../src/domain/accounts/administration.ts');
const { authenticate } = await import('../../src/auth/authenticate.ts');
const { purgeUsedNonces } = await import('../../src/auth/used-nonces.ts');
const { settleUses } = await import('../../src/auth/record-last-used.ts');
const { config } = await import('../../src/config.ts');

const REPLAY = 'JWT jti has already been used.';
const V5 = 'repeatable';
const DOWNLOAD = 'repeatable-after-v5';
let pair = { key: '', secret: '' };

beforeAll(async () => {
  await createAccount({ username: 'developer', email: 'developer@example.org' });
  pair = await createApiKeyFor({ username: 'developer' });
});
afterEach(() => {
  config.JWT_JTI = 'lenient';
});
afterAll(async () => {
  await settleUses();
  await closeDatabase();
  await database.drop();
});

const token = (changes: Record<string, unknown> = {}) =>
  `JWT ${makeToken({ ...pair, now: Math.floor(Date.now() / 1000) }, changes)}`;

async function outcome(header: string, jti: JtiRule): Promise<string> {
  return authenticate({ authorization: header, ip: null, jti }).then(
    (viewer) => viewer.kind,
    (error: Error) => error.message,
  );
}

/** Lets all uses so far have happened earlier. */
const age = (seconds: number) => db.$executeRaw`
  UPDATE spent_token SET first_used = first_used - make_interval(secs => ${seconds})`;

describe('a token with a nonce', () => {
  it.each<[string, JtiRule, JtiRule, string]>([
    ['under v5, after v5', V5, V5, 'account'],
    ['under v5, after v4', 'required', V5, 'account'],
    ['under v5, after signing', 'optional', V5, 'account'],
    ['under v4, after v5', V5, 'required', REPLAY],
    ['on the signing endpoints, after v5', V5, 'optional', REPLAY],
    ['under v4, after v4', 'required', 'required', REPLAY],
    ['in a download, after v5', V5, DOWNLOAD, 'account'],
    ['in a download, after v4', 'required', DOWNLOAD, REPLAY],
    ['in a download, after a download', DOWNLOAD, DOWNLOAD, REPLAY],
  ])('is refused or accepted by its first use when it returns %s', async (_title, first, second, expected) => {
    const header = token();
    expect([await outcome(header, first), await outcome(header, second)]).toEqual(['account', expected]);
  });

  it('may return often, and only for ten seconds after its first use', async () => {
    const header = token();
    const uses = [await outcome(header, V5), await outcome(header, V5)];
    await age(8);
    uses.push(await outcome(header, V5), await outcome(header, DOWNLOAD));
    await age(2);
    expect(uses).toEqual(['account', 'account', 'account', 'account']);
    expect([await outcome(header, V5), await outcome(header, DOWNLOAD)]).toEqual([REPLAY, REPLAY]);
  });

  it.each([
    ['another time', { exp: Math.floor(Date.now() / 1000) + 90 }],
    ['another claim', { note: 'x' }],
  ])('does not lend its nonce to a token with %s', async (_title, changes) => {
    const jti = `lent-${_title}`;
    expect(await outcome(token({ jti }), V5)).toBe('account');
    expect(await outcome(token({ jti, ...changes }), V5)).toBe(REPLAY);
  });

  it('neither returns nor lacks its nonce in strict mode', async () => {
    config.JWT_JTI = 'strict';
    const header = token();
    expect([await outcome(header, V5), await outcome(header, V5), await outcome(header, DOWNLOAD)]).toEqual([
      'account',
      REPLAY,
      REPLAY,
    ]);
    expect(await outcome(token({ jti: undefined }), V5)).toBe('Invalid JWT: Token is missing the "jti" claim.');
  });

  it('may lack it under v5', async () => {
    const header = token({ jti: undefined });
    expect([await outcome(header, V5), await outcome(header, V5), await outcome(header, DOWNLOAD)]).toEqual([
      'account',
      'account',
      'account',
    ]);
  });

  it('is refused under v5 as elsewhere when it expired', async () => {
    const at = Math.floor(Date.now() / 1000);
    const header = token({ iat: at - 90, exp: at - 1 });
    expect(await outcome(header, V5)).toMatch(/^Signature has expired\./);
    await db.spentToken.deleteMany();
    await outcome(token(), V5);
    expect(await purgeUsedNonces()).toBe(0);
  });
});

describe('concurrent uses', () => {
  it('of one token under v5 are all accepted, and of two tokens with one nonce those of one', async () => {
    for (let round = 0; round < 5; round++) {
      const jti = `round-${round}`;
      const [one, other] = [token({ jti }), token({ jti, note: 'other' })];
      const outcomes = await Promise.all(
        Array.from({ length: 24 }, async (_each, index) => {
          const header = index % 2 === 0 ? one : other;
          return [header, await outcome(header, V5)] as const;
        }),
      );
      const accepted = outcomes.filter(([, result]) => result === 'account').map(([header]) => header);
      expect([new Set(accepted).size, accepted.length]).toEqual([1, 12]);
      expect(outcomes.filter(([, result]) => result === REPLAY)).toHaveLength(12);
    }
  });

  it('under v4 and v5 let v4 accept at most one', async () => {
    for (let round = 0; round < 5; round++) {
      const header = token();
      const rules: JtiRule[] = Array.from({ length: 16 }, (_each, index) => (index % 2 === 0 ? V5 : 'required'));
      const outcomes = await Promise.all(rules.map(async (rule) => `${rule} ${await outcome(header, rule)}`));
      expect(outcomes.filter((each) => each === 'required account').length).toBeLessThan(2);
      expect(outcomes.filter((each) => each === `${V5} account`)).toHaveLength(8);
    }
  });

  it('in two processes share the first use', async () => {
    const header = token();
    const program = join(import.meta.dirname, '../support/authenticate-process.ts');
    const inProcess = async (rule: JtiRule) =>
      (await promisify(execFile)(process.execPath, [program, header, rule])).stdout;
    const together = await Promise.all([inProcess(V5), inProcess(V5), outcome(header, V5)]);
    expect(together).toEqual(['account', 'account', 'account']);
    await age(11);
    expect(await Promise.all([inProcess(V5), outcome(header, 'required')])).toEqual([REPLAY, REPLAY]);
  });
});
