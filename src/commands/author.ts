import { addAuthorByCommand, removeAuthorByCommand } from '../domain/listing/administer-authors.ts';
import { type Invocation, UsageError } from './command.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

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
