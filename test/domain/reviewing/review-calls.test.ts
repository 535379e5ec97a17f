/* ReviewFacts.calls: what the scripts of a package call. */
import { beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { packedAddon, readFacts } from '../../support/review-facts.ts';

const app = setUpApp();
let reviewer: Client;
let authors: number[];
beforeAll(async () => {
  authors = [(await app.developer()).accountId ?? 0];
  reviewer = await app.memberWith('Addons:Review');
});

interface Calls {
  scriptCount: number;
  networkCallCount: number;
  networkCalls: { api: string; path: string; line: number }[];
  privacyCallCount: number;
  privacyCalls: { api: string; path: string; line: number }[];
  undeclaredPermissions: string[];
  unusedPermissions: string[];
  unreadFiles: string[];
  unreadFileCount: number;
}
const callsOf = async (id: number) => {
  const fields = `calls {
    scriptCount networkCallCount networkCalls { api path line } privacyCallCount privacyCalls { api path line }
    undeclaredPermissions unusedPermissions unreadFiles unreadFileCount }`;
  return (await readFacts<{ calls: Calls | null }>(reviewer, id, fields))?.calls ?? null;
};

it('has the calls of the scripts with their lines, and what the manifest does not say', async () => {
  const files = {
    'background.js': "let a;\nfetch('https://x.example');\nbrowser.cookies.getAll({});\nbrowser.storage.local.get();\n",
    'data.json': '{"fetch()": 1}',
  };
  const { id } = await packedAddon(authors, files, {
    facts: { permissions: ['history', 'storage', 'activeTab', 'alarms', 'menus'] },
  });
  expect(await callsOf(id)).toEqual({
    scriptCount: 1,
    networkCallCount: 1,
    networkCalls: [{ api: 'fetch', path: 'background.js', line: 2 }],
    privacyCallCount: 1,
    privacyCalls: [{ api: 'browser.cookies', path: 'background.js', line: 3 }],
    undeclaredPermissions: ['cookies'],
    unusedPermissions: ['alarms', 'history', 'menus'],
    ...{ unreadFiles: [], unreadFileCount: 0 },
  });
  const declared = await packedAddon(authors, files, { facts: { optionalPermissions: ['cookies'] } });
  expect((await callsOf(declared.id))?.undeclaredPermissions).toEqual([]);
});

it('lists twenty calls of each kind, counts all, and names scripts that cannot be parsed', async () => {
  const files = { 'background.js': "fetch('/');\n".repeat(30), 'broken.js': 'let = = history' };
  const { id } = await packedAddon(authors, files, { facts: { permissions: ['bookmarks'] } });
  const calls = await callsOf(id);
  expect(calls).toMatchObject({ networkCallCount: 30, unreadFiles: ['broken.js'], unreadFileCount: 1 });
  expect(calls?.networkCalls).toHaveLength(20);
  expect(calls?.unusedPermissions).toEqual([]);
});

it('counts the calls of scripts that are too large to be read in one go', async () => {
  const filler = `// ${Array.from({ length: 50_000 }, (_, index) => index * 7_919_919).join(' ')}\n`;
  const files = Object.fromEntries(
    ['a.js', 'b.js', 'c.js', 'd.js'].map((name) => [name, `${filler}${"fetch('/');\n".repeat(8)}`]),
  );
  const { id } = await packedAddon(authors, { ...files, 'e.js': 'browser.cookies.getAll({}); let = =' });
  const calls = await callsOf(id);
  expect(calls).toMatchObject({ networkCallCount: 32, privacyCallCount: 0, unreadFiles: ['e.js'] });
  expect(calls?.networkCalls).toHaveLength(20);
  expect(calls?.networkCalls.at(-1)).toEqual({ api: 'fetch', path: 'c.js', line: 5 });
});

it('is null without a stored package', async () => {
  const { versions } = await addon({ versions: [{ version: '1.0' }] });
  expect(await callsOf(versions[0]?.id ?? 0)).toBeNull();
});
