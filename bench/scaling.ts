/*
 * What a pooler costs and what a second web process brings: `npm run bench -- scaling`. Prints a table, and exits with status 1 if a row
 * misses its goal. `--write` writes the table to docs/benchmarks.md. Run it on an idle machine.
 *
 * `--size 20000` sets the number of add-ons; `--folder F` keeps the catalogue in F and reuses it; `--rounds` and `--seconds` set the length
 * of a run, `--connections` the number of connections.
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPgbouncer } from '../test/support/pgbouncer.ts';
import { requestsFor, type Work } from './catalogue/requests.ts';
import { serverSettings } from './catalogue/site.ts';
import { installCatalogue } from './installed-catalogue.ts';
import { percentile } from './measure.ts';
import { type ServerProcess, startServer } from './processes.ts';
import { machine, markdownTable, passes, type Row, writePart } from './report.ts';
import { startLoadGenerator } from './send-load.ts';

const PROGRAM = [join(import.meta.dirname, '../src/addons.js'), 'serve'];
const WARM_UP_S = 0.25;

/** Details cost the web process and PostgreSQL; operations of clients cost almost only the web process. */
const COMPARED = [
  { work: 'detail', than: 'pooled', title: 'detail through a pooler, against a direct connection', min: 0.8 },
  { work: 'search', than: 'pooled', title: 'search through a pooler, against a direct connection' },
  { work: 'graphql', than: 'double', title: '`/graphql`, two web processes against one', min: 1.6 },
] as const satisfies readonly { work: Work; than: string; title: string; min?: number }[];

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '20000' },
    folder: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    connections: { type: 'string', default: '32' },
    write: { type: 'boolean', default: false },
  },
});

const load = loadavg()[0] ?? 0;
const catalogue = await installCatalogue({ addons: Number(options.size), personas: 0 }, options.folder ?? null);
const database = new pg.Client({ connectionString: catalogue.url });
database.on('error', () => {});
await database.connect();
const requests = await requestsFor(database);
const pooler = await startPgbouncer(catalogue.url);
const generator = startLoadGenerator();
const settings = serverSettings(catalogue);
const start = (more: Record<string, string>) => startServer(PROGRAM, { ...settings, ...more }, '/readyz');
const servers: Record<'direct' | 'pooled' | 'double', ServerProcess> = {
  direct: await start({}),
  pooled: await start({ DATABASE_URL: pooler.through(catalogue.url), DATABASE_SESSION_URL: catalogue.url }),
  double: await start({ WEB_PROCESSES: '2' }),
};
try {
  const rows = await measure();
  const report = `${machine([`load before the start ${load.toFixed(1)}`])}\n\n${markdownTable(rows)}`;
  console.log(report);
  if (options.write) await writePart('scaling', report);
  process.exitCode = rows.some((row) => passes(row) === false) ? 1 : 0;
} finally {
  generator.stop();
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  await pooler.stop();
  await database.end();
  await catalogue.remove();
}

/** Interleaves the bursts of both servers of a comparison, so that both have the same machine. The first round is for warming up. */
async function measure(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const compared of COMPARED) {
    const rates = { direct: [] as number[], other: [] as number[] };
    for (let round = 0; round <= Number(options.rounds); round++) {
      const [direct, other] = [await burst('direct', compared.work), await burst(compared.than, compared.work)];
      if (round === 0) continue;
      rates.direct.push(direct);
      rates.other.push(other);
    }
    const [one, other] = [percentile(rates.direct, 0.5), percentile(rates.other, 0.5)];
    const goal = 'min' in compared ? { goal: { min: compared.min } } : {};
    const kind = compared.than === 'pooled' ? 'through a pooler' : 'two web processes';
    rows.push(
      { what: `${compared.work}, one web process`, value: one, unit: '/s' },
      { what: `${compared.work}, ${kind}`, value: other, unit: '/s' },
      { what: compared.title, value: other / one, unit: 'times', ...goal },
    );
  }
  return rows;
}

async function burst(server: keyof typeof servers, work: Work): Promise<number> {
  const job = { url: servers[server].url, requests: requests[work], connections: Number(options.connections) };
  await generator.send({ ...job, seconds: WARM_UP_S }, 200);
  return (await generator.send({ ...job, seconds: Number(options.seconds) }, 200)).perSecond;
}
