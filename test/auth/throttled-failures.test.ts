/* After any number of failures at an address, valid credentials from there work. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { statementsDuring } from '../support/statements.ts';

const PATH = '/api/v4/accounts/profile/';
/** Above the limit of failures from one address in a minute. */
const FAILURES = 620;

const app = setUpApp();
let dev: Client;
let token: string;
let guesser: Client;
let unknownToken: string;

beforeAll(async () => {
  dev = await app.developer();
  const { createAccessTokenFor } = await import('../../src/domain/accounts/administration.ts');
  const { newAccessToken } = await import('../../src/auth/access-token.ts');
  const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [dev.accountId]);
  ({ token } = await createAccessTokenFor({ username: row?.username ?? '' }));
  unknownToken = newAccessToken();
  guesser = app.client({ token: unknownToken });
  app.config.RATE_LIMITS = true;
  for (let sent = 0; sent < FAILURES; sent += 20) {
    await Promise.all(Array.from({ length: 20 }, () => guesser.get(PATH)));
  }
});

describe(`after ${FAILURES} bad tokens from an address`, () => {
  it('a bad one gets 429', async () => {
    expect((await guesser.get(PATH)).status).toBe(429);
    expect((await guesser.graphqlResult('{ viewer { databaseId } }')).errors).toMatchObject([
      { extensions: { code: 'THROTTLED' } },
    ]);
  });

  it('valid credentials from it work, in REST and GraphQL', async () => {
    const bearer = app.client({ token });
    for (const client of [dev, bearer]) {
      expect((await client.get(PATH)).status).toBe(200);
      expect(await client.graphql('{ viewer { databaseId } }')).toMatchObject({
        viewer: { databaseId: dev.accountId },
      });
    }
    expect((await app.anonymous.get('/api/v4/addons/search/')).status).toBe(200);
  });

  it('a bad one costs one look-up and no write', async () => {
    expect(await statementsDuring(() => guesser.get(PATH))).toHaveLength(1);
    expect(await statementsDuring(() => app.client({ token: 'guess' }).get(PATH))).toEqual([]);
  });

  it('valid credentials work while bad ones are sent', async () => {
    const bearer = app.client({ token });
    const flood = Array.from({ length: 200 }, () => guesser.get(PATH));
    const good = await Promise.all(Array.from({ length: 20 }, () => bearer.get(PATH)));
    expect(new Set(good.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([429]));
  });
});
