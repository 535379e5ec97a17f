import { auditEntries, verifyAuditLog } from '../domain/activity/record-audit.ts';
import { CommandError, type Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Prints the audit log, oldest first; with `--json` one object for each entry, with the keys of GraphQL's AuditEntry. */
export async function listAudit(invocation: Invocation): Promise<void> {
  const isJson = invocation.flag('json');
  await withDatabase(async () => {
    for await (const { id, created, ...entry } of auditEntries()) {
      const moment = created.toISOString();
      if (isJson) printJson({ index: String(id), ...entry, created: moment });
      else print([id, moment, entry.actor, entry.action, JSON.stringify(entry.details)].join('  '));
    }
  });
}

/** Verifies the hash chain of the audit log (people.md D124). @throws {CommandError} naming the first broken entry. */
export async function verifyAudit(invocation: Invocation): Promise<void> {
  const { entries, broken } = await withDatabase(verifyAuditLog);
  const [first] = broken;
  if (invocation.flag('json')) {
    printJson({ entries, intact: first === undefined, broken: first === undefined ? null : Number(first) });
  } else if (first === undefined) print(`${entries} entries, the chain holds`);
  if (first !== undefined) throw new CommandError(`${entries} entries, the chain is broken at entry ${first}`);
}
