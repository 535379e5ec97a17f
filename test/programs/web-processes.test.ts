import { execFile } from 'node:child_process';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../crash/support/installation.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { addons, PROGRAM, type RunningProgram, startProgram } from '../support/program.ts';

const PATH = '/api/v4/addons/replacement-addon/';
const PROCESSES = 2;

let database: TestDatabase;
let empty: TestDatabase;
let metricsPort: number;
const supervisors: RunningProgram[] = [];

beforeAll(async () => {
  [database, empty] = [await createTestDatabase(), await createEmptyDatabase()];
  metricsPort = await freePort();
});
afterAll(async () => {
  await Promise.all(supervisors.map((each) => each.end('SIGKILL')));
  await database.drop();
  await empty.drop();
});

/** A supervisor that just started its processes. */
async function start(settings: Record<string, string> = {}): Promise<RunningProgram & { url: string }> {
  const own = { DATABASE_URL: database.url, SHUTDOWN_DELAY: '2', LOG_LEVEL: 'info', WEB_PROCESSES: String(PROCESSES) };
  const program = startProgram({ ...own, ...settings }, { args: [PROGRAM, 'serve'] });
  supervisors.push(program);
  const [, url = ''] = await program.printed(/"url":"(http[^"]+)".*The web process serves/);
  await expect.poll(() => served(program).length, { timeout: 120_000 }).toBe(PROCESSES);
  return { ...program, url };
}

/** The ids of processes that have served, in order. */
const served = (program: RunningProgram): number[] =>
  [...program.output().matchAll(/"pid":(\d+)[^\n]*The web process serves/g)].map(([, pid]) => Number(pid));

/** The processes of a supervisor. */
async function childrenOf(program: RunningProgram): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(program.pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').map(Number).filter(Boolean);
}

/** Sends requests over kept connections until it is stopped; returns how often each status or error was seen. */
function keepReading(urls: string[]): () => Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true });
  const seen: Record<string, number> = {};
  let isDone = false;
  const send = (url: string) =>
    new Promise<string>((resolve) => {
      get(url, { agent }, (response) => {
        response.resume();
        response.once('end', () => resolve(String(response.statusCode)));
      }).once('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message));
    });
  const clients = urls.map(async (url) => {
    while (!isDone) {
      const result = await send(url);
      seen[result] = (seen[result] ?? 0) + 1;
      await sleep(5);
    }
  });
  return async () => {
    isDone = true;
    await Promise.all(clients);
    agent.destroy();
    return seen;
  };
}

it('serve one port, are replaced on SIGUSR2 without a lost request, restarted when they die, and end in order', async () => {
  const supervisor = await start({ METRICS_PORT: String(metricsPort) });
  const first = served(supervisor);
  expect((await childrenOf(supervisor)).sort()).toEqual(first.toSorted());
  const counted = async (number: number) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort + number}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('addons_request_seconds_count{'));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  };

  const read = keepReading(Array.from({ length: 8 }, () => supervisor.url + PATH));
  const check = keepReading([`${supervisor.url}/readyz`]);
  await sleep(500);
  for (const number of [0, 1]) expect(await counted(number)).toBeGreaterThan(0);
  process.kill(supervisor.pid, 'SIGUSR2');
  await supervisor.printed(/The replacement of the web processes has ended/, 240_000);
  expect(Object.keys(await read())).toEqual(['200']);
  expect(Object.keys(await check())).toEqual(['200']);
  const second = await childrenOf(supervisor);
  expect(second).toHaveLength(PROCESSES);
  expect(second.filter((pid) => first.includes(pid))).toEqual([]);
  await fetch(supervisor.url + PATH);
  for (const number of [0, 1]) await expect.poll(() => counted(number).catch(() => -1)).toBeGreaterThanOrEqual(0);

  const [victim = 0, other = 0] = second;
  process.kill(victim, 'SIGKILL');
  const [, delay] = await supervisor.printed(/"signal":"SIGKILL","restartMs":(\d+)[^\n]*A web process ended/);
  expect(Number(delay)).toBe(250);
  expect((await fetch(supervisor.url + PATH)).status).toBe(200);
  await expect.poll(async () => (await childrenOf(supervisor)).length).toBe(PROCESSES);
  const [again = 0] = (await childrenOf(supervisor)).filter((pid) => pid !== other);
  process.kill(again, 'SIGKILL');
  await supervisor.printed(/"restartMs":500[^\n]*A web process ended/);
  await expect.poll(async () => (await childrenOf(supervisor)).length).toBe(PROCESSES);

  const last = await childrenOf(supervisor);
  expect(await supervisor.end('SIGTERM')).toEqual({ code: 0, signal: null });
  for (const pid of last) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('end with a supervisor that is killed', async () => {
  const supervisor = await start();
  const processes = await childrenOf(supervisor);
  await supervisor.end('SIGKILL');
  const alive = () =>
    processes.filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });
  await expect.poll(alive).toEqual([]);
});

it('are not started again and again when the first one cannot start', async () => {
  const settings = { DATABASE_URL: empty.url, WEB_PROCESSES: '2', LOG_LEVEL: 'info' };
  const { code, stdout, stderr } = await addons(['serve'], settings);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^addons: The database lacks [^\n]+\n$/);
});
