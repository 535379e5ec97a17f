import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JtiRule } from '../../src/auth/used-nonces.ts';
import { createTestDatabase } from '../support/database.ts';
import { encode, HEADER, makeToken, signParts } from '../support/make-token.ts';

const database = await createTestDatabase();
const { closeDatabase } = await import('../../src/infra/db.ts');
const { createAccount, createApiKeyFor } = await import('../../src/domain/accounts/administration.ts');
const { authenticate } = await import('../../src/auth/authenticate.ts');
const { settleUses } = await import('../../src/auth/record-last-used.ts');
const { config } = await import('../../src/config.ts');

afterAll(async () => {
  await settleUses();
  await closeDatabase();
  await database.drop();
});

const at = 1_540_459_800;
let number = 0;
let pair = { key: '', secret: '' };
let now = 0;

beforeEach(async () => {
  const username = `developer-${++number}`;
  await createAccount({ username, email: `${username}@example.org` });
  pair = await createApiKeyFor({ username });
  now = Math.floor(Date.now() / 1000);
});

afterEach(() => {
  config.JWT_JTI = 'lenient';
});

/** The kind of viewer that a header authenticates, or the error message. */
async function outcome(header: string, jti: JtiRule = 'required', clock?: number) {
  return authenticate({ authorization: header, ip: '192.0.2.7', jti }, clock).then(
    (viewer) => viewer.kind,
    (error: Error) => error.message,
  );
}

const token = (changes: Record<string, unknown> = {}) => `JWT ${makeToken({ ...pair, now }, changes)}`;
const timed = (iat: number, exp: number) => outcome(token({ iat, exp }), 'required', at);

describe('a one-time token', () => {
  it('may have times with fractions, which are cut', async () => {
    expect(await timed(at - 0.5, at + 299.75)).toBe('account');
    expect(await timed(at + 0.9, at + 300.1)).toBe('account');
    expect(await timed(at - 60, at + 0.9)).toMatch(/^Signature has expired\./);
  });

  it('may span 301 s under v5 only, as that of clients that read their clock twice', async () => {
    const spanning = (seconds: number, rule: JtiRule) => outcome(token({ iat: at, exp: at + seconds }), rule, at);
    expect(await spanning(301, 'repeatable')).toBe('account');
    expect(await spanning(302, 'repeatable')).toMatch(/ exp is 302 s after iat; at most 301 s are allowed\.$/);
    expect(await spanning(301, 'repeatable-after-v5')).toMatch(/ at most 300 s are allowed\.$/);
    config.JWT_JTI = 'strict';
    expect(await spanning(301, 'repeatable')).toBe('account');
  });

  it('may have a jti that is a number, which is its text, with all of its digits', async () => {
    const numbered = (digits: string) =>
      `JWT ${signParts(HEADER, encode(`{"iss":"${pair.key}","iat":${now},"exp":${now + 60},"jti":${digits}}`), pair.secret)}`;
    expect(await outcome(numbered('12345678901234567890'))).toBe('account');
    expect(await outcome(numbered('12345678901234567891'))).toBe('account');
    expect(await outcome(token({ jti: '12345678901234567891' }))).toBe('JWT jti has already been used.');
  });
});
