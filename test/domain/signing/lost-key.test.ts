import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { xpi } from '../../support/packages.ts';
import { path } from '../../support/signing-steps.ts';

const app = setUpApp();

/** Uploads a package that contains `secret`, gives the uploader an API key sealed with a lost key, and runs the jobs. Returns the stage. */
async function validateWithLostKey(guid: string, secret: (own: string) => string): Promise<unknown> {
  const developer = await app.developer();
  const { openSecret } = await import('../../../src/auth/secret-box.ts');
  const [key] = await app.sql<{ sealed: Buffer }>('SELECT sealed_secret AS sealed FROM api_key WHERE account_id = $1', [
    developer.accountId,
  ]);
  const content = secret(openSecret(key?.sealed ?? Buffer.alloc(0)));
  await developer.put(path(guid), { upload: await xpi({ guid, version: '1.0', files: { 'notes.txt': content } }) });
  // Another nonce, like another key, fails authentication.
  const unopenable = Buffer.from(key?.sealed ?? []).fill(0, 1, 13);
  await app.sql('INSERT INTO api_key (account_id, key, sealed_secret) VALUES ($1, $2, $3)', [
    developer.accountId,
    `user:${developer.accountId}:1`,
    unopenable,
  ]);
  await app.runJobs();
  const [version] = await app.sql<{ stage: string }>(
    'SELECT stage FROM version v JOIN addon a ON a.id = v.addon_id WHERE a.guid = $1',
    [guid],
  );
  return version?.stage;
}

it('a token of an API key whose secret cannot be decrypted any more gets 401', async () => {
  const developer = await app.developer();
  expect((await developer.get(path('unknown@example'))).status).toBe(404);
  await app.sql(
    'UPDATE api_key SET sealed_secret = set_byte(sealed_secret, 1, get_byte(sealed_secret, 1) # 1) WHERE account_id = $1',
    [developer.accountId],
  );
  const { status, json } = await developer.get(path('unknown@example'));
  expect([status, json]).toEqual([401, expect.objectContaining({ detail: expect.any(String) })]);
});

describe('an upload of an account with an API secret that cannot be decrypted any more', () => {
  it('is validated and signed', async () => {
    expect(await validateWithLostKey('lost-key@example', () => 'no secret')).toBe('signed');
  });

  it('is still searched for the other secrets of the account', async () => {
    expect(await validateWithLostKey('lost-and-own-key@example', (own) => own)).toBe('invalid');
  });
});
