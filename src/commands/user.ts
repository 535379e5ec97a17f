import { createAccount } from '../domain/accounts/administration.ts';
import { deleteAccountByName } from '../domain/profiles/delete-account.ts';
import { disableAccountByName, enableAccountByName } from '../domain/profiles/disable-account.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Creates an account. With `--json` it prints `{"id","username","email"}`. */
export async function createUser(invocation: Invocation): Promise<void> {
  const account = { username: invocation.text('username'), email: invocation.text('email') };
  const groupName = invocation.optionalText('group');
  const { id, username, email } = await withDatabase(() =>
    createAccount({ ...account, ...(groupName === undefined ? {} : { groupName }) }),
  );
  if (invocation.flag('json')) printJson({ id, username, email });
  else print(`User ${username} has the id ${id}.`);
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
