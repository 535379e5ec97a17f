/*
 * Cost of rendering an add-on page, and the time until a visitor sees it: `npm run bench:pages`. Prints a table, and exits with
 * status 1 if a row misses its goal. `--write` writes the table to docs/benchmarks.md; `--folder F` keeps the catalogue in F and
 * reuses it; `--rounds` and `--seconds` set the length of a run. Run it on an idle machine.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { installCatalogue } from '../installed-catalogue.ts';
import type { Job } from '../load-generator.ts';
import { percentile } from '../measure.ts';
import { startServer } from '../processes.ts';
import { machine, markdownTable, passes, type Row, writePart } from '../report.ts';
import { startLoadGenerator } from '../send-load.ts';
import { paintRows } from './paint.ts';

const ADDONS = 2_000;
const REQUESTED = 200;
const CONNECTIONS = 10;
/** Languages that are requested in a round, each with another region: no request before had them. */
const LANGUAGES = ['de', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'tr'];
const PROGRAM = ['--max-semi-space-size=16', '--heap-growing-percent=20', 'src/cli.ts', 'serve'];

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});

const catalogue = await installCatalogue({ addons: ADDONS, personas: 0 }, options.folder ?? null);
const database = new pg.Client({ connectionString: catalogue.url });
database.on('error', () => {});
await database.connect();
const generator = startLoadGenerator();
const server = await startServer(
  PROGRAM,
  {
    ...{ DATABASE_URL: catalogue.url, ENVIRONMENT: 'development', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', BASE_URL: '' },
    ...{ DATA_DIR: join(options.folder ?? process.cwd(), 'var'), CONNECTIONS_PER_ADDRESS: '2000' },
  },
  '/readyz',
);
try {
  const { rows } = await database.query<{ id: number; slug: string }>(
    `SELECT id, slug FROM addon WHERE status = 'public' AND slug IS NOT NULL ORDER BY weekly_downloads DESC, id LIMIT $1`,
    [REQUESTED],
  );
  const all = [...(await renderingRows(rows)), ...(await paintRows(server.url, `/addon/${rows[0]?.slug}/`))];
  const report = `${machine([])}\n\n${markdownTable(all)}`;
  console.log(report);
  if (options.write) await writePart('pages', report);
  process.exitCode = all.some((row) => passes(row) === false) ? 1 : 0;
} finally {
  generator.stop();
  await server.stop();
  await database.end();
  await catalogue.remove();
}

/** Requests per second of pages and of REST details of the same add-ons, in turns: details from the kept JSON, and details that are made. */
async function renderingRows(addons: readonly { id: number; slug: string }[]): Promise<Row[]> {
  const works: Record<string, (round: number) => Job['requests']> = {
    page: () => addons.map(({ slug }) => ({ path: `/addon/${slug}/`, headers: { accept: 'text/html' } })),
    kept: () => addons.map(({ id }) => ({ path: detailOf(id) })),
    made: (round) =>
      LANGUAGES.flatMap((lang) => addons.map(({ id }) => ({ path: `${detailOf(id)}?lang=${lang}-${100 + round}` }))),
  };
  const rates: Record<string, number[]> = { page: [], kept: [], made: [] };
  // The first round warms up and does not count.
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const [work, requests] of Object.entries(works)) {
      const job = {
        url: server.url,
        requests: requests(round),
        connections: CONNECTIONS,
        seconds: Number(options.seconds),
      };
      const { perSecond } = await generator.send(job, 200);
      if (round >= 0) rates[work]?.push(perSecond);
    }
  }
  const rate = (work: string) => percentile(rates[work] ?? [], 0.5);
  return [
    { what: 'add-on page', value: rate('page'), unit: 'requests/s' },
    { what: 'REST detail, kept', value: rate('kept'), unit: 'requests/s' },
    { what: 'REST detail, made', value: rate('made'), unit: 'requests/s' },
    { what: 'add-on page, compared with a REST detail that is kept', value: rate('page') / rate('kept'), unit: '×' },
    {
      what: 'add-on page, compared with a REST detail that is made',
      value: rate('page') / rate('made'),
      unit: '×',
      goal: { min: 0.5 },
    },
  ];
}

function detailOf(id: number): string {
  return `/api/v4/addons/addon/${id}/`;
}
