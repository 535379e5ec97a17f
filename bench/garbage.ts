/*
 * The cost of invalid values: `npm run bench garbage`. Sends each of them in every documented parameter of every read of the
 * catalogue, and compares it with a valid request to the same URL. Prints a table, and exits with status 1 if a row misses its
 * goal. The slowest requests are repeated in turns with the valid one, to exclude pauses of the machine.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { startEmbeddedPostgres } from '../src/infra/embedded-postgres/embedded-postgres.ts';
import { createInstallation } from '../test/crash/support/installation.ts';
import { addon } from '../test/support/factories.ts';
import {
  type CatalogueRead,
  catalogueReads,
  type GarbageRequest,
  garbageRequests,
  goodRequest,
} from '../test/support/garbage.ts';
import { percentile, time } from './measure.ts';
import { machine, markdownTable, passes, type Row } from './report.ts';

const ADDONS = 400;
const MOST_TIMES_MEDIAN = 5;
/** The number of slowest requests to repeat, and the number of repetitions. */
const REPEATED = 8;
const ROUNDS = 21;

const installation = await createInstallation({ LOG_LEVEL: 'silent' });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  await installation.serve();
  const names = await fill();
  const rows: Row[] = [];
  for (const read of catalogueReads('v4')) rows.push(...(await measure(read, names)));
  console.log(`${machine([])}\n\n${markdownTable(rows)}`);
  process.exitCode = rows.some((row) => passes(row) === false) ? 1 : 0;
} finally {
  agent.destroy();
  await installation.remove();
}

/** Sends every request twice after a warm-up, and the slowest ones in turns with the valid request. */
async function measure(read: CatalogueRead, names: Record<string, string>): Promise<Row[]> {
  const good = goodRequest(read, 'v4', names);
  if ((await send(good)) !== 200) throw new Error(`${good} does not return 200`);
  await time(0, 50, () => send(good));
  const sent: (GarbageRequest & { milliseconds: number })[] = [];
  let failures = 0;
  for (const each of garbageRequests(read, 'v4', names)) {
    const times = await time(2, 0, async () => {
      if ((await send(each.path)) >= 500) failures += 1;
    });
    sent.push({ ...each, milliseconds: Math.min(...times) });
  }
  const repeated = sent.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, REPEATED);
  let slowest = { ratio: 0, median: 0, what: '' };
  for (const { parameter, what, path } of repeated) {
    const { ratio, median } = await compare(good, path);
    if (ratio > slowest.ratio) slowest = { ratio, median, what: `${parameter} = ${what}` };
  }
  const { template } = read;
  return [
    { what: `${template}: valid request, p50`, value: slowest.median, unit: 'ms' },
    {
      what: `${template}: slowest invalid value (${slowest.what})`,
      value: slowest.ratio,
      unit: 'times that',
      goal: { max: MOST_TIMES_MEDIAN },
    },
    { what: `${template}: responses with status 5xx`, value: failures, unit: 'requests', goal: { max: 0 } },
  ];
}

/** The median time of a valid request, and the ratio of an invalid one to it. */
async function compare(good: string, bad: string): Promise<{ median: number; ratio: number }> {
  const [ofGood, ofBad]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ofGood.push(...(await time(1, 0, () => send(good))));
    ofBad.push(...(await time(1, 0, () => send(bad))));
  }
  const median = percentile(ofGood, 0.5);
  return { median, ratio: percentile(ofBad, 0.5) / median };
}

async function send(path: string): Promise<number> {
  const outgoing = request(installation.url + path, { agent });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

/** Fills the database, so that valid requests return full responses. Returns the ids in the paths. */
async function fill(): Promise<Record<string, string>> {
  const postgres = await startEmbeddedPostgres({
    dataDir: installation.dataDir,
    log: { info: () => {}, warn: () => {} },
  });
  const { closeDatabase, db, useDatabase } = await import('../src/infra/db.ts');
  useDatabase(postgres.url);
  try {
    for (let number = 0; number < ADDONS; number++) {
      const isPack = number % 2 === 0;
      const place = number < 60 ? { featured: [{ app: 'desktop_browser' }] } : {};
      await addon({ ...(isPack ? { type: 'language', targetLocale: 'de' } : {}), ...place });
    }
    const versions = Array.from({ length: 30 }, () => ({ license: { builtin: 'MIT' } }));
    const pack = await addon({ slug: 'pack', guid: 'made@example', type: 'language', targetLocale: 'de', versions });
    for (let number = 1; number <= 50; number++) {
      const guid = `made-${number}@example`;
      await db.compatOverride.create({ data: { guid, name: guid } });
      await db.replacement.create({ data: { guid: `old-${number}@example`, guids: [guid] } });
      await db.recommendationFallback.create({ data: { position: number, guid } });
    }
    await db.$executeRaw`ANALYZE`;
    return { addon: pack.slug, version_id: String(pack.versions[0]?.id) };
  } finally {
    await closeDatabase();
    await postgres.stop();
  }
}
