/*
 * Cost of pages for anonymous visitors and reviewers, and the time until visitors see that of an add-on: `npm run bench pages`. Prints
 * tables, and exits with status 1 if a row misses its goal. `--write` writes them to docs/benchmarks.md; `--folder F` keeps the catalogue
 * in F and reuses it; `--rounds` and `--seconds` set the length of a run; `--reviewers` measures the pages of reviewers alone. Run it on
 * an idle machine.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openLabelledSession } from '../../src/domain/sessions/open-session.ts';
import { closeDatabase, useDatabase } from '../../src/infra/db.ts';
import { MIRROR_URL, prepareWrites } from '../catalogue/writes.ts';
import { installCatalogue } from '../installed-catalogue.ts';
import type { Job } from '../load-generator.ts';
import { percentile } from '../measure.ts';
import { familyTime, postmasterOf, processorTime, startServer } from '../processes.ts';
import { machine, markdownTable, passes, type Row, writePart } from '../report.ts';
import { createReviewer } from '../reviewer.ts';
import { startLoadGenerator } from '../send-load.ts';
import { codeRows } from './code.ts';
import { paintRows } from './paint.ts';
import { queueRows } from './queue.ts';

const ADDONS = 2_000;
const REQUESTED = 200;
const CONNECTIONS = 10;
/** Requests per second of an add-on page, compared with those of a REST detail. */
const GOAL = 0.5;
const SEARCHES = ['q=tab', 'q=dark', 'q=manager', 'type=extension', 'q=video&sort=users'];
/** Languages that are requested in a round, each with another region: no request before had them. */
const LANGUAGES = ['de', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'tr'];
const TITLES = {
  page: 'add-on page',
  detail: 'REST detail',
  translated: 'REST detail in a new language',
  start: 'start page',
  search: 'search page',
  versions: 'list of versions',
  version: 'page of a version',
  ratings: 'ratings page',
  category: 'category page',
  developer: 'page of a developer',
} as const;

type Name = keyof typeof TITLES;
const PROGRAM = ['src/addons.js', 'serve'];

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    reviewers: { type: 'boolean', default: false },
  },
});

