/*
 * A demo behind each cache of `deploy/`: `node test/deploy/cache.ts [--requests 100000] [--seed 1] [--cache nginx,varnish]`. Clients of all
 * roles send random requests to all routes and pages; browsers check for updates. Each response must be the one that its client gets
 * without a cache, no response to a request with credentials may be kept or come from the cache, at least 95 % of the update checks must
 * come from it, and a change must be visible within the stated age. `--url` and `--data-dir` name a running demo with SHARED_MAX_AGE=5, of
 * which an add-on is disabled at the end. Status 69: a cache is missing.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFor } from '../../bench/world/random.ts';
import { openSession } from '../browser/accounts.ts';
import { sendGraphql } from '../browser/graphql.ts';
import { authorizationOf } from '../browser/roles.ts';
import { attachDemo, startDemo } from '../browser/service.ts';
import { browserQuery, pathOf } from '../support/updates.ts';
import { contentOf, isHit, send } from './cache-client.ts';
import { CACHE_NAMES, type CacheProcess, findCaches } from './cache-proxies.ts';
import { checksOf, type Draw, drawRequest, MISLEADING } from './cache-requests.ts';
import { type CacheWorld, makeWorld } from './cache-world.ts';

const AGE_S = 5;
/** A margin for requests that wait on a busy machine. */
const MARGIN_S = 3;
const TOGETHER = 16;
const SHARE_OF_CHECKS = 1 / 3;
const MIN_HITS = 95;
const MAX_SHOWN = 40;
/** How often a request is repeated whose response differs from the one without the cache. */
const ATTEMPTS = 3;

const DISABLE = `mutation ($id: ID!, $isDisabled: Boolean!) {
  setAddonDisabled(input: { id: $id, by: OPERATOR, isDisabled: $isDisabled }) { __typename } }`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    cache: { type: 'string', default: CACHE_NAMES.join() },
    url: { type: 'string' },
    'data-dir': { type: 'string' },
  },
});
const names = values.cache.split(',');
const caches = await findCaches();
const missing = names.filter((name) => !caches.has(name));
if (missing.length > 0) {
  console.log(`skipped: no ${missing.join(' and no ')}`);
  process.exit(69);
}

const { url, 'data-dir': dataDir } = values;
const problems = new Map<string, number>();
const note = (problem: string): void => void problems.set(problem, (problems.get(problem) ?? 0) + 1);
const demo =
  url === undefined || dataDir === undefined
    ? await startDemo({ SHARED_MAX_AGE: String(AGE_S), TRUSTED_PROXIES: '127.0.0.1' })
    : attachDemo(url, dataDir);
const web = Number(new URL(demo.url).port);
const { host } = new URL(demo.url);
const folder = await mkdtemp(join(tmpdir(), 'addons-cache-'));
try {
  const world = await makeWorld(demo);
  console.log(`${world.targets.length} addresses, ${new Set(world.identities.map(({ name }) => name)).size} clients`);
  for (const name of names) await tryCache(name, world);
} catch (error) {
  note(String(error));
} finally {
  await demo.close(false);
  await rm(folder, { recursive: true, force: true });
}
const shown = [...problems].slice(0, MAX_SHOWN).map(([problem, times]) => `${times} x ${problem}`);
console.log([problems.size === 0 ? 'PASS' : `FAIL: ${problems.size} kinds of problems`, ...shown].join('\n'));
process.exit(problems.size === 0 ? 0 : 1);

async function tryCache(name: string, world: CacheWorld): Promise<void> {
  const cache = await caches.get(name)?.(folder, web);
  if (cache === undefined) throw new Error(`no ${name}`);
  try {
    await sendAll(cache, world);
    for (const secret of await keptSecrets(cache, world)) note(`${name} keeps ${secret}`);
    await mislead(cache, world);
    await change(cache, world);
  } finally {
    await cache.stop();
  }
}

