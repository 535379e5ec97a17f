/*
 * Rate, latency and memory of update checks, compared with a bare `node:http` server that sends the same bytes: `npm run bench updates`.
 * Prints a table, and exits with status 1 if a row misses its goal. `--write` writes the table to docs/benchmarks.md. Run it on an
 * idle machine.
 *
 * `--addons 200000` sets the size of the catalogue; `--folder F` keeps the database in F and reuses it; `--rounds` and `--seconds` set
 * the length of a run.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { childEnvironment } from '../../src/config.ts';
import { serverSettings } from '../catalogue/site.ts';
import type { Job } from '../load-generator.ts';
import { mean, percentile, standardError } from '../measure.ts';
import { memoryOf, type ServerProcess, startServer, WEB_FLAGS } from '../processes.ts';
import { machine, markdownTable, passes, type Row, writePart } from '../report.ts';
import { startLoadGenerator } from '../send-load.ts';
import type { Prepared } from './bare-server.ts';
import { pathOf, popularChecks, sendPaced } from './checks.ts';
import type { CountingCost } from './counting-cost.ts';
import { type FilledDatabase, fillDatabase, idOf } from './fill.ts';

const SERVICE = [join(import.meta.dirname, '../../src/addons.js'), 'serve'];
const CONNECTIONS = 10;
const DRAWN = 2_000;
/** Add-ons whose latency is measured. */
const POPULAR = 500;
/** Per second, while latency is measured: held checks, and at the same time unknown ids or edits. */
const PACE = { held: 200, unknown: 1_000, edits: 20 } as const;
const PACED_SECONDS = 6;
/** Pairs of short bursts that compare checks with and without counting. */
const PAIRS = 600;
/** Look-ups that fill the memory of a process. */
const SWEPT = 60_000;
const SWEEP_CONNECTIONS = 50;

const { values: options } = parseArgs({
  options: {
    addons: { type: 'string', default: '200000' },
    folder: { type: 'string' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '2' },
    write: { type: 'boolean', default: false },
  },
});
const addons = Number(options.addons);
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];

const filled = await fillDatabase(addons, options.folder ?? null);
const generator = startLoadGenerator();
try {
  const rows = await measure(filled);
  const { rows: versions } = await filled.database.query<{ server_version: string }>('SHOW server_version');
  const report = `${machine([`PostgreSQL ${versions[0]?.server_version}`])}\n\n${markdownTable(rows)}`;
  console.log(report);
  if (options.write) await writePart('updates', report);
  process.exitCode = rows.some((row) => passes(row) === false) ? 1 : 0;
} finally {
  generator.stop();
  await filled.remove();
}

async function measure({ url, database, dataDir }: FilledDatabase): Promise<Row[]> {
  await mkdir(dataDir, { recursive: true });
  const settings = {
    ...serverSettings({ url, dataDir }),
    TRUSTED_PROXIES: '127.0.0.1',
    // The measured checks come from few addresses.
    UPDATE_CHECKS_PER_NETWORK: '65534',
  };
  const held = popularChecks(addons, DRAWN, 'uncounted');
  const service = await startServer(SERVICE, settings, held[0]?.path ?? '');
  const bare = await startBareServer(service, held, dataDir);
  try {
    const statements = await countStatements(settings, held[0]?.path ?? '');
    return [
      ...(await rateRows(service, bare, held)),
      ...(await countingRows(settings)),
      {
        what: 'Statements of a held response',
        value: statements[1] ?? Number.NaN,
        unit: 'statements',
        goal: { max: 0 },
      },
      {
        what: 'Statements of another response',
        value: statements[0] ?? Number.NaN,
        unit: 'statements',
        goal: { max: 1 },
      },
      ...(await floodRows(service)),
      ...(await writeRows(service, database)),
      ...(await sweepRows(service)),
    ];
  } finally {
    await Promise.all([service.stop(), bare.stop()]);
  }
}

/** Reads the responses of the service, which then holds them, and starts a server that sends the same bytes. */
async function startBareServer(
  service: ServerProcess,
  checks: Job['requests'],
  folder: string,
): Promise<ServerProcess> {
  const responses: Record<string, Prepared> = {};
  for (const { path } of checks) {
    if (responses[path] !== undefined) continue;
    const response = await fetch(service.url + path);
    const headers = Object.fromEntries(
      [...response.headers].filter(([name]) => !/^(connection|keep-alive|date)$/.test(name)),
    );
    responses[path] = { headers, body: await response.text() };
  }
  const file = join(folder, 'responses.json');
  await writeFile(file, JSON.stringify(responses));
  const words = [join(import.meta.dirname, 'bare-server.ts')];
  return startServer(words, { RESPONSES: file }, checks[0]?.path ?? '');
}

/** Rates in interleaved bursts, every other round in reverse. Ratios are those of each round. */
async function rateRows(service: ServerProcess, bare: ServerProcess, held: Job['requests']): Promise<Row[]> {
  const servers = { held: service, bare };
  const measured: { held: number; bare: number }[] = [];
  // The first round warms up and is left out.
  for (let round = -1; round < rounds; round++) {
    const rates = { held: 0, bare: 0 };
    const kinds = ['held', 'bare'] as const;
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const job = { url: servers[kind].url, requests: held, connections: CONNECTIONS, seconds };
      rates[kind] = (await generator.send(job, 200)).perSecond;
    }
    if (round >= 0) measured.push(rates);
  }
  const median = (value: (rates: (typeof measured)[number]) => number) => percentile(measured.map(value), 0.5);
  return [
    { what: 'Held responses', value: median((rates) => rates.held), unit: '/s' },
    { what: 'A bare server with the same bytes', value: median((rates) => rates.bare), unit: '/s' },
    {
      what: 'Held responses to those of the bare server',
      value: median((rates) => rates.held / rates.bare),
      unit: 'times',
      goal: { min: 0.5 },
    },
  ];
}

