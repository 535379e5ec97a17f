import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type VersionFacts } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { storePackage } from '../support/store-package.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/graphql.md'), 'utf8');
const examples = [...text.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, query = '']) => ({
  name: /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '',
  query,
}));

const app = setUpApp();
let owner: Client;
let variables: Record<string, unknown>;
beforeAll(async () => {
  owner = await app.developer();
  const made = await addon({
    authors: [owner.accountId ?? 0],
    slug: 'documented',
    name: { 'en-US': 'Documented', de: 'Beschrieben' },
    summary: { 'en-US': 'Has texts.' },
    versions: [await packageWith('let a = 1;\n'), await packageWith('let a = 2;\n')],
  });
  for (let index = 0; index < 60; index++)
    await addon({ name: { 'en-US': `Documented ${index}`, de: `Nummer ${index}` } });
  const { addon: found } = await owner.graphql<{ addon: { id: string } }>(
    '{ addon(by: { slug: "documented" }) { id } }',
  );
  const guid = 'submitted@documented.test';
  const file = await xpi({ guid, version: '1.0' });
  const { json } = await owner.post('/api/v5/addons/upload/', { channel: 'unlisted', upload: file });
  await app.runJobs();
  const { uuid: pk } = json as { uuid: string };
  const [from, to] = made.versions.map(({ id }) => globalId('Version', id));
  variables = {
    from,
    to,
    path: 'background.js',
    slug: 'documented',
    q: 'documented',
    id: found.id,
    guid,
    upload: globalId('Upload', pk),
  };
  expect(made.slug).toBe('documented');
});

async function packageWith(script: string): Promise<VersionFacts> {
  return { files: [await storePackage(await xpi({ files: { 'background.js': script } }))] };
}

const used = (query: string) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => query.includes(`$${name}:`)));

describe('docs/graphql.md', () => {
  it('has a query for an add-on page, a search page and a dashboard', () => {
    expect(examples.map(({ name }) => name)).toEqual([
      'AddonPage',
      'SearchPage',
      'Dashboard',
      'Compare',
      'Rename',
      'Tag',
      'AddTag',
      'Submit',
    ]);
  });

  it.each(examples)('$name returns data', async ({ query }) => {
    const data = await owner.graphql(query, used(query));
    expect(Object.values(data)).not.toContain(null);
    // One example shows a refusal, by design.
    expect(JSON.stringify(data).includes('"code"')).toBe(query.includes('InvalidInputError { fields { name reasons'));
  });

  it('fetches 50 whole add-ons in all languages with one query', async () => {
    const query = examples.find(({ name }) => name === 'SearchPage')?.query ?? '';
    const { search } = await app.anonymous.graphql<{ search: { totalCount: number; edges: unknown[] } }>(
      query,
      used(query),
    );
    expect([search.totalCount, search.edges.length]).toEqual([61, 50]);
  });
});