/** Random requests of random clients, and update checks. */
async function sendAll(cache: CacheProcess, world: CacheWorld): Promise<void> {
  const random = randomFor('cache', cache.name, values.seed);
  const known: Known = new Map();
  const checks = checksOf(world);
  const counts = { checks: 0, hits: 0, requests: 0, private: 0, kept: 0 };
  const statuses = new Map<number, number>();
  const total = Number(values.requests);
  const started = performance.now();
  const run = async () => {
    while (counts.requests < total) {
      if (random.chance(SHARE_OF_CHECKS)) {
        counts.checks++;
        const response = await send(cache.port, { path: random.pick(checks)(random), headers: { host } });
        if (isHit(response)) counts.hits++;
        if (response.status !== 200) note(`an update check got ${response.status}`);
        continue;
      }
      counts.requests++;
      const draw = drawRequest(world, random, counts.requests);
      if (draw.isPrivate) counts.private++;
      const { status, isKept } = await compare(cache, draw, known);
      if (isKept) counts.kept++;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, run));
  const seconds = (performance.now() - started) / 1_000;
  const share = (100 * counts.hits) / counts.checks;
  const list = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`);
  console.log(`${cache.name}: ${total} requests in ${seconds.toFixed(0)} s, ${counts.private} with credentials, ${counts.kept} from the cache; ${list.join(', ')}
${cache.name}: ${counts.checks} update checks, ${share.toFixed(2)} % from the cache`);
  if (share < MIN_HITS) note(`only ${share.toFixed(1)} % of the update checks came from ${cache.name}`);
}

/** Contents of responses next to the cache, by what they depend on. */
type Known = Map<string, Set<string>>;

/** Sends a request through the cache, and others next to it if the response is new. */
async function compare(cache: CacheProcess, draw: Draw, known: Known): Promise<{ status: number; isKept: boolean }> {
  const { target, identity, isPrivate, isStranger, key } = draw;
  const what = `${cache.name}: ${target.method} ${target.path} as ${identity.name}`;
  const contents = known.get(key) ?? new Set();
  known.set(key, contents);
  for (let attempt = 0; ; attempt++) {
    const response = await send(cache.port, { ...target, headers: draw.headers() });
    const { status } = response;
    const isKept = isHit(response);
    if (status >= 500) note(`${what}: ${status}`);
    if (isKept && isPrivate) note(`${what} came from the cache`);
    if (!isStranger && response.control.includes('s-maxage')) note(`${what} may be kept`);
    const content = contentOf(response);
    if (key === '' || contents.has(content)) return { status, isKept };
    contents.add(contentOf(await send(web, { ...target, headers: draw.headers() })));
    // Between both, the state may have changed that they show. A kept response is older than that.
    if (contents.has(content)) return { status, isKept };
    if (attempt < ATTEMPTS && !isKept) continue;
    note(`${what} got another response (${status} ${response.cache}) than without the cache`);
    return { status, isKept };
  }
}

/** Texts of private responses in the files of a cache. */
async function keptSecrets({ kept }: CacheProcess, { secrets }: CacheWorld): Promise<string[]> {
  if (kept === null) return [];
  const files = (await readdir(kept, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  if (files.length === 0) note('the cache has no files');
  const found = new Set<string>();
  for (const { parentPath, name } of files) {
    const content = await readFile(join(parentPath, name), 'latin1').catch(() => '');
    for (const secret of secrets) if (content.includes(secret)) found.add(secret);
  }
  return [...found];
}

/** Sends misleading queries, each before the check that it may replace. */
async function mislead(cache: CacheProcess, { guids: [guid = ''] }: CacheWorld): Promise<void> {
  for (const [index, misleading] of MISLEADING.entries()) {
    // Each has a key of its own, which nothing has filled.
    const honest = { ...browserQuery(guid), appVersion: `120.${index}` };
    await send(cache.port, {
      path: `/update/?${misleading(new URLSearchParams(honest).toString())}`,
      headers: { host },
    });
    const [through, direct] = await Promise.all(
      [cache.port, web].map((port) => send(port, { path: pathOf(honest), headers: { host } })),
    );
    if (through?.body !== direct?.body) note(`${cache.name}: the query ${misleading('…')} changed another response`);
  }
}

/** Disables an add-on, waits until all its addresses show that, and enables it again. */
async function change(cache: CacheProcess, { slug, guid }: CacheWorld): Promise<void> {
  const paths = [`/api/v4/addons/addon/${slug}/`, `/addon/${slug}/`, pathOf(browserQuery(guid))];
  const stateOf = async (port: number) => {
    const responses = await Promise.all(paths.map((path) => send(port, { path, headers: { host } })));
    return responses.map(contentOf).join();
  };
  // A new session, because staff need a sign-in of the last 15 minutes.
  const administrator = authorizationOf(await openSession(demo.url, 'administrator'));
  const query = '($slug: String!) { addon(by: { slug: $slug }) { id } }';
  const { addon } = await sendGraphql<{ addon: { id: string } }>(demo.url, administrator, `query ${query}`, { slug });
  for (const isDisabled of [true, false]) {
    if ((await stateOf(cache.port)) !== (await stateOf(web)))
      note(`${cache.name} shows an old state before the change`);
    const before = await stateOf(cache.port);
    const done = await sendGraphql<object>(demo.url, administrator, DISABLE, { id: addon.id, isDisabled });
    if (!JSON.stringify(done).includes('Payload')) throw new Error(`The change was refused: ${JSON.stringify(done)}`);
    const changed = performance.now();
    const elapsed = () => (performance.now() - changed) / 1_000;
    // Update checks are kept in memory for some seconds more.
    while ((await stateOf(cache.port)) === before && elapsed() < 10 * AGE_S) await sleep(250);
    while ((await stateOf(cache.port)) !== (await stateOf(web)) && elapsed() < 10 * AGE_S) await sleep(250);
    console.log(`${cache.name}: a change was visible after ${elapsed().toFixed(1)} s`);
    if (elapsed() > 2 * AGE_S + MARGIN_S)
      note(`${cache.name}: a change was visible after ${elapsed().toFixed(1)} s only`);
  }
}
