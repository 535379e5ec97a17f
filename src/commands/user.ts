import { config } from '../config.ts';
import { createAccount } from '../domain/accounts/administration.ts';
import { addAuthorByCommand, removeAuthorByCommand } from '../domain/listing/administer-authors.ts';
import { deleteAccountByName } from '../domain/profiles/delete-account.ts';
import { disableAccountByName, enableAccountByName } from '../domain/profiles/disable-account.ts';
import { identitiesOf, linkIdentityTo, removeIdentityOf } from '../domain/sessions/link-identity.ts';
import { CommandError, type Invocation, print, printJson, printResult, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Creates an account. With `--json` it prints `{"id","username","email"}`. */
export async function createUser(invocation: Invocation): Promise<void> {
  const account = { username: invocation.text('username'), email: invocation.text('email') };
  const groupName = invocation.optionalText('group');
  const { id, username, email } = await withDatabase(() =>
    createAccount({ ...account, ...(groupName === undefined ? {} : { groupName }) }),
  );
  printResult(invocation, { id, username, email }, `User ${username} has the id ${id}.`);
}

/** Disables an account and all of its keys and tokens. */
export async function disableUser(invocation: Invocation): Promise<void> {
  const username = invocation.argument('USERNAME');
  await withDatabase(() => disableAccountByName(username, invocation.optionalText('reason')));
  print(`User ${username} is disabled.`);
}

/** Enables an account again, with its keys and tokens. */
export async function enableUser(invocation: Invocation): Promise<void> {
  const username = invocation.argument('USERNAME');
  await withDatabase(() => enableAccountByName(username, invocation.optionalText('reason')));
  print(`User ${username} is enabled.`);
}

/** Deletes an account and all of its data. */
export async function deleteUser(invocation: Invocation): Promise<void> {
  const username = invocation.argument('USERNAME');
  await withDatabase(() => deleteAccountByName(username));
  print(`User ${username} is deleted.`);
}

function identityIn(invocation: Invocation): { issuer: string; subject: string } {
  const issuer = invocation.optionalText('issuer') ?? config.OIDC_ISSUER;
  if (issuer === undefined) throw new CommandError('user: --issuer is needed, as OIDC_ISSUER is not set');
  return { issuer, subject: invocation.text('subject') };
}

/** Links an identity to an account. */
export async function linkUser(invocation: Invocation): Promise<void> {
  const username = invocation.argument('USERNAME');
  const isNew = await withDatabase(() => linkIdentityTo(username, identityIn(invocation)));
  print(isNew ? `The identity signs in to ${username} from now on.` : `The identity is linked to ${username} already.`);
}

/** Removes an identity of an account. */
export async function unlinkUser(invocation: Invocation): Promise<void> {
  const username = invocation.argument('USERNAME');
  await withDatabase(() => removeIdentityOf(username, identityIn(invocation)));
  print(`The identity does not sign in to ${username} any more.`);
}

/** Prints the identities of an account. `--json` prints a list of `{"issuer","subject","email","created","lastUsed"}`. */
export async function listIdentities(invocation: Invocation): Promise<void> {
  const identities = await withDatabase(() => identitiesOf(invocation.argument('USERNAME')));
  if (invocation.flag('json')) return printJson(identities);
  const lines = identities.map(({ issuer, subject, email, lastUsed }) =>
    [
      `${issuer || 'no issuer'}  ${subject}`,
      email ?? 'no address',
      lastUsed === null ? 'not used' : `last used ${lastUsed.toISOString()}`,
    ].join(', '),
  );
  print(...(lines.length > 0 ? lines : ['There are no identities.']));
}

/** Makes a user an author of an add-on. @throws {UsageError} for an unknown role. */
export async function addAuthor(invocation: Invocation): Promise<void> {
  const authorship = { addon: invocation.argument('ADDON'), username: invocation.text('user') };
  const role = invocation.optionalText('role') ?? 'developer';
  if (role !== 'owner' && role !== 'developer')
    throw new UsageError(`author add: ROLE is owner or developer, not '${role}'`);
  await withDatabase(() => addAuthorByCommand(authorship, { role, listed: !invocation.flag('unlisted') }));
  print(`${authorship.username} is an author of ${authorship.addon}.`);
}

/** Removes a user from the authors of an add-on. */
export async function removeAuthorCommand(invocation: Invocation): Promise<void> {
  const authorship = { addon: invocation.argument('ADDON'), username: invocation.text('user') };
  await withDatabase(() => removeAuthorByCommand(authorship));
  print(`${authorship.username} is no author of ${authorship.addon} any more.`);
}
