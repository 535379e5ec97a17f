import { createAccessTokenFor, createApiKeyFor, revokeKey } from '../domain/accounts/administration.ts';
import { endSessionsOf, sessionsOf } from '../domain/sessions/end-sessions.ts';
import { CommandError, type Invocation, print, printJson, printResult } from './command.ts';
import { withDatabase } from './with-database.ts';

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads the value of `--expires`: a length of time such as `90d`, `12h` or `5m`, or a date (`2030-01-31`, UTC).
 * @throws {CommandError} for anything else.
 */
export function readExpiry(text: string | undefined, now = Date.now()): Date | null {
  if (text === undefined) return null;
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = amount === undefined ? dateOf(text) : now + Number(amount) * (UNIT_MS[unit] ?? 0);
  if (Number.isNaN(time))
    throw new CommandError(`--expires: '${text}' is neither a length of time like 90d nor a date`);
  return new Date(time);
}

function dateOf(text: string): number {
  const time = /^\d{4}-\d\d-\d\d(T[0-9:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  // JavaScript reads February 31 as a day of March.
  return Number.isNaN(time) || new Date(time).toISOString().startsWith(text.slice(0, 10)) ? time : Number.NaN;
}

/** Creates an API key and records the user's acceptance of the developer agreement. `--json` prints `{"key","secret"}`. */
export async function createKey(invocation: Invocation): Promise<void> {
  const expiry = invocation.optionalText('expires');
  const expires = expiry === undefined ? undefined : expiry === 'never' ? null : readExpiry(expiry);
  const options = { username: invocation.text('user'), label: invocation.optionalText('label') ?? null, expires };
  const { key, secret } = await withDatabase(() => createApiKeyFor(options));
  printResult(invocation, { key, secret }, `key     ${key}`, `secret  ${secret}`, 'The secret is not shown again.');
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
  printResult(
    invocation,
    { token: made.token },
    made.token,
    `It is valid until ${made.expires.toISOString()} and not shown again.`,
  );
}

/** Prints the valid sessions of a user. `--json` prints a list of `{"id","label","created","expires","lastUsed"}`. */
export async function listSessions(invocation: Invocation): Promise<void> {
  const sessions = await withDatabase(() => sessionsOf(invocation.text('user')));
  if (invocation.flag('json')) return printJson(sessions);
  const lines = sessions.map(({ id, label, created, expires, lastUsed }) =>
    [
      `${id}  ${label || 'Access token'}`,
      `since ${created.toISOString()}`,
      `until ${expires.toISOString()}`,
      lastUsed === null ? 'not used' : `last used ${lastUsed.toISOString()}`,
    ].join(', '),
  );
  print(...(lines.length > 0 ? lines : ['There are no sessions.']));
}

/** Ends all sessions and access tokens of a user. */
export async function revokeSessions(invocation: Invocation): Promise<void> {
  const username = invocation.text('user');
  const ended = await withDatabase(() => endSessionsOf(username));
  print(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${username}.`);
}
