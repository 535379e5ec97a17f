import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { untilSessionsWait } from '../../support/locks.ts';
import { inEnglish, type MutationResult, mutate } from '../../support/mutate.ts';

const app = setUpApp();
let owner: Client;
let operator: Client;
beforeAll(async () => {
  [owner, operator] = [await app.developer(), await app.memberWith('Admin:*')];
});

const PLACE = { app: 'DESKTOP_BROWSER', type: 'EXTENSION' };
const ANY_CATEGORY = '%category%';

async function makeCategory(slug: string): Promise<number> {
  await mutate(operator, 'upsertCategory', { ...PLACE, slug, name: inEnglish(slug) });
  const [row] = await app.sql<{ id: number }>('SELECT id FROM category WHERE slug = $1', [slug]);
  return row?.id ?? 0;
}

/** Deletes a category in a transaction that commits once the change started by `begin` waits for it. */
async function duringDeletion<T>(id: number, begin: () => Promise<T>): Promise<T> {
  const { db } = await import('../../../src/infra/db.ts');
  const { work } = await db.$transaction(async (tx) => {
    await tx.category.delete({ where: { id } });
    const begun = begin();
    await untilSessionsWait(app, ANY_CATEGORY);
    return { work: begun };
  });
  return work;
}

describe('a category that is deleted concurrently', () => {
  it('cannot be chosen by an add-on', async () => {
    const [{ id }, category] = [await addon({ authors: [owner.accountId ?? 0] }), await makeCategory('chosen')];
    const chosen = await duringDeletion(category, () => mutate(owner, 'updateAddon', { id, categories: [category] }));
    expect(chosen).toMatchObject({ __typename: 'InvalidInputError', path: ['categories'] });
  });

  it('cannot be used by a featured entry', async () => {
    const [{ id }, category] = [await addon(), await makeCategory('featured')];
    const input = { addon: { databaseId: id }, app: 'DESKTOP_BROWSER', category: 'featured', isFeatured: true };
    const featured = await duringDeletion(category, () => mutate(operator, 'setFeatured', input));
    expect(featured).toMatchObject({ __typename: 'InvalidInputError', path: ['category'] });
    expect(await app.sql('SELECT FROM featured_entry WHERE addon_id = $1', [id])).toEqual([]);
  });
});

describe('reference data that is renamed while an add-on chooses it', () => {
  /** The first change holds the reference row and waits for the add-on; the second waits for the first. No deadlock results. */
  async function runConcurrently(addonId: number, choose: () => Promise<MutationResult>, name: string, input: object) {
    const { db } = await import('../../../src/infra/db.ts');
    const { work } = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM addon WHERE id = ${addonId} FOR NO KEY UPDATE`;
      const choosing = choose();
      await untilSessionsWait(app, '%FROM addon%');
      const renaming = mutate(operator, name, { ...input, name: inEnglish('Renamed') });
      await untilSessionsWait(app, name === 'upsertLicense' ? '%FROM license%' : ANY_CATEGORY);
      return { work: Promise.all([choosing, renaming]) };
    });
    return (await work).map(({ __typename }) => __typename);
  }

  it('appears with its new name and refuses no request: a category', async () => {
    const [first, second] = [await makeCategory('first'), await makeCategory('second')];
    const { id } = await addon({
      authors: [owner.accountId ?? 0],
      categories: [{ app: 'desktop_browser', slug: 'first' }],
    });
    const choose = () => mutate(owner, 'updateAddon', { id, categories: [first, second] });
    const done = await runConcurrently(id, choose, 'upsertCategory', { ...PLACE, slug: 'first' });
    expect(done).toEqual(['UpdateAddonPayload', 'UpsertCategoryPayload']);
    const { addon: shown } = await app.anonymous.graphql<{ addon: { categories: unknown } }>(
      `{ addon(by: { databaseId: ${id} }) { categories { name { value } } } }`,
    );
    expect(shown.categories).toEqual([{ name: { value: 'Renamed' } }, { name: { value: 'second' } }]);
  });

  it.each(['updateAddon', 'updateVersion'])(
    'appears with its new name and refuses no request: a licence in %s',
    async (name) => {
      const builtin = `${name}-1.0`;
      await mutate(operator, 'upsertLicense', { builtin, name: inEnglish('Old name') });
      const [license] = await app.sql<{ id: number }>('SELECT id FROM license WHERE builtin = $1', [builtin]);
      const { id, versions } = await addon({ authors: [owner.accountId ?? 0] });
      await mutate(owner, 'updateAddon', { id, license: license?.id });
      const changed = name === 'updateAddon' ? id : versions[0]?.id;
      const choose = () => mutate(owner, name, { id: changed, license: license?.id });
      const done = await runConcurrently(id, choose, 'upsertLicense', { builtin });
      expect(done).toEqual([expect.stringMatching(/^Update\w+Payload$/), 'UpsertLicensePayload']);
      const { current_version: version } = (await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).json as {
        current_version: { license: { name: object } };
      };
      expect(version.license.name).toEqual({ 'en-US': 'Renamed' });
    },
  );
});

describe('reference data that two operators create concurrently', () => {
  it.each([
    ['upsertCategory', { ...PLACE, slug: 'twice', name: inEnglish('Twice') }],
    ['upsertLicense', { builtin: 'Twice-1.0', name: inEnglish('Twice') }],
  ])('is created once, and both requests succeed: %s', async (name, input) => {
    const results = await Promise.all(Array.from({ length: 6 }, () => mutate(operator, name, input)));
    for (const result of results) expect(result.__typename).toMatch(/Payload$/);
  });
});
