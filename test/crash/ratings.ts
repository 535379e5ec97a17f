/*
 * Ratings under kill -9: `node test/crash/ratings.ts [--kills 3]`. 100 accounts write, change and delete ratings of one add-on over
 * HTTP, while the server is killed (SIGKILL) and started again. After each kill and at the end, the sums and the numbers of the add-on
 * must equal its rows, and each acknowledged rating must exist. Otherwise the exit status is 1.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { hashAccessToken, newAccessToken } from '../../src/auth/access-token.ts';
import { globalId } from '../support/global-ids.ts';
import { exchange, NoResponseError } from './support/http-exchange.ts';
import { createInstallation, endWithVerdict, type RunningProcess } from './support/installation.ts';
import { openInstalledDatabase } from './support/installed-database.ts';
import { importAddon, WATCHED } from './support/watched-addon.ts';

const WRITERS = 100;
/** The mean time between the start of a server and its end, in milliseconds. */
const LIFE_MS = 4_000;
/** Between two kills, on a slow machine. */
const MIN_CHANGES = 10;
const SCORES = [1, 2, 3, 4, 5];

const { values } = parseArgs({ options: { kills: { type: 'string', default: '10' } } });
const kills = Number(values.kills);
if (!(kills >= 1)) throw new Error('--kills from 1');

interface Writer {
  accountId: number;
  /** Access token. */
  token: string;
  /** The rating that the last response has confirmed; null if there is none, or its deletion was requested. */
  confirmed: number | null;
}

interface Sums {
  rows: number[];
  row_texts: number[];
  scores: number[] | null;
  texts: number[] | null;
  count: number;
  text_count: number;
  average: number;
  published: number;
}

/** What the rows sum up to, by score, and what is stored and published of them. */
const SUMS = `SELECT ${['', ' AND r.body IS NOT NULL']
  .map((and) => SCORES.map((score) => `count(*) FILTER (WHERE r.is_latest AND r.score = ${score}${and})::int`))
  .map((counts, index) => `ARRAY[${counts}] AS ${['rows', 'row_texts'][index]}`)}, s.scores, s.texts,
    a.rating_count AS count, a.rating_text_count AS text_count, a.rating_average AS average,
    (SELECT (d.body->'ratings'->>'count')::int FROM addon_document d WHERE d.addon_id = a.id) AS published
  FROM addon a LEFT JOIN rating_sums s ON s.addon_id = a.id LEFT JOIN rating r ON r.addon_id = a.id
  WHERE a.id = $1 GROUP BY a.id, s.addon_id`;

const violations: string[] = [];
const counts = { done: 0, lost: 0, refused: 0 };
const installation = await createInstallation({ RATING_FLOOD: '0' });
try {
  const database = await openInstalledDatabase(installation.dataDir);
  try {
    await run(database.query);
  } finally {
    await installation.remove({ keepFolder: true });
    await database.close();
  }
} finally {
  await installation.remove({ keepFolder: violations.length > 0 });
}
console.log(`${counts.done} changes, ${counts.lost} without a response, ${counts.refused} refused, ${kills} kills`);
if (counts.done < kills * MIN_CHANGES) violations.push(`only ${counts.done} changes were made`);
endWithVerdict(violations, installation);

type Query = Awaited<ReturnType<typeof openInstalledDatabase>>['query'];

async function run(query: Query): Promise<void> {
  const { addonId, writers } = await prepare(query);
  let server: RunningProcess = await installation.serve();
  for (let kill = 1; kill <= kills; kill++) {
    const end = new AbortController();
    const writing = write(addonId, writers, end.signal);
    await sleep(LIFE_MS * (0.5 + Math.random()));
    end.abort();
    await server.end();
    await writing;
    server = await installation.serve();
    violations.push(...(await problemsOf(query, addonId, writers)).map((text) => `kill ${kill}: ${text}`));
    await readConfirmed(query, writers);
  }
}

/** A public add-on, and accounts with an access token each. */
async function prepare(query: Query): Promise<{ addonId: number; writers: Writer[] }> {
  await importAddon(installation);
  const [addon] = await query<{ id: number }>(`SELECT id FROM addon WHERE guid = $1`, [WATCHED.guid]);
  const tokens = Array.from({ length: WRITERS }, newAccessToken);
  const accounts = await query<{ id: number }>(
    `WITH made AS (INSERT INTO account (username) SELECT 'writer-' || n FROM generate_series(1, $1::int) AS n RETURNING id),
       given AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM made)
     INSERT INTO access_token (account_id, hash, expires)
     SELECT given.id, t.hash, now() + interval '1 day' FROM given JOIN unnest($2::bytea[]) WITH ORDINALITY AS t(hash, n) USING (n)
     ORDER BY n RETURNING account_id AS id`,
    [WRITERS, tokens.map((token) => Buffer.from(hashAccessToken(token)))],
  );
  const writers = tokens.map((token, index) => ({ token, accountId: accounts[index]?.id ?? 0, confirmed: null }));
  return { addonId: addon?.id ?? 0, writers };
}

