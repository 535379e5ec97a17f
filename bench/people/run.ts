/*
 * Latency and SQL statements of accounts, review notes and a review queue of 10,000 versions: `npm run bench people`.
 * Prints a table, and exits with status 1 if a row misses its goal. `--write` writes the table to
 * docs/benchmarks.md; `--folder F` keeps the catalogue in F and reuses it.
 */
import { parseArgs } from 'node:util';
import { createApp } from '../../src/app.ts';
import { config } from '../../src/config.ts';
import { createAccessTokenFor } from '../../src/domain/accounts/administration.ts';
import { startWebServer } from '../../src/http/listener.ts';
import { closeDatabase, db, useDatabase } from '../../src/infra/db.ts';
import { statementsDuring } from '../../test/support/statements.ts';
import { installCatalogue } from '../installed-catalogue.ts';
import { percentile, time } from '../measure.ts';
import { machine, markdownTable, passes, type Row, writePart } from '../report.ts';
import { createReviewer } from '../reviewer.ts';

const ADDONS = 12_000;
const WAITING = 10_000;
const NOTES = 500;
const ROUNDS = 300;
const WARM_UP = 100;
const GOAL_MS = 20;

const QUEUE = `query Queue($first: Int, $after: String, $filter: ReviewQueueFilter) {
  reviewQueue(first: $first, after: $after, filter: $filter) {
    nodes { waitingSince isInformationRequested isReferred claimedBy { name } version { version } addon { databaseId name { value } } }
    pageInfo { endCursor }
    totalCount
  }
}`;

const { values: options } = parseArgs({
  options: { folder: { type: 'string' }, write: { type: 'boolean', default: false } },
});

const catalogue = await installCatalogue({ addons: ADDONS, personas: 0 }, options.folder ?? null);
config.RATE_LIMITS = false;
config.ENVIRONMENT = 'development';
useDatabase(catalogue.url);
const server = await startWebServer(createApp);
try {
  const rows = await measure();
  const [version] = await db.$queryRaw<{ server_version: string }[]>`SHOW server_version`;
  const report = `${machine([`PostgreSQL ${version?.server_version}`])}\n\n${markdownTable(rows)}`;
  console.log(report);
  if (options.write) await writePart('people', report);
  process.exitCode = rows.some((row) => passes(row) === false) ? 1 : 0;
} finally {
  await server.stop();
  await closeDatabase();
  await catalogue.remove();
}

interface Request {
  path: string;
  init: RequestInit;
}

async function measure(): Promise<Row[]> {
  await fillQueue();
  const { token } = await createAccessTokenFor(await createReviewer());
  const authorization = { authorization: `Bearer ${token}` };
  const reviewed = await fillThread();
  const [author] = await db.$queryRaw<{ id: number }[]>`
    SELECT w.account_id AS id FROM addon_author w JOIN addon a ON a.id = w.addon_id
    WHERE a.status = 'public' AND w.listed ORDER BY w.addon_id LIMIT 1`;
  const get = (path: string, headers: Record<string, string> = {}): Request => ({ path, init: { headers } });
  const queue = (variables: object): Request => ({
    path: '/graphql',
    init: {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query: QUEUE, variables }),
    },
  });
  const notes = `/api/v4/addons/addon/${reviewed.addonId}/versions/${reviewed.versionId}/reviewnotes/`;
  const middle = await cursorAfter(queue({ first: WAITING / 200 }));
  return [
    ...(await rowsOf('account detail', get(`/api/v4/accounts/account/${author?.id}/`))),
    ...(await rowsOf('own account', get('/api/v4/accounts/profile/', authorization))),
    ...(await rowsOf('review notes, 1 of 500', get(`${notes}?page_size=1`, authorization))),
    ...(await rowsOf('review notes, 50 of 500', get(`${notes}?page_size=50`, authorization))),
    ...(await rowsOf('review queue of 10,000, first page of 25', queue({ first: 25 }))),
    ...(await rowsOf('review queue of 10,000, first page of 50', queue({ first: 50 }))),
    ...(await rowsOf('review queue of 10,000, a later page of 25', queue({ first: 25, after: middle }))),
    ...(await rowsOf(
      'review queue of 10,000, extensions that wait for an hour',
      queue({ first: 25, filter: { types: ['EXTENSION'], olderThanHours: 1 } }),
    )),
  ];
}

/** Adds a waiting version to 10,000 add-ons, with a file, over some weeks. */
async function fillQueue(): Promise<void> {
  await db.$executeRaw`
    WITH chosen AS (
      SELECT id, row_number() OVER (ORDER BY id) AS place FROM addon
      WHERE type <> 'persona' AND deleted_at IS NULL ORDER BY id LIMIT ${WAITING}
    ), added AS (
      INSERT INTO version (addon_id, version, channel, stage, created, modified)
      SELECT id, '9999.' || place, 'listed', 'awaiting_review', now() - place * interval '3 minutes', now() FROM chosen
      WHERE NOT EXISTS (SELECT FROM version v WHERE v.addon_id = chosen.id AND v.stage = 'awaiting_review')
      RETURNING id
    )
    INSERT INTO file (version_id, name, size, sha256, original_sha256, permissions)
    SELECT id, 'waiting.xpi', 1, repeat('0', 64), repeat('0', 64), '{}' FROM added`;
  await db.$executeRawUnsafe('ANALYZE');
}

/** Adds notes to one waiting version. */
async function fillThread(): Promise<{ addonId: number; versionId: number }> {
  const [thread] = await db.$queryRaw<{ addonId: number; versionId: number }[]>`
    SELECT addon_id AS "addonId", version_id AS "versionId" FROM review_queue WHERE channel = 'listed' ORDER BY waiting_since LIMIT 1`;
  if (thread === undefined) throw new Error('no version waits for review');
  await db.$executeRaw`
    INSERT INTO activity (action, account_id, addon_id, version_id, comments, details)
    SELECT 'review-note', (SELECT min(id) FROM account WHERE id > 0), ${thread.addonId}, ${thread.versionId}, 'Note ' || n, '{}'
    FROM generate_series(1, ${NOTES}::int) AS n`;
  return thread;
}

async function send({ path, init }: Request): Promise<string> {
  const response = await fetch(server.url + path, init);
  const body = await response.text();
  if (response.status !== 200 || body.includes('"errors"'))
    throw new Error(`${path}: ${response.status} ${body.slice(0, 300)}`);
  return body;
}

async function cursorAfter(request: Request): Promise<string> {
  const { data } = JSON.parse(await send(request)) as { data: { reviewQueue: { pageInfo: { endCursor: string } } } };
  return data.reviewQueue.pageInfo.endCursor;
}

/** The latency of a request, one at a time, and its largest number of statements. */
async function rowsOf(what: string, request: Request): Promise<Row[]> {
  const times = await time(ROUNDS, WARM_UP, () => send(request));
  const statements = await statementsDuring(() => send(request));
  return [
    { what: `${what}: median`, value: percentile(times, 0.5), unit: 'ms' },
    { what: `${what}: p95`, value: percentile(times, 0.95), unit: 'ms', goal: { max: GOAL_MS } },
    { what: `${what}: SQL statements`, value: statements.length, unit: 'statements' },
  ];
}
