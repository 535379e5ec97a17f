/* Update checks with invalid values in every parameter that browsers send, and what they leave in the log and in the counts. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { MadeAddon } from '../../support/factories.ts';
import { GARBAGE } from '../../support/garbage.ts';
import { browserQuery, make, pathOf, type Query } from '../../support/updates.ts';

const app = setUpApp();
let made: MadeAddon;
let query: Query;
let expected: string;

beforeAll(async () => {
  made = await make({}, { guid: 'checked@example' });
  query = browserQuery(made.guid);
  expected = (await app.anonymous.get(pathOf(query))).text;
});
afterEach(() => vi.restoreAllMocks());

/** Parameters that the response depends on. The others are ignored. */
const READ: readonly string[] = ['id', 'appID', 'appVersion', 'compatMode'];
/** Without a valid value of these there is no response. */
const REQUIRED: readonly string[] = ['id', 'appID', 'appVersion'];

/** The query with these pairs in place of a parameter. */
function pathWith(name: string, pairs: readonly string[]): string {
  const { [name]: _replaced, ...others } = query;
  return `${pathOf(others)}&${pairs.join('&')}`;
}

describe('garbage in an update check', () => {
  it.each([
    ...['reqVersion', 'id', 'version', 'maxAppVersion', 'status', 'appID', 'appVersion', 'appOS', 'appABI'],
    ...['locale', 'currentAppVersion', 'updateType', 'compatMode'],
  ])('as %s gets a documented response', async (name) => {
    const good = `${name}=${encodeURIComponent(query[name] ?? '')}`;
    for (const [what, value] of GARBAGE) {
      const forms = [
        [`${name}=${value}`],
        [good, `${name}=${value}`],
        [`${name}=${value}`, good],
        [`${name}[]=${value}`],
      ];
      for (const [index, form] of forms.entries()) {
        const { status, text, headers } = await app.anonymous.get(pathWith(name, form));
        const where = `${name} with ${what}, form ${index}`;
        expect([where, headers['content-type']]).toEqual([where, 'application/json']);
        // The last value counts.
        if (index === 2 || !READ.includes(name)) expect([where, status, text]).toEqual([where, 200, expected]);
        else if (status === 400) expect([where, text, REQUIRED.includes(name)]).toEqual([where, '{}', true]);
        else expect([where, status, text.startsWith('{')]).toEqual([where, 200, true]);
      }
    }
    const { flushUpdateCounts } = await import('../../../src/domain/updates/count-checks.ts');
    await flushUpdateCounts();
    const counted = await app.sql<{ version: string }>('SELECT DISTINCT version FROM update_check');
    expect(counted.filter(({ version }) => version !== '1.0' && version !== '')).toEqual([]);
  });

  it('as the name of a parameter, or as the whole query, gets one', async () => {
    for (const [what, value] of GARBAGE) {
      const named = await app.anonymous.get(`${pathOf(query)}&${value}=${value}`);
      expect([what, named.status, named.text]).toEqual([what, 200, expected]);
      for (const address of ['/update/', '/update/VersionCheck.php']) {
        const { status, text } = await app.anonymous.get(`${address}?${value}`);
        expect([what, status, text]).toEqual([what, 400, '{}']);
      }
    }
  });
});

describe('an update check is', () => {
  it('in the log with UPDATE_LOG only', async () => {
    const { log } = await import('../../../src/infra/log.ts');
    const { level } = log;
    log.level = 'info';
    const lines = vi.spyOn(log, 'info').mockImplementation(() => {});
    await app.anonymous.get(pathOf(query));
    expect(lines).not.toHaveBeenCalled();
    app.config.UPDATE_LOG = true;
    await app.anonymous.get(pathOf(query));
    await expect
      .poll(() => lines.mock.calls)
      .toEqual([[expect.objectContaining({ path: '/update/', status: 200 }), 'request']]);
    app.config.UPDATE_LOG = false;
    vi.restoreAllMocks();
    log.level = level;
  });

  it('kept by caches for UPDATE_MAX_AGE seconds', async () => {
    app.config.UPDATE_MAX_AGE = 60;
    expect((await app.anonymous.get(pathOf(query))).headers['cache-control']).toBe('max-age=60');
    app.config.UPDATE_MAX_AGE = 3_600;
  });
});