/** Writes by all accounts at the same time, each one change after the other, until `signal` or the end of the server. */
async function write(addonId: number, writers: readonly Writer[], signal: AbortSignal): Promise<void> {
  const keepWriting = async (writer: Writer): Promise<void> => {
    while (!signal.aborted) {
      try {
        await change(addonId, writer);
      } catch (error) {
        if (!(error instanceof NoResponseError)) throw error;
        counts.lost++;
        return;
      }
    }
  };
  await Promise.all(writers.map(keepWriting));
}

/** Rates the add-on, or changes or deletes the rating. */
async function change(addonId: number, writer: Writer): Promise<void> {
  const score = 1 + Math.floor(Math.random() * SCORES.length);
  const rated = { score, body: Math.random() < 0.5 ? 'Works.' : null };
  const { confirmed } = writer;
  if (confirmed === null) {
    const made = await mutate(writer, 'createRating', {
      ...{ addon: { databaseId: addonId }, version: { number: '1.0' } },
      ...rated,
    });
    writer.confirmed = made?.rating?.databaseId ?? null;
    return;
  }
  const id = globalId('Rating', confirmed);
  if (Math.random() < 0.7) {
    await mutate(writer, 'updateRating', { id, ...rated });
    return;
  }
  writer.confirmed = null;
  await mutate(writer, 'deleteRating', { id });
}

interface Result {
  __typename: string;
  code?: string;
  rating?: { databaseId: number };
}

/** The payload of a mutation; null for a refusal. */
async function mutate({ token }: Writer, name: string, input: object): Promise<Result | null> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const rating = name === 'deleteRating' ? '' : `... on ${type}Payload { rating { databaseId } }`;
  const query = `mutation($input: ${type}Input!) { ${name}(input: $input) { __typename ${rating} ... on UserError { code } } }`;
  const body = Buffer.from(JSON.stringify({ query, variables: { input } }));
  const headers = {
    authorization: `Bearer ${token}`,
    ...{ 'content-type': 'application/json', 'content-length': `${body.length}` },
  };
  const response = await exchange({ method: 'POST', url: `${installation.url}/graphql`, headers, body });
  const { data } = JSON.parse(response.body.toString()) as { data?: Record<string, Result> | null };
  const result = data?.[name];
  // A server that is busy refuses requests.
  if (result === undefined && ![200, 503].includes(response.status))
    violations.push(`${name}: ${response.status} ${response.body}`);
  if (result === undefined || result.code !== undefined) {
    counts.refused++;
    return null;
  }
  counts.done++;
  return result;
}

/** Differences between the rows and what is stored and published of them, and confirmed ratings that are missing. */
async function problemsOf(query: Query, addonId: number, writers: readonly Writer[]): Promise<string[]> {
  const [sums] = await query<Sums>(SUMS, [addonId]);
  if (sums === undefined) return ['the add-on is missing'];
  const { rows, row_texts: rowTexts, scores, texts, ...stored } = sums;
  const count = total(rows);
  const average = count === 0 ? 0 : total(rows.map((each, index) => each * (index + 1))) / count;
  const expected = { count, text_count: total(rowTexts), published: count };
  const { average: storedAverage, ...numbers } = stored;
  const ids = writers.flatMap(({ confirmed }) => confirmed ?? []);
  const kept = await query(`SELECT FROM rating WHERE id = ANY ($1::int[]) AND deleted_at IS NULL`, [ids]);
  return [
    ...(isDeepStrictEqual([scores, texts], [rows, rowTexts]) ? [] : [`the sums are wrong: ${JSON.stringify(sums)}`]),
    ...(isDeepStrictEqual(numbers, expected) && Math.abs(storedAverage - average) < 1e-9
      ? []
      : [`the numbers are wrong: ${JSON.stringify(sums)}`]),
    ...(kept.length === ids.length
      ? []
      : [`${ids.length - kept.length} of ${ids.length} confirmed ratings are missing`]),
  ];
}

/** Reads the ratings that exist, among them those of requests without a response. */
async function readConfirmed(query: Query, writers: readonly Writer[]): Promise<void> {
  const rows = await query<{ id: number; account_id: number }>(
    `SELECT id, account_id FROM rating WHERE deleted_at IS NULL`,
  );
  const ids = new Map(rows.map(({ id, account_id: accountId }) => [accountId, id]));
  for (const writer of writers) writer.confirmed = ids.get(writer.accountId) ?? null;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
