/* Limits of sign-ins for browsers that share an address. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { Browser } from '../support/browser.ts';
import { connectProvider, type RealProvider } from '../support/real-provider.ts';

const START = '/api/v4/accounts/login/start/';

const app = setUpApp();
let provider: RealProvider;

beforeAll(async () => {
  provider = await connectProvider(app);
});
afterAll(() => provider.close());

describe('a browser with a page session', () => {
  it('starts a sign-in after too many starts from its address', async () => {
    provider.person = { sub: 'person', email: 'person@example.org', email_verified: true };
    const browser = new Browser(app);
    await browser.get(await browser.signInAtProvider());
    app.config.RATE_LIMITS = true;
    try {
      let others = 302;
      for (let sent = 0; sent < 35 && others === 302; sent++) others = (await app.anonymous.get(START)).status;
      expect([others, (await browser.get(START)).status]).toEqual([429, 302]);
      for (let sent = 0; sent < 30; sent++) await browser.get(START);
      expect((await browser.get(START)).status).toBe(429);
    } finally {
      app.config.RATE_LIMITS = false;
    }
  });
});
