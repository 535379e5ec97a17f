import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { addApplicationVersion, listApplicationVersions } from '../domain/reference/manage-reference.ts';
import type { Invocation } from './command.ts';
import { readApplication } from './discovery.ts';
import { print } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Adds a known version of an application. */
export async function addVersionCommand(invocation: Invocation): Promise<void> {
  const app = readApplication(invocation.argument('APP'));
  const version = invocation.argument('VERSION');
  const isNew = await withDatabase(() => addApplicationVersion(COMMAND_LINE, app, version));
  print(`${app} ${version} ${isNew ? 'was added' : 'already exists'}.`);
}

/** Prints the known versions of an application, lowest first. */
export async function listVersions(invocation: Invocation): Promise<void> {
  const app = readApplication(invocation.argument('APP'));
  print(...(await withDatabase(() => listApplicationVersions(app))));
}
