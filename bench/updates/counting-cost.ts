/*
 * What counting adds to the processor time of a held response: `node bench/updates/counting-cost.ts`, with the database in DATABASE_URL,
 * and the number of add-ons and of pairs in ADDONS and PAIRS. Prints the microseconds per request of each pair of bursts, without and with
 * counting, as JSON. The server runs in this process, so that each counted burst gets its share of the write of its own counts.
 */
import { createApp } from '../../src/app.ts';
import { flushUpdateCounts } from '../../src/domain/updates/count-checks.ts';
import { startWebServer } from '../../src/http/listener.ts';
import { closeDatabase } from '../../src/infra/db.ts';
import type { Job } from '../load-generator.ts';
import { startLoadGenerator } from '../send-load.ts';
import { popularChecks } from './checks.ts';

const DRAWN = 2_000;
const CONNECTIONS = 10;
const SECONDS = 1;
/** Counts are written every 10 s, and the add-ons of a burst are those of ten: a burst has this share of a write. */
const SHARE_OF_WRITE = SECONDS / 10;
/** Pairs before the measured ones, while code is compiled and responses are not held yet. */
const WARM_UP = 5;

const addons = Number(process.env['ADDONS']);
const pairs = Number(process.env['PAIRS']);

const server = await startWebServer(createApp);
const generator = startLoadGenerator();
const requests = { held: popularChecks(addons, DRAWN, 'uncounted'), counted: popularChecks(addons, DRAWN, 'counted') };

async function processorTimeOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function burst(job: Job['requests']): Promise<number> {
  let count = 0;
  const sent = await processorTimeOf(async () => {
    const work = { url: server.url, requests: job, connections: CONNECTIONS, seconds: SECONDS };
    count = (await generator.send(work, 200)).requests;
  });
  const written = await processorTimeOf(flushUpdateCounts);
  return (sent + written * SHARE_OF_WRITE) / count;
}

const measured: { held: number; counted: number }[] = [];
for (let pair = -WARM_UP; pair < pairs; pair++) {
  const cost = { held: 0, counted: 0 };
  const kinds = ['held', 'counted'] as const;
  for (const kind of pair % 2 === 0 ? kinds : kinds.toReversed()) cost[kind] = await burst(requests[kind]);
  if (pair >= 0) measured.push(cost);
}
console.log(JSON.stringify(measured));
generator.stop();
await server.stop();
await closeDatabase();
