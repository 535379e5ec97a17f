import { checkpointFile, type GivenCheckpoints, signCheckpoint } from '../domain/activity/checkpoints.ts';
import { FIRST_HASH, type LogReport } from '../domain/activity/hash-chain.ts';
import { positionOf } from '../domain/activity/log-page.ts';
import { auditEntries, auditedValues, hasAuditEntry, verifyAuditLog } from '../domain/activity/record-audit.ts';
import { signingIssuers } from '../domain/signature-log/issuers.ts';
import { verifySignatureLog } from '../domain/signature-log/signature-log.ts';
import { CommandError, type Invocation, print, printJson } from './command.ts';
import { withDatabase } from './with-database.ts';

/** The first problem of a log as a sentence; null if the log is whole. */
export function firstProblem({ entries, broken: [first], problems: [problem] }: LogReport): string | null {
  if (first !== undefined) return `${entries} entries, the chain is broken at entry ${first}`;
  return problem === undefined ? null : `${entries} entries, but ${problem}`;
}

/**
 * Verifies a log, and that it contains the checkpoints of this installation and of `--checkpoint`.
 * @throws {CommandError} naming the first problem.
 */
async function verifyLog(
  invocation: Invocation,
  verify: (given: GivenCheckpoints) => Promise<LogReport>,
): Promise<void> {
  const given = { files: invocation.list('checkpoint'), key: invocation.optionalText('key') };
  const report = await withDatabase(() => verify(given));
  const problem = firstProblem(report);
  if (invocation.flag('json')) printJson(jsonOf(report));
  else if (problem === null) print(`${report.entries} entries, the chain holds`);
  if (problem !== null) throw new CommandError(problem);
}

function jsonOf(report: LogReport): object {
  const { entries, broken, problems } = report;
  const verdict = {
    entries,
    intact: firstProblem(report) === null,
    broken: broken[0] === undefined ? null : Number(broken[0]),
  };
  return problems.length === 0 ? verdict : { ...verdict, problems };
}

/** Verifies the signature log. */
export const verifySignatures = (invocation: Invocation): Promise<void> => verifyLog(invocation, verifySignatureLog);

/** Signs the present state of the logs, writes the checkpoint to its file and prints it. */
export async function checkpointLogs(): Promise<void> {
  const note = await withDatabase(signCheckpoint);
  process.stdout.write(note);
  process.stderr.write(`Written to ${checkpointFile()}.\n`);
}

/** Prints the intermediate certificates that have signed files. */
export async function listIssuers(invocation: Invocation): Promise<void> {
  const issuers = await withDatabase(signingIssuers);
  for (const issuer of issuers) {
    if (invocation.flag('json')) printJson(issuer);
    else
      print(
        [issuer.sha256, `${issuer.certificates} certificates`, `valid to ${issuer.validTo}`, issuer.subject].join('  '),
      );
  }
}

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

/**
 * Prints the entries of the audit log after the cursor `--after`, oldest first, as JSON Lines with the text that each hash covers,
 * then a line with the next cursor. A cursor is position and hash of an entry, so that no part of the log is exchanged unnoticed.
 * @throws {CommandError} for a cursor of an entry that the log does not have.
 */
export async function exportAudit(invocation: Invocation): Promise<void> {
  let last = readCursor(invocation.optionalText('after') ?? `0:${FIRST_HASH}`);
  await withDatabase(async () => {
    if (!(await hasAuditEntry(last)))
      throw new CommandError(`The audit log has no entry ${last.id} with hash ${last.hash}.`);
    for await (const { id, created, ...entry } of auditEntries(last.id)) {
      const hashInput = JSON.stringify(auditedValues({ ...entry, created }));
      printJson({ index: String(id), ...entry, created: created.toISOString(), hashInput });
      last = { id, hash: entry.hash };
    }
  });
  printJson({ next: `${last.id}:${last.hash}` });
}

function readCursor(text: string): { id: bigint; hash: string } {
  const [, position = '', hash = ''] = /^(\d{1,19}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === '' || (position !== '0' && positionOf(position) === 0n)) {
    throw new CommandError(`Invalid cursor "${text}". Take the value of "next" of an earlier export.`);
  }
  return { id: BigInt(position), hash };
}

/** Verifies the audit log: chain, head and checkpoints (docs/decisions.md D124). @throws {CommandError} naming the first problem. */
export const verifyAudit = (invocation: Invocation): Promise<void> => verifyLog(invocation, verifyAuditLog);
