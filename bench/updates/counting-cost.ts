/*
 * What counting adds to the processor time of a held response: `node bench/updates/counting-cost.ts`, with the database in DATABASE_URL,
 * and the number of add-ons and of pairs in ADDONS and PAIRS. Prints microseconds as JSON, see `CountingCost`. The server runs in this
 * process.
 *
 * Two parts are measured: short bursts of requests that count and of requests that do not, in turns, without any write; and the write of
 * the counts of ten seconds of full load, whose checks name add-ons of the whole catalogue.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { type CountedChecks, countCheck, flushUpdateCounts } from '../../src/domain/updates/count-checks.ts';
import { startWebServer } from '../../src/http/listener.ts';
import { closeDatabase, db } from '../../src/infra/db.ts';
import type { Job } from '../load-generator.ts';
import { percentile } from '../measure.ts';
import { familyTime, postmasterOf } from '../processes.ts';
import { startLoadGenerator } from '../send-load.ts';
import { drawnNumbers, popularChecks, senderOf } from './checks.ts';
import { idOf } from './fill.ts';

/** What counting costs, in µs of processor time. */
export interface CountingCost {
  /** Of a request, in each pair of bursts. */
  pairs: { held: number; counted: number }[];
  /** Of the web process and of PostgreSQL for the write of the counts, for each check. */
  write: { web: number; database: number };
  /** Rows that were written for each check. */
  rows: number;
}

const DRAWN = 2_000;
const CONNECTIONS = 10;
/** Requests of a burst, less than 0.1 s: shorter than most changes of the processor's speed. */
const BURST = 2_000;
/** Longest time of a burst. */
const MAX_SECONDS = 30;
/** Measured writes. */
const WRITES = 5;
/** Pairs before the measured ones, while code is compiled and responses are not held yet. */
const WARM_UP = 50;
/** Pairs of bursts between two writes: fewer than those of ten seconds, and odd, as a write comes before bursts of both kinds then. */
const PAIRS_PER_WRITE = 11;
/** Checks between two writes: ten seconds of full load. */
const CHECKS = 150_000;
/** A service under such a load writes earlier, as it keeps a limited number of different counts. */
const CHECKS_PER_WRITE = CHECKS / 2;

const addons = Number(process.env['ADDONS']);
const pairs = Number(process.env['PAIRS']);

const server = await startWebServer(createApp);
const generator = startLoadGenerator();
const requests = { held: popularChecks(addons, DRAWN, 'uncounted'), counted: popularChecks(addons, DRAWN, 'counted') };

/** Microseconds of this process. */
async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function burst(job: Job['requests']): Promise<number> {
  let count = 0;
  const sent = await processorTimeOf(async () => {
    const work = { url: server.url, requests: job, connections: CONNECTIONS, seconds: MAX_SECONDS, amount: BURST };
    count = (await generator.send(work, 200)).requests;
  });
  return sent / count;
}

async function burstsInTurns(): Promise<CountingCost['pairs']> {
  const measured: CountingCost['pairs'] = [];
  for (let pair = -WARM_UP; pair < pairs; pair++) {
    const cost = { held: 0, counted: 0 };
    const kinds = ['held', 'counted'] as const;
    for (const kind of pair % 2 === 0 ? kinds : kinds.toReversed()) cost[kind] = await burst(requests[kind]);
    if (pair >= 0) measured.push(cost);
    // Between the bursts, before the service does so during one.
    if (pair % PAIRS_PER_WRITE === 0) await flushUpdateCounts();
  }
  return measured;
}

/** Counts the checks of ten seconds, and writes them as the service does. The counting itself is in the time of the requests. */
async function writeCost(): Promise<Omit<CountingCost, 'pairs'>> {
  const numbers = drawnNumbers(addons, CHECKS);
  const rows = await db.$queryRaw<{ id: number; guid: string }[]>`SELECT id, guid::text FROM addon`;
  const ids = new Map(rows.map(({ id, guid }) => [guid, id]));
  const counted = new Map<number, CountedChecks>();
  for (const number of numbers) {
    const addonId = ids.get(idOf(number)) as number;
    counted.set(number, { addonId, app: 'desktop_browser', first: null, others: null });
  }
  const [{ pid } = { pid: 0 }] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const postmaster = await postmasterOf(pid);
  const before = await familyTime(postmaster);
  let web = 0;
  for (const [index, number] of numbers.entries()) {
    countCheck(counted.get(number) as CountedChecks, '1.0', senderOf(index), performance.now());
    if (index % CHECKS_PER_WRITE === 0) web += await processorTimeOf(flushUpdateCounts);
  }
  web += await processorTimeOf(flushUpdateCounts);
  const database = ((await familyTime(postmaster)) - before) * 1000;
  return { write: { web: web / CHECKS, database: database / CHECKS }, rows: counted.size / CHECKS };
}

const measured = await burstsInTurns();
const writes: Awaited<ReturnType<typeof writeCost>>[] = [];
// The first write inserts the rows of the day, and all later ones of the day update them.
for (let write = -1; write < WRITES; write++) {
  await sleep(1_000);
  const cost = await writeCost();
  if (write >= 0) writes.push(cost);
}
const median = (part: 'web' | 'database') =>
  percentile(
    writes.map(({ write }) => write[part]),
    0.5,
  );
const rows = writes[0]?.rows ?? Number.NaN;
const cost: CountingCost = { pairs: measured, write: { web: median('web'), database: median('database') }, rows };
console.log(JSON.stringify(cost));
generator.stop();
await server.stop();
await closeDatabase();
