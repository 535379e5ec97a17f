import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { REST_TABLE, type RestCase } from '../support/authorization/rest-table.ts';
import { makeWorld, ROLE_NAMES, type Role, type World } from '../support/authorization/world.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await makeWorld(app);
});
afterAll(() => app.close());

/** allowed, or the status of the refusal. */
async function outcomeOf(version: string, method: string, address: string, role: Role): Promise<'allowed' | number> {
  const options =
    method === 'GET' || method === 'DELETE' ? {} : { headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const { status } = await world.clients[role].request(method, `/api/${version}${address}`, options);
  expect(status).toBeLessThan(500);
  return [401, 403, 404].includes(status) ? status : 'allowed';
}

function expectedOf({ allowed, refusal, anonymous }: RestCase, role: Role): 'allowed' | number {
  if (allowed.includes(role)) return 'allowed';
  return role === 'anonymous' ? (anonymous ?? refusal ?? 401) : (refusal ?? 403);
}

const { routes } = await import('../../src/rest/routes/index.ts');

describe('the REST route', () => {
  const versions = new Map(
    routes
      .filter(({ outsideApi }) => !outsideApi)
      .map(({ method, path, apiVersions }) => [`${method} ${path}`, apiVersions.includes('v4') ? 'v4' : 'v5']),
  );
  const names = [...versions.keys()];
  const versionOf = (name: string) => versions.get(name) ?? '';

  it.each(names)('%s is open to the listed roles only', async (name) => {
    const cases = REST_TABLE[name] ?? [];
    expect(cases.length).toBeGreaterThan(0);
    const [method = ''] = name.split(' ');
    for (const each of cases) {
      const outcomes: [Role, unknown][] = [];
      // A refusal changes nothing.
      const unchanged = await each.address(world);
      for (const role of ROLE_NAMES) {
        const address = each.allowed.includes(role) ? await each.address(world) : unchanged;
        outcomes.push([role, await outcomeOf(versionOf(name), method, address, role)]);
      }
      const expected = ROLE_NAMES.map((role) => [role, expectedOf(each, role)]);
      expect({ state: each.state, ...Object.fromEntries(outcomes) }).toEqual({
        state: each.state,
        ...Object.fromEntries(expected),
      });
    }
  });
});
