import { checkRule, grantRule } from '../domain/accounts/administration.ts';
import { revokeMembership } from '../domain/groups/change-groups.ts';
import { type Invocation, printResult } from './command.ts';
import { withDatabase } from './with-database.ts';

/**
 * Grants permission rules to a user through a group; creates group, rules and membership when missing.
 * @throws {InvalidInputError} for a malformed rule, before any rule is granted.
 */
export async function grantRules(invocation: Invocation): Promise<void> {
  const [group, username] = [invocation.argument('NAME'), invocation.text('user')];
  const rules = invocation.list('rule');
  for (const rule of rules) checkRule(rule);
  await withDatabase(async () => {
    for (const rule of rules) await grantRule({ group, rule, username });
  });
  printResult(
    invocation,
    { group, user: username, rules },
    `${username} is a member of ${group}, which has ${rules.join(', ')}.`,
  );
}

/** Removes a user from a group. Succeeds when the user is no member. */
export async function revokeMember(invocation: Invocation): Promise<void> {
  const [group, username] = [invocation.argument('NAME'), invocation.text('user')];
  const wasMember = await withDatabase(() => revokeMembership(group, username));
  printResult(
    invocation,
    { group, user: username, wasMember },
    wasMember ? `${username} is no longer a member of ${group}.` : `${username} is not a member of ${group}.`,
  );
}
