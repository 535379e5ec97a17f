import { endSessionsOf, sessionsOf } from '../domain/sessions/end-sessions.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

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
