import { describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../support/app.ts';

const PROXY = '127.0.0.1';
const OTHER_PROXY = '198.51.100.4';
const CLIENT = '203.0.113.7';

const app = setUpApp();

/** The client addresses that REST and GraphQL record for a request, when the service trusts these proxies. */
async function recordedAddresses(trusted: string[], forwarded: string | null): Promise<(string | null | undefined)[]> {
  const { createApp } = await import('../../src/app.ts');
  const { startWebServer } = await import('../../src/http/listener.ts');
  const { settleUses } = await import('../../src/auth/record-last-used.ts');
  app.config.TRUSTED_PROXIES = trusted;
  const server = await startWebServer(createApp);
  const seen: (string | null | undefined)[] = [];
  for (const path of ['/api/v4/addons/compat-override/', '/graphql?query={__typename}']) {
    const developer = await app.developer();
    const headers = { ...developer.authorization(), ...(forwarded === null ? {} : { 'X-Forwarded-For': forwarded }) };
    const { status } = await fetch(server.url + path, { headers });
    expect(status).toBe(200);
    await settleUses();
    const rows = await app.sql<{ ip: string | null }>('SELECT last_login_ip AS ip FROM account WHERE id = $1', [
      developer.accountId,
    ]);
    seen.push(rows[0]?.ip);
  }
  await server.stop(100);
  return seen;
}

describe('the client address of a request', () => {
  it.each([
    ['is that of the connection', [], null, PROXY],
    ['is not what a proxy says that is not trusted', [], CLIENT, PROXY],
    ['is not what a proxy says that is not trusted, though another one is', [OTHER_PROXY], CLIENT, PROXY],
    ['is what a trusted proxy says', [PROXY], CLIENT, CLIENT],
    ['is what a trusted network says', ['127.0.0.0/8'], CLIENT, CLIENT],
    [
      'is the last that a trusted proxy says: the rest was said by anybody',
      [PROXY],
      `${CLIENT}, ${OTHER_PROXY}`,
      OTHER_PROXY,
    ],
    [
      'is the first behind a chain of trusted proxies',
      [PROXY, OTHER_PROXY],
      `10.0.0.9, ${CLIENT},${OTHER_PROXY}`,
      CLIENT,
    ],
    ['is the farthest proxy, where all are trusted', [PROXY, OTHER_PROXY], OTHER_PROXY, OTHER_PROXY],
    ['is that of the connection, where a trusted proxy says nothing', [PROXY], ' , ', PROXY],
  ])('%s', async (_what, trusted, forwarded, address) => {
    expect(await recordedAddresses(trusted, forwarded)).toEqual([address, address]);
  });
});

describe('X-Forwarded-For of a peer that is not trusted', () => {
  it('is one log line of the process, and a row for the doctor', async () => {
    const { log } = await import('../../src/infra/log.ts');
    const { noteUntrustedProxy, untrustedProxy } = await import('../../src/infra/untrusted-proxies.ts');
    const lines = vi.spyOn(log, 'warn');
    for (let sent = 0; sent < 50; sent++) {
      await app.anonymous.get('/api/v4/addons/addon/none/', { 'X-Forwarded-For': `198.51.100.${sent}` });
      noteUntrustedProxy(`203.0.113.${sent}`);
    }
    // Earlier tests of this file have caused the line.
    expect(lines).not.toHaveBeenCalled();
    lines.mockRestore();
    await vi.waitFor(async () => expect(await untrustedProxy()).toBe(PROXY));
  });
});
