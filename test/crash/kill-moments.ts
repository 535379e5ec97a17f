import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './kill-uploads.ts';
import type { Installation, RunningProcess } from './support/installation.ts';
import type { InstalledDatabase } from './support/installed-database.ts';
import { until } from './support/waiting.ts';

type Role = 'server' | 'worker';

/** The running processes. */
export type Processes = Record<Role, RunningProcess>;

/** Kills, the work that they interrupted, and the recovery times. */
export interface KillReport {
  /** Kills by kind of moment. */
  moments: Map<string, number>;
  caught: { bodies: number; validations: number; signings: number };
  /** For each kill of a worker with jobs: ms until another worker had taken over all of them. */
  resumedMs: number[];
  /** For each kill of the web server: ms until the next one was ready. */
  restartMs: number[];
  problems: string[];
}

export interface KillOptions {
  installation: Installation;
  database: InstalledDatabase;
  ledger: Ledger;
  processes: Processes;
  kills: number;
}

/** A moment to kill some processes. Without `isNow`, any time. */
interface Moment {
  name: string;
  roles: readonly Role[];
  isNow?: (options: KillOptions, dead: ReadonlySet<string>) => Promise<boolean>;
}

const MOMENTS: readonly Moment[] = [
  { name: 'worker, while it validates', roles: ['worker'], isNow: isAtWork('validating') },
  { name: 'server, while a body comes in', roles: ['server'], isNow: async ({ ledger }) => ledger.bodiesUnderWay > 0 },
  { name: 'worker, while it signs', roles: ['worker'], isNow: isAtWork('signing') },
  { name: 'server, at any moment', roles: ['server'] },
  { name: 'worker, at any moment', roles: ['worker'] },
  { name: 'server and worker at once', roles: ['server', 'worker'] },
];

const LONGEST_PAUSE_MS = 1_500;
/** After this time, the processes are killed without the condition. */
const PATIENCE_MS = 8_000;
const RESUME_MS = 120_000;

/** Whether a living worker processes a version or an upload in this stage. `dead` has the ids of the killed workers. */
function isAtWork(stage: string) {
  return async ({ database }: KillOptions, dead: ReadonlySet<string>): Promise<boolean> =>
    (await heldJobs(database)).some((job) => job.stage === stage && !dead.has(job.worker));
}

/** Kills and restarts processes `kills` times. Returns when other workers have resumed all interrupted work. */
export async function killAtMoments(options: KillOptions): Promise<KillReport> {
  const report: KillReport = {
    moments: new Map(),
    caught: { bodies: 0, validations: 0, signings: 0 },
    resumedMs: [],
    restartMs: [],
    problems: [],
  };
  let resuming: Promise<void> = Promise.resolve();
  let overtaken = new AbortController();
  const dead = new Set<string>();
  for (let done = 0, turn = 0; done < options.kills; turn++) {
    const moment = MOMENTS[turn % MOMENTS.length] as Moment;
    await sleep(Math.random() * LONGEST_PAUSE_MS);
    await waitFor(moment, options, dead);
    const roles = moment.roles.slice(0, options.kills - done);
    if (roles.includes('worker')) {
      // Work that is not resumed yet is interrupted again: its time counts from the later kill.
      overtaken.abort();
      overtaken = new AbortController();
    }
    const killed = await kill(roles, options, dead, report);
    for (const { worker } of killed.jobs) dead.add(worker);
    if (killed.jobs.length > 0) resuming = watchResume(options.database, killed, overtaken.signal, report);
    await restart(roles, options, killed, report);
    done += roles.length;
    report.moments.set(moment.name, (report.moments.get(moment.name) ?? 0) + roles.length);
  }
  await resuming;
  return report;
}

async function waitFor({ isNow }: Moment, options: KillOptions, dead: ReadonlySet<string>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (isNow && performance.now() < deadline && !(await isNow(options, dead))) await sleep(1);
}

/** Jobs that a killed worker held, and the time of the kill. */
interface Killed {
  at: number;
  jobs: { key: string; worker: string }[];
}

async function kill(
  roles: readonly Role[],
  options: KillOptions,
  dead: ReadonlySet<string>,
  report: KillReport,
): Promise<Killed> {
  const { database, ledger, processes } = options;
  for (const role of roles) {
    if (!processes[role].isRunning()) report.problems.push(`the ${role} ended by itself`);
  }
  const at = performance.now();
  const bodies = roles.includes('server') ? ledger.bodiesUnderWay : 0;
  await Promise.all(roles.map((role) => processes[role].end('SIGKILL')));
  report.caught.bodies += bodies;
  const jobs = roles.includes('worker') ? await heldJobs(database) : [];
  for (const { stage } of jobs.filter(({ worker }) => !dead.has(worker))) {
    if (stage === 'validating') report.caught.validations++;
    if (stage === 'signing') report.caught.signings++;
  }
  return { at, jobs };
}

/** Starts other processes in place of the killed ones. Returns when the web server is ready. */
async function restart(
  roles: readonly Role[],
  { installation, processes }: KillOptions,
  { at }: Killed,
  report: KillReport,
): Promise<void> {
  if (roles.includes('worker')) processes.worker = await installation.work();
  if (roles.includes('server')) {
    processes.server = await installation.serve();
    report.restartMs.push(performance.now() - at);
  }
}

async function heldJobs(database: InstalledDatabase): Promise<{ key: string; worker: string; stage: string }[]> {
  return database.query(
    `SELECT jobs.key, jobs.locked_by AS worker, coalesce(version.stage, upload.stage) AS stage FROM graphile_worker.jobs
       LEFT JOIN version ON jobs.key IN ('validate-version:' || version.id, 'sign-version:' || version.id)
       LEFT JOIN upload ON jobs.key = 'validate-upload:' || upload.id
      WHERE jobs.locked_by IS NOT NULL AND coalesce(version.stage, upload.stage) IS NOT NULL`,
  );
}

async function watchResume(
  database: InstalledDatabase,
  { at, jobs }: Killed,
  overtaken: AbortSignal,
  report: KillReport,
): Promise<void> {
  const stillHeld = async (): Promise<boolean> => {
    const rows = await database.query(
      `SELECT FROM graphile_worker.jobs JOIN unnest($1::text[], $2::text[]) AS held (key, worker) USING (key)
        WHERE jobs.locked_by IS NULL OR jobs.locked_by = held.worker`,
      [jobs.map(({ key }) => key), jobs.map(({ worker }) => worker)],
    );
    return rows.length > 0;
  };
  try {
    await until(
      'interrupted work resumes',
      RESUME_MS,
      async () => (overtaken.aborted || !(await stillHeld()) ? true : null),
      20,
    );
    if (!overtaken.aborted) report.resumedMs.push(Math.round(performance.now() - at));
  } catch (error) {
    report.problems.push((error as Error).message);
  }
}
