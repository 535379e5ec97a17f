import { createAccessTokenFor, createApiKeyFor, revokeKey } from '../domain/accounts/administration.ts';
import type { Invocation } from './command.ts';
import { readExpiry } from './expiry.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Creates an API key and records the user's acceptance of the developer agreement. `--json` prints `{"key","secret"}`. */
export async function createKey(invocation: Invocation): Promise<void> {
  const expiry = invocation.optionalText('expires');
  const expires = expiry === undefined ? undefined : expiry === 'never' ? null : readExpiry(expiry);
  const options = { username: invocation.text('user'), label: invocation.optionalText('label') ?? null, expires };
  const { key, secret } = await withDatabase(() => createApiKeyFor(options));
  if (invocation.flag('json')) printJson({ key, secret });
  else print(`key     ${key}`, `secret  ${secret}`, 'The secret is not shown again.');
}

/** Revokes an API key. */
export async function endKey(invocation: Invocation): Promise<void> {
  const key = invocation.argument('KEY');
  await withDatabase(() => revokeKey(key));
  print(`API key ${key} is revoked.`);
}

/** Creates an access token for the `Authorization: Bearer` header. `--json` prints `{"token"}`. */
export async function createToken(invocation: Invocation): Promise<void> {
  const expires = readExpiry(invocation.optionalText('expires'));
  const options = { username: invocation.text('user'), label: invocation.optionalText('label') ?? null, expires };
  const made = await withDatabase(() => createAccessTokenFor(options));
  if (invocation.flag('json')) printJson({ token: made.token });
  else print(made.token, `It is valid until ${made.expires.toISOString()} and not shown again.`);
}
