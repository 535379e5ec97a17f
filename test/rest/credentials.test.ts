/*
 * Responses to credentials that were valid once, or whose account may not use them. Credentials that were never valid are
 * covered in test/hostile/.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { expectRefusal, signingRefusal } from '../support/expect-refusal.ts';
import { makeToken } from '../support/make-token.ts';

const app = setUpApp();
let accounts: typeof import('../../src/domain/accounts/administration.ts');
beforeAll(async () => {
  accounts = await import('../../src/domain/accounts/administration.ts');
});

async function disableAccountByName(username: string): Promise<void> {
  const profiles = await import('../../src/domain/profiles/disable-account.ts');
  await profiles.disableAccountByName(username);
}

async function newAccount(): Promise<string> {
  const username = `holder-${randomUUID()}`;
  await accounts.createAccount({ username, email: `${username}@example.org` });
  return username;
}

const nowInSeconds = () => Math.floor(Date.now() / 1000);
const oneTimeToken = (pair: { key: string; secret: string }, claims: Record<string, unknown> = {}) =>
  `JWT ${makeToken({ ...pair, now: nowInSeconds() }, claims)}`;

async function accessToken(username: string, expires?: Date): Promise<string> {
  return `Bearer ${(await accounts.createAccessTokenFor({ username, expires })).token}`;
}

const DECODING = 'ERROR_DECODING_SIGNATURE';

/** Why the credential is refused, the header, and message and code of the response. */
const ROWS: [name: string, header: () => Promise<string>, text: unknown, code?: string][] = [
  [
    'the account of the key is disabled',
    async () => {
      const username = await newAccount();
      const pair = await accounts.createApiKeyFor({ username });
      await disableAccountByName(username);
      return oneTimeToken(pair);
    },
    'User account is disabled.',
  ],
  [
    'the developer agreement is not accepted',
    async () => {
      const username = await newAccount();
      const pair = await accounts.createApiKeyFor({ username });
      await app.sql('UPDATE account SET read_dev_agreement = NULL WHERE username = $1', [username]);
      return oneTimeToken(pair);
    },
    'User has not read developer agreement.',
  ],
  [
    'the key is revoked',
    async () => {
      const pair = await accounts.createApiKeyFor({ username: await newAccount() });
      await accounts.revokeKey(pair.key);
      return oneTimeToken(pair);
    },
    'Error decoding signature.',
    DECODING,
  ],
  [
    'the key has expired',
    async () => {
      const pair = await accounts.createApiKeyFor({ username: await newAccount() });
      await app.sql("UPDATE api_key SET expires = now() - interval '1 second' WHERE key = $1", [pair.key]);
      return oneTimeToken(pair);
    },
    expect.stringMatching(/^API key has expired\. It was valid until \d{4}-\d\d-\d\dT/),
  ],
  [
    'the access token has expired',
    async () => {
      const username = await newAccount();
      const header = await accessToken(username);
      await app.sql(
        "UPDATE access_token SET created = now() - interval '2 days', expires = now() - interval '1 second' WHERE account_id = (SELECT id FROM account WHERE username = $1)",
        [username],
      );
      return header;
    },
    expect.stringMatching(/^Signature has expired\. The access token was valid until \d{4}-/),
    'ERROR_SIGNATURE_EXPIRED',
  ],
  [
    'the access token is revoked',
    async () => {
      const username = await newAccount();
      const header = await accessToken(username);
      await app.sql(
        'UPDATE access_token SET revoked_at = now() WHERE account_id = (SELECT id FROM account WHERE username = $1)',
        [username],
      );
      return header;
    },
    'Incorrect authentication credentials.',
  ],
  [
    'the account of the access token is disabled',
    async () => {
      const username = await newAccount();
      const header = await accessToken(username);
      await disableAccountByName(username);
      return header;
    },
    'Incorrect authentication credentials.',
  ],
];

describe.each(['v3', 'v4', 'v4dev'])('a credential under %s', (version) => {
  const signing = `/api/${version}/addons/any@example.org/versions/1.0/`;
  const catalogue = [`/api/${version}/addons/addon/any@example.org/`, `/api/${version}/addons/compat-override/`];
  const get = (path: string, authorization: string) => app.anonymous.get(path, { authorization });
  const catalogueRefusal = (detail: unknown, code?: string) => ({
    status: 401,
    json: { detail, ...(code === undefined ? {} : { code }) },
  });

  it.each(ROWS)('is refused when %s', async (_name, makeHeader, text, code) => {
    const header = await makeHeader();
    expectRefusal(await get(signing, header), signingRefusal(401, text, code));
    for (const path of catalogue) expectRefusal(await get(path, header), catalogueRefusal(text, code));
  });

  it('is refused when its nonce has been used', async () => {
    const header = oneTimeToken(await accounts.createApiKeyFor({ username: await newAccount() }));
    expect((await get(signing, header)).status).toBe(404);
    const text = 'JWT jti has already been used.';
    expectRefusal(await get(signing, header), signingRefusal(401, text));
    for (const path of catalogue) expectRefusal(await get(path, header), catalogueRefusal(text));
  });

  it('needs a nonce, except on the signing endpoints', async () => {
    const pair = await accounts.createApiKeyFor({ username: await newAccount() });
    const header = oneTimeToken(pair, { jti: undefined });
    expect((await get(signing, header)).status).toBe(404);
    const text = 'Invalid JWT: Token is missing the "jti" claim.';
    for (const path of catalogue) expectRefusal(await get(path, header), catalogueRefusal(text, DECODING));
  });
});
