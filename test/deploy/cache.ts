/*
 * The service behind a cache in nginx: `node test/deploy/cache.ts [--requests 5000]`. Clients of several roles send random requests; update
 * checks are as browsers send them. At least 95 % of the checks must come from the cache, no response to a request with credentials may be
 * kept or come from it, and a change must be visible within the stated age. Status 69: nginx is missing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runProgram } from '../clients/client.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { createInstallation, freePort } from '../crash/support/installation.ts';
import { authorization } from '../crash/support/signing-client.ts';
import { until } from '../crash/support/waiting.ts';
import { importAddon, WATCHED } from '../crash/support/watched-addon.ts';
import { browserQuery, pathOf } from '../support/updates.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const AGE_S = 5;
const { values } = parseArgs({ options: { requests: { type: 'string', default: '5000' } } });
if ((await runProgram('nginx', ['-v'])).exitCode !== 0) {
  console.log('skipped: no nginx');
  process.exit(69);
}

const installation = await createInstallation({
  SHARED_MAX_AGE: String(AGE_S),
  TRUSTED_PROXIES: '127.0.0.1',
  SHUTDOWN_DELAY: '0',
});
const folder = join(installation.dataDir, '..');
const port = await freePort();
const edge = `http://127.0.0.1:${port}`;
const problems: string[] = [];

/** nginx with the files of `deploy/`, on loopback and without privileges. */
async function startNginx() {
  const text = await readFile(join(DEPLOY, 'nginx-cache.conf'), 'utf8');
  const cache = join(folder, 'cache');
  await mkdir(cache);
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx-${name};`,
  );
  const location = `proxy_pass ${installation.url}; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;`;
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/nginx.pid; events {}
http { access_log off; ${temporary.join(' ')}
${text.replace('/var/cache/nginx/addons', cache)}
server { listen 127.0.0.1:${port}; location / { ${location} include ${join(DEPLOY, 'nginx-cache-location.conf')}; } } }`,
  );
  const child = spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  await until('nginx', 10_000, () =>
    exchange({ method: 'GET', url: `${edge}/healthz` }).then(
      () => true,
      () => null,
    ),
  );
  return async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
}

/** Sends a request through nginx. `cache` is what nginx says: HIT, STALE, MISS, BYPASS, or nothing. */
async function get(path: string, headers: Record<string, string> = {}) {
  const { status, headers: received, body } = await exchange({ method: 'GET', url: edge + path, headers });
  return {
    status,
    cache: String(received['x-cache'] ?? ''),
    control: String(received['cache-control'] ?? ''),
    body: String(body),
  };
}

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** A check as a browser sends it: everything but the four parameters of the key varies. */
const randomCheck = (): string =>
  pathOf({
    ...browserQuery(pick([WATCHED.guid, 'unknown@example.org'])),
    version: pick(['1.0', '1.1', '2.0']),
    appOS: pick(['Linux', 'WINNT', 'Darwin']),
    locale: pick(['en-US', 'de', 'he']),
    updateType: pick(['97', '112']),
  });

/** Queries that the service reads as another check than a proxy may. */
const MISLEADING: ((query: string) => string)[] = [
  (query) => `${query}&id=other@example.org`,
  (query) => `${query}&%69d=other@example.org`,
  (query) => `ID=x&${query}`,
  (query) => `${query.replace('compatMode=normal', 'compatmode=normal')}`,
  (query) => `${query.replace('compatMode=normal', 'compatMode=')}`,
  (query) => `${query}&compatMode`,
  (query) => `${query}&appVersion=1.0`,
];

const isHit = (cache: string): boolean => ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(cache);

