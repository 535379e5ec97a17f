import { auditEntries, verifyAuditLog } from '../domain/activity/record-audit.ts';
import type { Invocation } from './command.ts';
import { verifyLog } from './log.ts';
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

/** Verifies the audit log: chain, head and checkpoints (docs/decisions.md D124). @throws {CommandError} naming the first problem. */
export const verifyAudit = (invocation: Invocation): Promise<void> => verifyLog(invocation, verifyAuditLog);
