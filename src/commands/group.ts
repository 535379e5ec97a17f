import { parseRule } from '../auth/permissions.ts';
import { grant } from '../domain/accounts/administration.ts';
import { CommandError, type Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/**
 * Gives a user permission rules through a group; group, rules and membership are made where they are missing.
 * @throws {CommandError} for what is no rule, before any of them is given.
 */
export async function grantRules(invocation: Invocation): Promise<void> {
  const [group, username] = [invocation.argument('NAME'), invocation.text('user')];
  const rules = invocation.list('rule');
  const wrong = rules.find((rule) => parseRule(rule) === null);
  if (wrong !== undefined) {
    const hint = 'It has the form app:action, either part of which may be *.';
    throw new CommandError(`${JSON.stringify(wrong)} is not a permission rule. ${hint}`);
  }
  await withDatabase(async () => {
    for (const rule of rules) await grant({ group, rule, username });
  });
  if (invocation.flag('json')) printJson({ group, user: username, rules });
  else print(`${username} is a member of ${group}, which has ${rules.join(', ')}.`);
}
