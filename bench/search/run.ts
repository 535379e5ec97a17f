/*
 * The cost of searches in a large catalogue: `npm run bench search`. Searches run sequentially in this process, with the database
 * over TCP. Prints a table, and exits with status 1 if a row misses its goal. `--write` writes the table to docs/benchmarks.md.
 * Run it on an idle machine.
 *
 * `--addons` and `--personas` set the size of the catalogue. `--folder F` keeps it in F and reuses it; the last rows change it.
 */
import { parseArgs } from 'node:util';
import { elasticsearchEngine } from '../../src/domain/search/elasticsearch/elasticsearch-engine.ts';
import { readAlias } from '../../src/domain/search/elasticsearch/index-list.ts';
import { reindex } from '../../src/domain/search/elasticsearch/reindex.ts';
import { CountCache, postgresEngine } from '../../src/domain/search/postgres/postgres-engine.ts';
import { BulkSession } from '../../src/infra/bulk-session.ts';
import { closeDatabase, db, searchPool, useDatabase } from '../../src/infra/db.ts';
import { closeSearchServer, hasSearchServer } from '../../src/infra/search-server/send-request.ts';
import { installCatalogue } from '../installed-catalogue.ts';
import { machine, markdownTable, passes, type Row, writePart } from '../report.ts';
import type { Sample } from './queries.ts';
import { compareEngines, measureReads } from './reads.ts';
import { measureWrites } from './writes.ts';

/** Timeout of the search server; the service uses a shorter one. */
const SEARCH_TIMEOUT_MS = 10_000;

const { values: options } = parseArgs({
  options: {
    addons: { type: 'string', default: '30000' },
    personas: { type: 'string', default: '300000' },
    folder: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

// Every search counts its matches.
const cachesNothing = new CountCache(Number.POSITIVE_INFINITY);
const database = postgresEngine(async (sql, values) => (await searchPool.query(sql, [...values])).rows, cachesNothing);

const size = { addons: Number(options.addons), personas: Number(options.personas) };
const catalogue = await installCatalogue(size, options.folder ?? null);
try {
  useDatabase(catalogue.url);
  const [version] = await db.$queryRaw<{ server_version: string }[]>`SHOW server_version`;
  const words = await samples();
  const rows: Row[] = [
    ...(await sizeRows()),
    ...(await measureReads(database, words)),
    // A search server is busy for a while after it has built an index, so it is measured last.
    ...(await measureWrites()),
    ...(hasSearchServer() ? await searchServerRows(words) : []),
    {
      what: `PostgreSQL, import of ${(size.addons + size.personas).toLocaleString('en')} add-ons`,
      value: catalogue.importSeconds,
      unit: 's',
      goal: { max: 300 },
    },
  ];
  const report = `${machine([`PostgreSQL ${version?.server_version}`])}\n\n${markdownTable(rows)}`;
  console.log(report);
  if (options.write) await writePart('search', report);
  process.exitCode = rows.some((row) => passes(row) === false) ? 1 : 0;
} finally {
  await closeSearchServer();
  await closeDatabase();
  await catalogue.remove();
}

/** Sizes on disk: the rows with their lexemes, and the indexes on these. */
async function sizeRows(): Promise<Row[]> {
  const [bytes] = await db.$queryRaw<{ table: number; indexes: number }[]>`
    SELECT pg_table_size('addon_search')::float8 AS table,
      (SELECT sum(pg_relation_size(name::regclass))::float8
        FROM unnest(ARRAY['addon_search_lexemes', 'addon_search_lexemes_1', 'addon_search_lexemes_2']) AS name) AS indexes`;
  const row = (what: string, value = Number.NaN): Row => ({ what, value: value / 2 ** 20, unit: 'MB' });
  return [
    row('PostgreSQL, size of the search rows', bytes?.table),
    row('PostgreSQL, size of the indexes on words', bytes?.indexes),
  ];
}

/** Rows of a search server, after building an index of the whole catalogue. */
async function searchServerRows(words: readonly Sample[]): Promise<Row[]> {
  const started = performance.now();
  const rebuilt = await reindex();
  const seconds = (performance.now() - started) / 1000;
  return [
    ...(await compareEngines(elasticsearchEngine(readAlias(), SEARCH_TIMEOUT_MS), database, words)),
    { what: `Search server, new index of ${rebuilt?.documents} add-ons`, value: seconds, unit: 's' },
  ];
}

/** Names and tags of add-ons, more of popular ones, as in real searches. Without a statement timeout: nothing is cached yet. */
async function samples(): Promise<Sample[]> {
  return BulkSession.during('bench-search', (session) =>
    session.query<Sample>(`
      SELECT coalesce(a.name->>a.default_locale, a.slug::text) AS name,
        (SELECT min(t.tag) FROM addon_tag t WHERE t.addon_id = a.id) AS tag
      FROM (
        (SELECT addon_id FROM search_listing ORDER BY users DESC, addon_id LIMIT 2000)
        UNION ALL (SELECT addon_id FROM search_listing ORDER BY md5(addon_id::text) LIMIT 2000)
      ) AS chosen JOIN addon a ON a.id = chosen.addon_id
      ORDER BY md5(a.id::text)`),
  );
}
