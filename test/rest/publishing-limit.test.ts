/* Exchanges of ID tokens that are refused before a token is read: bodies that are no JSON, and too many of one network. */
import { expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';

const app = setUpApp({ settings: { RATE_LIMITS: true } });

it('refuses a body that is no JSON', async () => {
  const headers = { 'Content-Type': 'text/plain' };
  const reply = await app.anonymous.request('POST', '/api/v5/publishing/token/', { headers, body: 'a token' });
  expect(reply.status).toBe(415);
});

it('refuses more exchanges than the limit of the network allows, and says when to try again', async () => {
  const { RATE_LIMITS } = await import('../../src/infra/rate-limits.ts');
  const exchange = () =>
    app.anonymous.request('POST', '/api/v5/publishing/token/', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ addon: 'ci@example', token: 'no token' }),
    });
  const { points } = RATE_LIMITS['publisher-token'];
  const statuses: number[] = [];
  for (let count = 0; count < points; count++) statuses.push((await exchange()).status);
  expect(statuses).not.toContain(429);
  const refused = await exchange();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});
