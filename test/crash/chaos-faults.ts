import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, Member, Role } from './chaos-fleet.ts';
import type { Installation, RunningProcess } from './support/installation.ts';
import type { InstalledDatabase } from './support/installed-database.ts';
import { untilNoneLeft } from './support/waiting.ts';

export interface ChaosOptions {
  installation: Installation;
  database: InstalledDatabase;
  fleet: Fleet;
  problems: string[];
  /** How often each fault was injected. */
  counts: Map<string, number>;
  /** The longest time in which no version leaves the stages that wait for a worker, while some wait. */
  maxWaitMs: number;
}

/** SHUTDOWN_DELAY of 1 s, 30 s for running requests or jobs, 5 s to close connections, and slack for the machine. */
const STOP_MS = 40_000;
const FREEZE_SERVER_MS = 4_000;
const PAUSE_MS = 1_500;

const WAITING = `SELECT id FROM version WHERE stage IN ('received', 'validating', 'valid', 'signing')`;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const oneOf = ({ fleet }: ChaosOptions, role: Role): Member =>
  pick(fleet.members.filter((member) => member.role === role));

async function kill(options: ChaosOptions, role: Role): Promise<void> {
  const member = oneOf(options, role);
  await member.process.end('SIGKILL');
  await member.restart();
}

async function stop(options: ChaosOptions, role: Role): Promise<void> {
  const member = oneOf(options, role);
  const started = performance.now();
  await member.process.end('SIGTERM');
  const ms = Math.round(performance.now() - started);
  if (ms > STOP_MS) options.problems.push(`a ${role} stopped ${ms} ms after SIGTERM`);
  await member.restart();
}

/** Kills a backend of the service. PostgreSQL then ends all sessions and recovers. */
async function killBackend({ database }: ChaosOptions): Promise<void> {
  const backends = await database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'addons%' AND datname = current_database()`,
  );
  if (backends.length > 0) process.kill(pick(backends).pid, 'SIGKILL');
}

async function terminateBackends({ database }: ChaosOptions): Promise<void> {
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'addons' AND random() < 0.5`,
  );
}

async function killPostmaster({ installation }: ChaosOptions): Promise<void> {
  const { home } = JSON.parse(await readFile(join(installation.dataDir, 'postgres', 'cluster.json'), 'utf8')) as {
    home: string;
  };
  const [pid] = (await readFile(join(home, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

async function freezeServer(options: ChaosOptions): Promise<void> {
  const { process: frozen } = oneOf(options, 'server');
  signal(frozen, 'SIGSTOP');
  await sleep(FREEZE_SERVER_MS);
  signal(frozen, 'SIGCONT');
}

/** Freezes a worker until the other one has done all work that waited at that moment. */
async function freezeWorker(options: ChaosOptions): Promise<void> {
  const member = oneOf(options, 'worker');
  signal(member.process, 'SIGSTOP');
  await expectNoLongWait(options, 'while a worker was frozen');
  signal(member.process, 'SIGCONT');
}

/** A worker that loses the database for long ends by itself, so it may have ended after the last `supervise`. */
function signal({ pid }: RunningProcess, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Waits until the versions that wait for a worker now have left those stages. It is a problem if none of them leaves for as long as
 * allowed: how long each waits depends on how many are before it, and on the machine.
 */
async function expectNoLongWait({ database, fleet, problems, maxWaitMs }: ChaosOptions, when: string): Promise<void> {
  const ids = (await database.query<{ id: number }>(WAITING)).map(({ id }) => id);
  const left = await untilNoneLeft(maxWaitMs, async () => {
    // A worker whose jobs do not end without the database ends, and its supervisor starts it again.
    problems.push(...(await fleet.supervise()));
    return await database.query<{ id: number; stage: string }>(
      `SELECT id, stage FROM version WHERE id IN (${WAITING}) AND id = ANY($1)`,
      [ids],
    );
  });
  for (const { id, stage } of left)
    problems.push(`version ${id} waited in ${stage}, and none left its stage for ${maxWaitMs} ms ${when}`);
}

/** The faults of one round. The last one needs the other worker to be left alone, so it comes last. */
const FAULTS: Record<string, (options: ChaosOptions) => Promise<void>> = {
  'kill -9 of a worker': (options) => kill(options, 'worker'),
  'kill -9 of a server': (options) => kill(options, 'server'),
  'SIGTERM to a worker': (options) => stop(options, 'worker'),
  'SIGTERM to a server': (options) => stop(options, 'server'),
  'frozen server': freezeServer,
  'terminated backends': terminateBackends,
  'kill -9 of a backend': killBackend,
  'kill -9 of the postmaster': killPostmaster,
};
const LAST_FAULT = 'frozen worker';

/** Injects faults in random order until all were injected or the time is up, and expects all work to go on after the last. */
export async function runRound(options: ChaosOptions, isTimeUp: () => boolean): Promise<void> {
  const { fleet, problems, counts } = options;
  const faults = Object.entries(FAULTS).sort(() => Math.random() - 0.5);
  for (const [name, inject] of [...faults, [LAST_FAULT, freezeWorker] as const]) {
    if (isTimeUp() && name !== LAST_FAULT) continue;
    await sleep(Math.random() * PAUSE_MS);
    problems.push(...(await fleet.supervise()));
    await inject(options);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  await sleep(PAUSE_MS);
  problems.push(...(await fleet.supervise()));
  await expectNoLongWait(options, 'after the last fault of a round');
}
