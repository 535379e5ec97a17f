import { strict as assert } from 'node:assert';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { type ApiKey, authorization, uploadForm } from '../crash/support/signing-client.ts';
import { xpi } from '../support/packages.ts';
import { HOST, send } from './proxy-client.ts';
import type { ProxyProcess } from './proxy-processes.ts';

const FIRST_EVENT_MS = 5_000;
const SECRET = 'a-secret-key-of-an-update-address';

/** http leads to https. */
export async function expectRedirect({ name, ports }: ProxyProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; location: string }>();
  plainRequest({ host: '127.0.0.1', port: ports.http, path: '/about/', headers: { host: HOST } })
    .on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: String(response.headers.location) });
    })
    .on('error', reject)
    .end();
  const { status, location } = await promise;
  assert.ok([301, 302].includes(status), name);
  assert.equal(location, `https://${HOST}/about/`, name);
}

/** Raw braces and at-signs arrive, and paths with keys are not logged. */
export async function expectPlainPaths({ name, ports, log }: ProxyProcess): Promise<void> {
  const { status } = await send(ports.https, { path: '/api/v4/addons/addon/watched@example.org/' });
  assert.equal(status, 200, name);
  const braces = await send(ports.https, { path: '/api/v4/addons/addon/{2fa4ed95-0317-4c6a-a74c-5f3e3912c1f9}/' });
  assert.equal(braces.status, 404, name);
  assert.match(braces.body, /^\{"detail":/, name);
  await send(ports.https, { path: `/updates/${SECRET}/` });
  await send(ports.https, { path: '/about/?after-the-secret' });
  const deadline = performance.now() + FIRST_EVENT_MS;
  let logged = await log();
  while (!logged.includes('after-the-secret') && performance.now() < deadline) logged = await log();
  assert.ok(logged.includes('after-the-secret'), `${name} does not log requests`);
  assert.ok(!logged.includes(SECRET), `${name} logs a key`);
}

/** The first event arrives at once, although the stream goes on: it is not buffered. */
export async function expectEventStream({ name, ports }: ProxyProcess, key: ApiKey): Promise<void> {
  const { contentType, body } = uploadForm(await xpi({ guid: `${name}@example.org`, version: '1.0' }), {
    channel: 'unlisted',
  });
  const headers = { authorization: authorization(key), 'content-type': contentType, 'content-length': body.length };
  const created = await send(ports.https, { path: '/api/v5/addons/upload/', method: 'POST', headers, body });
  assert.equal(created.status, 201, created.body);
  const { uuid } = JSON.parse(created.body) as { uuid: string };
  const id = Buffer.from(`Upload:${uuid}`).toString('base64');
  const query = encodeURIComponent(`subscription { uploadChanged(id: "${id}") { stage } }`);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const outgoing = request({
    ...{ host: '127.0.0.1', port: ports.https, path: `/graphql?query=${query}`, rejectUnauthorized: false },
    headers: { host: HOST, accept: 'text/event-stream' },
    timeout: FIRST_EVENT_MS,
  });
  outgoing.on('timeout', () => reject(new Error(`${name} buffers event streams`)));
  let received = '';
  outgoing.on('response', (response) =>
    response.on('data', (chunk) => {
      received += chunk;
      if (received.includes('data: ')) resolve(received);
    }),
  );
  outgoing.on('error', reject);
  outgoing.end();
  assert.match(await promise, /"stage":"RECEIVED"/, name);
  outgoing.destroy();
}
