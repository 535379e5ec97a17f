import { expect, it } from 'vitest';
import { RATE_LIMITS } from '../../src/infra/rate-limits.ts';
import { setUpApp } from '../support/app.ts';

const { points } = RATE_LIMITS['api-search'];
/** Requests under way at a time, fewer than the queue of searches admits. */
const CLIENTS = 4;

const app = setUpApp({ settings: { RATE_LIMITS: true } });

it('searches by REST and GraphQL have one limit for an address, and pages another', async () => {
  let sent = 0;
  const refused: number[] = [];
  const client = async () => {
    while (sent < points) {
      sent += 1;
      const { status } = await app.anonymous.get('/api/v4/addons/autocomplete/?q=x');
      if (status !== 200) refused.push(status);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect(refused).toEqual([]);

  const { errors } = await app.anonymous.graphqlResult('{ search(q: "x") { totalCount } }', {});
  expect(errors).toMatchObject([{ extensions: { code: 'THROTTLED' } }]);
  const versions = ['v3', 'v4', 'v4dev', 'v5'];
  for (const path of versions.flatMap((api) => [
    `/api/${api}/addons/search/?q=x`,
    `/api/${api}/addons/autocomplete/?q=x`,
  ])) {
    const reply = await app.anonymous.get(path);
    expect([path, reply.status]).toEqual([path, 429]);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect((await app.anonymous.get('/search/?q=x')).status).toBe(200);
  expect((await app.anonymous.get('/api/v4/addons/language-tools/?app=desktop_browser')).status).toBe(200);
});
