import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { type MutationResult, mutate } from '../../support/mutate.ts';

const app = setUpApp();
let owner: Client;
let made: MadeAddon[];

beforeAll(async () => {
  owner = await app.developer();
  made = await Promise.all(Array.from({ length: 6 }, () => addon()));
});

const named = (slug: string) => ({ ofAccount: { account: { databaseId: owner.accountId }, slug } });

async function create(slug: string): Promise<void> {
  const result = await mutate(owner, 'createCollection', { slug, name: [{ locale: 'en-US', value: slug }] });
  expect(result.__typename).toBe('CreateCollectionPayload');
}

const put = (slug: string, { id }: MadeAddon): Promise<MutationResult> =>
  mutate(owner, 'addCollectionAddon', { by: named(slug), addon: { databaseId: id } });

const positionsIn = async (slug: string) =>
  (
    await app.sql<{ position: number }>(
      'SELECT position FROM collection_item JOIN collection c ON c.id = collection_id WHERE slug = $1 ORDER BY position',
      [slug],
    )
  ).map(({ position }) => position);

describe('add-ons that are added to a collection at the same time', () => {
  it('are all in it, each at a place of its own', async () => {
    await create('crowded');
    const results = await Promise.all(made.map((each) => put('crowded', each)));
    expect(new Set(results.map(({ __typename }) => __typename))).toEqual(new Set(['AddCollectionAddonPayload']));
    expect(await positionsIn('crowded')).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('are in it once when they are the same', async () => {
    await create('repeated');
    const [first] = made as [MadeAddon];
    const results = await Promise.all(Array.from({ length: 6 }, () => put('repeated', first)));
    expect(results.filter(({ __typename }) => __typename === 'AddCollectionAddonPayload')).toHaveLength(1);
    expect(await positionsIn('repeated')).toEqual([1]);
  });

  it('fill it to its limit, and no further', async () => {
    await create('full');
    await app.sql(
      `INSERT INTO collection_item (collection_id, guid, position)
       SELECT c.id, n || '@filling', n FROM collection c, generate_series(1, 1998) n WHERE slug = 'full'`,
    );
    const results = await Promise.all(made.map((each) => put('full', each)));
    const accepted = results.filter(({ __typename }) => __typename === 'AddCollectionAddonPayload');
    expect([accepted.length, (await positionsIn('full')).length]).toEqual([2, 2000]);
  });
});
