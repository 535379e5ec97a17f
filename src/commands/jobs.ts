import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { dropJob, retryJob } from '../domain/operation/change-jobs.ts';
import { findJob, JOB_STATES, type JobRow, type JobState, listJobs } from '../domain/operation/find-jobs.ts';
import { CommandError, type Invocation, print, printJson, printResult, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const PAGE = 200;

/** Prints jobs, oldest first: those with failed attempts unless a state is given. With `--json` one object for each. */
export async function listJobsCommand(invocation: Invocation): Promise<void> {
  const filter = {
    states: statesOf(invocation.optionalText('state')),
    task: invocation.optionalText('task') ?? null,
  };
  const printOne = invocation.flag('json') ? printJobJson : printLine;
  await withDatabase(async () => {
    for (let after: bigint | null = null; ; ) {
      const jobs = await listJobs(filter, { before: null, after, limit: PAGE, inverted: false });
      for (const job of jobs) printOne(job);
      after = jobs.at(-1)?.id ?? null;
      if (jobs.length < PAGE) return;
    }
  });
}

function statesOf(given: string | undefined): readonly JobState[] {
  if (given === undefined) return ['retrying', 'failed'];
  const state = JOB_STATES.find((each) => each === given);
  if (state === undefined) throw new UsageError(`jobs list: --state is one of ${JOB_STATES.join(', ')}`);
  return [state];
}

/** Prints one job with the whole cause of its last failure. */
export async function showJob(invocation: Invocation): Promise<void> {
  const job = await withDatabase(() => findJob(idOf(invocation)));
  if (job === null)
    throw new CommandError(`Job ${invocation.argument('ID')} does not exist; finished jobs are removed.`);
  if (invocation.flag('json')) return printJobJson(job);
  printLine(job);
  print(
    `created ${job.created.toISOString()}, starts ${job.runAt.toISOString()}, about ${JSON.stringify(job.payload)}`,
  );
  if (job.cause !== null) print(job.cause);
}

/** Makes a job due now, with all its attempts. */
export const retryJobCommand = change(retryJob, 'retried', 'is due now');

/** Removes a job. */
export const dropJobCommand = change(dropJob, 'dropped', 'was removed');

function change(act: typeof retryJob, key: 'retried' | 'dropped', done: string) {
  return async (invocation: Invocation): Promise<void> => {
    const id = idOf(invocation);
    await withDatabase(() => act(COMMAND_LINE, id));
    printResult(invocation, { [key]: String(id) }, `Job ${id} ${done}.`);
  };
}

function idOf(invocation: Invocation): bigint {
  const text = invocation.argument('ID');
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new UsageError('jobs: ID is the number of a job, as "jobs list" prints it');
  return BigInt(text);
}

function printLine({ id, task, state, attempts, maxAttempts, cause }: JobRow): void {
  const [firstLine = ''] = (cause ?? '').split('\n');
  print([id, state.padEnd(8), `${attempts}/${maxAttempts}`, task, firstLine].join('  ').trimEnd());
}

function printJobJson({ id, versionId: _version, addonId: _addon, ...job }: JobRow): void {
  printJson({ id: String(id), ...job });
}