/** What counting adds to the processor time of a held response, measured in a separate process. */
async function countingRows(settings: Record<string, string>): Promise<Row[]> {
  const program = [...WEB_FLAGS, join(import.meta.dirname, 'counting-cost.ts')];
  const env = childEnvironment({ ...settings, PORT: '0', ADDONS: String(addons), PAIRS: String(PAIRS) });
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  const { pairs, write, rows } = JSON.parse(stdout) as CountingCost;
  const held = mean(pairs.map((pair) => pair.held));
  const added = pairs.map((pair) => pair.counted - pair.held);
  const [request, share] = [mean(added), (time: number) => (time / held) * 100];
  return [
    { what: 'Processor time of a held response', value: held, unit: 'µs' },
    { what: 'Counting: processor time of the request', value: request, unit: 'µs' },
    { what: 'Its standard error', value: standardError(added), unit: 'µs' },
    { what: 'Counting: processor time of the write, for each check', value: write.web, unit: 'µs' },
    { what: 'Processor time that counting adds', value: share(request + write.web), unit: '%', goal: { max: 5 } },
    { what: 'Its standard error', value: share(standardError(added)), unit: '%' },
    { what: 'The write: rows for each check', value: rows, unit: 'rows' },
    { what: 'The write: processor time of PostgreSQL, for each check', value: write.database, unit: 'µs' },
  ];
}

/** The statements of a first and of a later check, counted in a separate process. */
async function countStatements(settings: Record<string, string>, path: string): Promise<number[]> {
  const program = join(import.meta.dirname, 'count-statements.ts');
  const env = childEnvironment({ ...settings, PORT: '0', CHECKED_PATH: path });
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  return JSON.parse(stdout) as number[];
}

function popular(index: number): string {
  return pathOf(idOf(1 + (index % POPULAR)));
}

/** Latency of held responses, alone and during checks for unknown ids. */
async function floodRows(service: ServerProcess): Promise<Row[]> {
  for (let index = 0; index < POPULAR; index++) await (await fetch(service.url + popular(index))).text();
  const alone = await sendPaced(service.url, PACE.held, PACED_SECONDS, popular);
  const unknown = (index: number): string => pathOf(`unknown-${process.pid}-${index}@example`);
  const [during, flood] = await Promise.all([
    sendPaced(service.url, PACE.held, PACED_SECONDS, popular),
    sendPaced(service.url, PACE.unknown, PACED_SECONDS, unknown),
  ]);
  return [
    { what: 'Held responses, 200/s: p99', value: percentile(alone, 0.99), unit: 'ms' },
    {
      what: 'Held responses during 1,000 unknown ids/s: p99',
      value: percentile(during, 0.99),
      unit: 'ms',
      goal: { max: 20 },
    },
    { what: 'The unknown ids: p99', value: percentile(flood, 0.99), unit: 'ms' },
  ];
}

/** Latency while another process edits the add-ons that are checked. */
async function writeRows(service: ServerProcess, database: FilledDatabase['database']): Promise<Row[]> {
  let edits = 0;
  let last = Promise.resolve();
  const started = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1000) * PACE.edits;
    for (; edits < due; edits++) last = last.then(edit.bind(null, database, edits));
  }, 25);
  const times = await sendPaced(service.url, PACE.held, PACED_SECONDS, popular);
  clearInterval(timer);
  await last;
  const rate = edits / ((performance.now() - started) / 1000);
  return [
    {
      what: 'The same checks under edits of their add-ons: p99',
      value: percentile(times, 0.99),
      unit: 'ms',
      goal: { max: 20 },
    },
    { what: 'The edits', value: rate, unit: '/s' },
  ];
}

async function edit(database: FilledDatabase['database'], index: number): Promise<void> {
  await database.query(
    `UPDATE version SET release_notes = CASE WHEN release_notes = '{}' THEN '{"en-US": "Faster."}'::jsonb ELSE '{}' END
    WHERE id = (SELECT current_version_id FROM addon WHERE guid = $1)`,
    [idOf(1 + ((index * 37) % POPULAR))],
  );
}

/** The rate of look-ups of different add-ons, and the memory after more of them than a process holds. */
async function sweepRows(service: ServerProcess): Promise<Row[]> {
  const requests = Array.from({ length: SWEPT }, (_, index) => ({
    path: pathOf(idOf(1 + (index % addons)), 'uncounted', '140.0'),
  }));
  const job = { url: service.url, requests, connections: SWEEP_CONNECTIONS, seconds: 2 };
  const rate = (await generator.send(job, 200)).perSecond;
  let next = 0;
  const sweep = async (): Promise<void> => {
    while (next < SWEPT)
      await (await fetch(service.url + pathOf(idOf(1 + (next++ % addons)), 'uncounted', '141.0'))).text();
  };
  await Promise.all(Array.from({ length: SWEEP_CONNECTIONS }, sweep));
  const { peak } = await memoryOf(service.pid);
  return [
    { what: 'Responses that are not held', value: rate, unit: '/s' },
    { what: `Peak memory after ${SWEPT} of them`, value: peak, unit: 'MB', goal: { max: 400 } },
  ];
}
