import { checkRule, grant } from '../domain/accounts/administration.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/**
 * Gives a user permission rules through a group; group, rules and membership are made where they are missing.
 * @throws {InvalidInputError} for what is no rule, before any of them is given.
 */
export async function grantRules(invocation: Invocation): Promise<void> {
  const [group, username] = [invocation.argument('NAME'), invocation.text('user')];
  const rules = invocation.list('rule');
  for (const rule of rules) checkRule(rule);
  await withDatabase(async () => {
    for (const rule of rules) await grant({ group, rule, username });
  });
  if (invocation.flag('json')) printJson({ group, user: username, rules });
  else print(`${username} is a member of ${group}, which has ${rules.join(', ')}.`);
}
