import { createAccessTokenFor } from '../domain/accounts/administration.ts';
import type { Invocation } from './command.ts';
import { readExpiry } from './expiry.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Creates an access token for the `Authorization: Bearer` header. `--json` prints `{"token"}`. */
export async function createToken(invocation: Invocation): Promise<void> {
  const expires = readExpiry(invocation.optionalText('expires'));
  const options = { username: invocation.text('user'), label: invocation.optionalText('label') ?? null, expires };
  const made = await withDatabase(() => createAccessTokenFor(options));
  if (invocation.flag('json')) printJson({ token: made.token });
  else print(made.token, `It is valid until ${made.expires.toISOString()} and not shown again.`);
}