try {
  const key = await installation.developer('reader');
  await installation.run('group', 'grant', 'operators', '--rule', '*:*', '--user', 'reader');
  const { token } = JSON.parse(await installation.run('token', 'create', '--user', 'reader', '--json')) as {
    token: string;
  };
  await importAddon(installation);
  await installation.serve();
  const stop = await startNginx();
  const paths = [
    `/api/v4/addons/addon/${WATCHED.slug}/`,
    '/api/v4/addons/search/?q=a',
    '/api/v4/accounts/profile/',
    '/api/v4/addons/categories/',
    `/addon/${WATCHED.slug}/`,
    '/',
    '/developers/',
    '/login/',
    '/graphql?query=%7Bviewer%7Busername%7D%7D',
    '/api/v4/addons/addon/absent/',
  ];
  const roles: (() => Record<string, string>)[] = [
    () => ({}),
    () => ({ authorization: authorization(key) }),
    () => ({ authorization: `Bearer ${token}` }),
    () => ({ cookie: `frontend_auth_token=${token}` }),
    () => ({ cookie: 'session=garbage' }),
    () => ({ authorization: 'Bearer garbage' }),
  ];
  let [checks, hits, reads, kept] = [0, 0, 0, 0];
  const send = async () => {
    if (Math.random() < 0.5) {
      const { cache, status } = await get(randomCheck());
      checks++;
      if (isHit(cache)) hits++;
      if (status !== 200) problems.push(`an update check responded ${status}`);
      return;
    }
    const headers: Record<string, string> = { ...pick(roles)(), 'accept-language': pick(['en-US', 'de']) };
    const path = pick(paths);
    const { cache, control, status, body } = await get(path, headers);
    reads++;
    if (isHit(cache)) kept++;
    const isPrivate = headers['authorization'] !== undefined || headers['cookie'] !== undefined;
    if (isPrivate && cache !== 'BYPASS') problems.push(`${path} with credentials: ${status} ${cache}`);
    if (!isPrivate && body.includes('reader')) problems.push(`${path} shows an account to an anonymous client`);
    if (headers['authorization'] !== undefined && control.includes('s-maxage'))
      problems.push(`${path} with credentials may be kept`);
    if (status >= 500) problems.push(`${path} responded ${status}`);
  };
  for (let sent = 0; sent < Number(values.requests); sent += 20) await Promise.all(Array.from({ length: 20 }, send));
  const share = (100 * hits) / checks;
  console.log(
    `${checks} update checks, ${share.toFixed(1)} % from the cache; ${reads} other requests, ${kept} from the cache.`,
  );
  if (share < 95) problems.push(`only ${share.toFixed(1)} % of the checks came from the cache`);

  for (const query of MISLEADING) {
    const honest = browserQuery(WATCHED.guid);
    await get(`/update/?${query(new URLSearchParams(honest).toString())}`);
    const { body } = await exchange({ method: 'GET', url: installation.url + pathOf(honest) });
    if ((await get(pathOf(honest))).body !== String(body))
      problems.push(`the query ${query('…')} changed another response`);
  }

  const path = `/api/v4/addons/addon/${WATCHED.slug}/`;
  const before = (await get(path)).status;
  const changed = performance.now();
  const ask = async (query: string, variables: object) => {
    const { body } = await exchange({
      method: 'POST',
      url: `${installation.url}/graphql`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: Buffer.from(JSON.stringify({ query, variables })),
    });
    const { data, errors } = JSON.parse(String(body)) as { data: { addon: { id: string } }; errors?: object[] };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  };
  const { id } = (await ask('query($slug: String!) { addon(by: { slug: $slug }) { id } }', { slug: WATCHED.slug }))
    .addon;
  const done = await ask(
    'mutation($id: ID!) { setAddonDisabled(input: { id: $id, by: OPERATOR, isDisabled: true }) { __typename } }',
    { id },
  );
  if (!JSON.stringify(done).includes('Payload')) problems.push(`the change was refused: ${JSON.stringify(done)}`);
  await until('the change behind the cache', 4 * AGE_S * 1_000, async () => {
    await sleep(250);
    return (await get(path)).status === before ? null : true;
  });
  const seconds = (performance.now() - changed) / 1_000;
  console.log(`A change was visible after ${seconds.toFixed(1)} s.`);
  // A margin for requests that wait on a busy machine.
  if (seconds > 2 * AGE_S + 3) problems.push(`a change was visible after ${seconds.toFixed(1)} s only`);
  await stop();
} catch (error) {
  problems.push(String(error));
} finally {
  await installation.remove();
}
console.log([problems.length === 0 ? 'PASS' : 'FAIL', ...new Set(problems)].join('\n'));
process.exit(problems.length === 0 ? 0 : 1);