const catalogue = await installCatalogue({ addons: ADDONS, personas: 0 }, options.folder ?? null);
const database = new pg.Client({ connectionString: catalogue.url });
database.on('error', () => {});
await database.connect();
const generator = startLoadGenerator();
const settings = {
  ...{ DATABASE_URL: catalogue.url, ENVIRONMENT: 'development', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', BASE_URL: '' },
  ...{ DATA_DIR: catalogue.dataDir, CONNECTIONS_PER_ADDRESS: '2000', MIRROR_URL },
};
const server = await startServer(PROGRAM, settings, '/readyz');
// Writes go to another process, so that the measured one only reads.
const written = await startServer(PROGRAM, settings, '/readyz');
try {
  const [{ pid } = { pid: 0 }] = (await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
  const postmaster = await postmasterOf(pid);
  const { rows } = await database.query<Addon>(
    `SELECT a.id, a.slug, v.version, (
        SELECT c.username FROM addon_author w JOIN account c ON c.id = w.account_id WHERE w.addon_id = a.id AND w.listed LIMIT 1
      ) AS author
      FROM addon a JOIN version v ON v.id = a.current_version_id
      WHERE a.status = 'public' AND a.slug IS NOT NULL ORDER BY a.weekly_downloads DESC, a.id LIMIT $1`,
    [REQUESTED],
  );
  const pages = options.reviewers ? [] : await report('pages', await pageRows(rows, postmaster));
  const reviewers = await report('reviewers', await reviewerRows(rows, postmaster));
  process.exitCode = [...pages, ...reviewers].some((row) => passes(row) === false) ? 1 : 0;
} finally {
  generator.stop();
  await server.stop();
  await written.stop();
  await database.end();
  await catalogue.remove();
}

/** Prints a table, which becomes a part of docs/benchmarks.md with `--write`. Returns its rows. */
async function report(part: string, rows: Row[]): Promise<Row[]> {
  const text = `${machine([])}\n\n${markdownTable(rows)}`;
  console.log(text);
  if (options.write) await writePart(part, text);
  return rows;
}

/** The rows of pages for reviewers. */
async function reviewerRows(addons: readonly Addon[], postmaster: number): Promise<Row[]> {
  useDatabase(catalogue.url);
  const browser = { ip: null, locale: 'en-US', previous: null };
  const { pageSession: session } = await openLabelledSession((await createReviewer()).id, 'bench', browser);
  await closeDatabase();
  const others = addons.map(({ slug }) => `/addon/${slug}/`);
  const code = await codeRows(database, server, { dataDir: catalogue.dataDir, session }, others);
  return [...code, ...(await queueRows(database, server, { session, postmaster }))];
}

/** The rows of pages for visitors. */
async function pageRows(rows: readonly Addon[], postmaster: number): Promise<Row[]> {
  const categories = await database.query<{ slug: string }>(
    "SELECT slug FROM category WHERE app = 'desktop_browser' AND type = 'extension' ORDER BY slug",
  );
  const works = worksOf(
    rows,
    categories.rows.map(({ slug }) => slug),
  );
  const idle = await measure(works, postmaster);
  const writer = await prepareWrites(database, written.url, settings);
  const writing = await writer.start();
  const { page, translated } = works;
  const underWrites = await measure({ page, translated }, postmaster);
  await writing.stop();
  return [...rowsOf(idle, underWrites), ...(await paintRows(server.url, `/addon/${rows[0]?.slug}/`))];
}

interface Addon {
  id: number;
  slug: string;
  version: string;
  author: string | null;
}

/** The requests of a work in a round. */
type Work = (round: number) => Job['requests'];

function get(path: string) {
  return { path, headers: { accept: 'text/html' } };
}

/** Pages and REST details of the same add-ons: in one language, and in languages that no request before had. */
function worksOf(addons: readonly Addon[], categories: readonly string[]) {
  const each = (path: (addon: Addon) => string): Work => {
    const requests = addons.map((addon) => get(path(addon)));
    return () => requests;
  };
  return {
    page: each(({ slug }) => `/addon/${slug}/`),
    detail: () => addons.map(({ id }) => ({ path: detailOf(id) })),
    translated: (round: number) =>
      LANGUAGES.flatMap((lang) => addons.map(({ id }) => ({ path: `${detailOf(id)}?lang=${lang}-${100 + round}` }))),
    start: () => [get('/')],
    search: () => SEARCHES.map((query) => get(`/search/?${query}`)),
    versions: each(({ slug }) => `/addon/${slug}/versions/`),
    version: each(({ slug, version }) => `/addon/${slug}/versions/${version}/`),
    ratings: each(({ slug }) => `/addon/${slug}/reviews/`),
    category: () => categories.map((slug) => get(`/category/extension/${slug}/`)),
    developer: () =>
      addons.flatMap(({ author }) => (author === null ? [] : [get(`/user/${encodeURIComponent(author)}/`)])),
  } satisfies Record<string, Work>;
}

/** Medians of a work. */
interface Cost {
  perSecond: number;
  /** Processor time of the server and of PostgreSQL per request, in ms. */
  node: number;
  postgres: number;
}

/** The costs of works, measured in turns. The first round warms up and does not count. */
async function measure<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  postmaster: number,
): Promise<Record<Name, Cost>> {
  const names = Object.keys(works) as Name[];
  const costs = new Map<Name, Cost[]>(names.map((name) => [name, []]));
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const name of names) {
      const times = async () => [await processorTime(server.pid), await familyTime(postmaster)];
      const [node = 0, postgres = 0] = await times();
      const { requests, perSecond } = await generator.send(
        { url: server.url, requests: works[name](round), connections: CONNECTIONS, seconds: Number(options.seconds) },
        200,
      );
      const [nodeAfter = 0, postgresAfter = 0] = await times();
      const cost = { perSecond, node: (nodeAfter - node) / requests, postgres: (postgresAfter - postgres) / requests };
      if (round >= 0) costs.get(name)?.push(cost);
    }
  }
  const median = (name: Name, of: keyof Cost) =>
    percentile(
      (costs.get(name) ?? []).map((cost) => cost[of]),
      0.5,
    );
  return Object.fromEntries(
    names.map((name) => [
      name,
      { perSecond: median(name, 'perSecond'), node: median(name, 'node'), postgres: median(name, 'postgres') },
    ]),
  ) as Record<Name, Cost>;
}

function rowsOf(idle: Readonly<Record<Name, Cost>>, underWrites: Readonly<Record<'page' | 'translated', Cost>>): Row[] {
  const unit = 'requests/s';
  const costs = (Object.keys(TITLES) as Name[]).flatMap((name) => [
    { what: TITLES[name], value: idle[name].perSecond, unit },
    { what: `${TITLES[name]}: processor time of Node`, value: idle[name].node, unit: 'ms' },
    { what: `${TITLES[name]}: processor time of PostgreSQL`, value: idle[name].postgres, unit: 'ms' },
  ]);
  return [
    ...costs,
    {
      what: 'add-on page, compared with a REST detail',
      value: idle.page.perSecond / idle.detail.perSecond,
      unit: '×',
    },
    {
      what: 'add-on page, compared with a REST detail in a new language',
      value: idle.page.perSecond / idle.translated.perSecond,
      unit: '×',
      goal: { min: GOAL },
    },
    { what: 'add-on page, under writes', value: underWrites.page.perSecond, unit },
    {
      what: 'add-on page, compared with a REST detail in a new language, both under writes',
      value: underWrites.page.perSecond / underWrites.translated.perSecond,
      unit: '×',
      goal: { min: GOAL },
    },
  ];
}

function detailOf(id: number): string {
  return `/api/v4/addons/addon/${id}/`;
}
