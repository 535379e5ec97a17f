import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { makeToken } from '../support/make-token.ts';
import { hostileTokens } from '../support/tokens.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../src/infra/db.ts');
const { createAccount, createApiKeyFor } = await import('../../src/domain/accounts/administration.ts');
const { authenticate } = await import('../../src/auth/authenticate.ts');
const { settleUses } = await import('../../src/auth/record-use.ts');

await createAccount({ username: 'dev', email: 'dev@example.org' });
const pair = await createApiKeyFor({ username: 'dev' });
const now = Math.floor(Date.now() / 1000);
const rows = hostileTokens({ ...pair, now });

afterAll(async () => {
  await settleUses();
  await closeDatabase();
  await database.drop();
});

const asked = (authorization: string) => authenticate({ authorization, ip: '192.0.2.1', jti: 'optional' }, now);

describe('a hostile Authorization header', () => {
  beforeAll(async () => {
    const viewer = await asked(`JWT ${makeToken({ ...pair, now })}`);
    expect(viewer).toMatchObject({ kind: 'account', username: 'dev' });
  });

  it('comes in at least 77 forms, each named once', () => {
    expect(rows.length).toBeGreaterThanOrEqual(77);
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  });

  it.each(rows)('is refused: $name', async ({ header, detail, code }) => {
    const error: unknown = await asked(header).then(
      () => null,
      (problem: unknown) => problem,
    );
    expect(error).toMatchObject({
      code: 'NOT_AUTHENTICATED',
      message: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    });
    expect((error as { details: unknown }).details).toEqual(code === undefined ? {} : { tokenProblem: code });
  });

  it('spends no nonce and leaves no trace of a login', async () => {
    await settleUses();
    // The one of the good token before.
    expect(await db.spentToken.count()).toBe(1);
  });
});
