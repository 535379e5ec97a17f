import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { makeToken } from '../support/make-token.ts';
import { hostileTokens } from '../support/tokens.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { createAccount, createApiKeyFor } = await import('../../src/domain/accounts/administration.ts');
const { authenticate } = await import('../../src/auth/authenticate.ts');
const { settleUses } = await import('../../src/auth/record-last-used.ts');

await createAccount({ username: 'dev', email: 'dev@example.org' });
const pair = await createApiKeyFor({ username: 'dev' });
const now = Math.floor(Date.now() / 1000);
const rows = hostileTokens({ ...pair, now });

afterAll(async () => {
  await settleUses();
  await closeDatabase();
  await database.drop();
});

const authenticateWith = (authorization: string) =>
  authenticate({ authorization, ip: '192.0.2.1', jti: 'optional' }, now);

describe('a hostile Authorization header', () => {
  beforeAll(async () => {
    const viewer = await authenticateWith(`JWT ${makeToken({ ...pair, now })}`);
    expect(viewer).toMatchObject({ kind: 'account', username: 'dev' });
  });

  it('is covered in at least 77 forms with unique names', () => {
    expect(rows.length).toBeGreaterThanOrEqual(77);
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  });

  it.each(rows)('is refused: $name', async ({ header, detail, code }) => {
    const error: unknown = await authenticateWith(header).then(
      () => null,
      (problem: unknown) => problem,
    );
    expect(error).toMatchObject({
      code: 'NOT_AUTHENTICATED',
      message: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    });
    expect((error as { details: unknown }).details).toEqual(code === undefined ? {} : { tokenProblem: code });
  });

  it('uses no nonce and records no login', async () => {
    await settleUses();
    // The nonce of the valid token in beforeAll.
    expect(await db.spentToken.count()).toBe(1);
  });
});
