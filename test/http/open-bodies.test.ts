import { type ClientRequest, request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { xpi } from '../support/packages.ts';

let app: TestApp;
const open: ClientRequest[] = [];

beforeAll(async () => {
  // Room for one body of unknown length, which may become as large as the upload limit.
  app = await startApp({ settings: { STAGING_ACCOUNT_MB: 256 } });
});

afterEach(() => {
  app.config.RATE_LIMITS = false;
  for (const request of open.splice(0)) request.destroy();
});

afterAll(() => app.close());

interface BodyDecision {
  /** 100 if the server accepts the body, otherwise the status of the error. */
  status: number;
  retryAfter: string | undefined;
  request: ClientRequest;
}

let serial = 0;

/** Sends the headers of a multipart request and waits for the server's decision before it sends the body. */
function begin(
  client: Client,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<BodyDecision> {
  const request = httpRequest(app.url + path, {
    method,
    headers: {
      ...client.authorization(),
      'Content-Type': 'multipart/form-data; boundary=b',
      'X-GraphQL-Yoga-CSRF': '1',
      Expect: '100-continue',
      ...headers,
    },
  });
  open.push(request);
  request.flushHeaders();
  return new Promise((resolve, reject) => {
    request.once('continue', () => resolve({ status: 100, retryAfter: undefined, request }));
    request.once('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], request });
    });
    request.once('error', reject);
  });
}

const ofUnknownLength = { 'Transfer-Encoding': 'chunked' };
const guid = () => `open-body-${++serial}@example`;
const PATHS: [string, string, () => string][] = [
  ['the versions of an add-on', 'PUT', () => `/api/v4/addons/${guid()}/versions/1.0/`],
  ['the add-ons', 'POST', () => '/api/v4/addons/'],
  ['GraphQL', 'POST', () => '/graphql'],
];
const accountOf = ({ accountId }: Client) => `/api/v4/accounts/account/${accountId}/`;

describe.each(PATHS)('open bodies sent to %s', (_name, method, path) => {
  it('count towards the staging quota of their account until the connection closes', async () => {
    const [greedy, other] = [await app.developer(), await app.developer()];
    const first = await begin(greedy, method, path(), ofUnknownLength);

    const second = await begin(greedy, method, path(), ofUnknownLength);
    const others = await begin(other, method, path(), ofUnknownLength);

    expect([first.status, second.status, others.status]).toEqual([100, 429, 100]);
    expect(Number(second.retryAfter)).toBeGreaterThan(0);
    first.request.destroy();
    await expect.poll(async () => (await begin(greedy, method, path(), ofUnknownLength)).status).toBe(100);
  });
});

describe('open bodies with a picture of an account', () => {
  it('count towards the staging quota of their account', async () => {
    const developer = await app.developer();
    const version = (headers: Record<string, string>) =>
      begin(developer, 'PUT', `/api/v4/addons/${guid()}/versions/1.0/`, headers);
    // With the 200 MB of the first body, less remains than the 4 MB of a picture.
    const first = await version(ofUnknownLength);
    const second = await version({ 'Content-Length': `${54 * 1024 * 1024}` });

    const picture = await begin(developer, 'PATCH', accountOf(developer), ofUnknownLength);

    expect([first.status, second.status, picture.status]).toEqual([100, 100, 429]);
    expect(Number(picture.retryAfter)).toBeGreaterThan(0);
    first.request.destroy();
    await expect
      .poll(async () => (await begin(developer, 'PATCH', accountOf(developer), ofUnknownLength)).status)
      .toBe(100);
  });

  it('count towards the rate of changes to accounts before they are read, each once', async () => {
    const developer = await app.developer();
    app.config.RATE_LIMITS = true;
    const json = (location: string) =>
      developer.request('PATCH', accountOf(developer), {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ location }),
      });
    for (let change = 0; change < 60; change++) expect((await json(`${change}`)).status).toBe(200);

    const next = await begin(developer, 'PATCH', accountOf(developer), { 'Content-Length': '1000' });

    expect(next.status).toBe(429);
    expect(Number(next.retryAfter)).toBeGreaterThan(0);
  });
});

describe('open bodies of versions', () => {
  it('count towards the upload rate of their account before they are read', async () => {
    const developer = await app.developer();
    app.config.RATE_LIMITS = true;
    const path = () => `/api/v4/addons/${guid()}/versions/1.0/`;
    for (let upload = 0; upload < 6; upload++) {
      expect((await begin(developer, 'PUT', path(), { 'Content-Length': '1000' })).status).toBe(100);
    }

    const seventh = await begin(developer, 'PUT', path(), { 'Content-Length': '1000' });

    expect(seventh.status).toBe(429);
    expect(Number(seventh.retryAfter)).toBeGreaterThan(0);
  });

  it('release their quota when the upload is accepted or refused', async () => {
    const developer = await app.developer();
    for (let upload = 0; upload < 3; upload++) {
      const id = guid();
      const accepted = await developer.put(`/api/v4/addons/${id}/versions/1.0/`, {
        upload: await xpi({ guid: id, version: '1.0' }),
      });
      const refused = await developer.put(`/api/v4/addons/${guid()}/versions/1.0/`, { upload: Buffer.from('no zip') });
      expect([accepted.status, refused.status]).toEqual([201, 400]);
    }
    expect((await begin(developer, 'POST', '/api/v4/addons/', ofUnknownLength)).status).toBe(100);
  });
});
