import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';
import { addons } from '../../support/program.ts';

const app = setUpApp();
let operator: Client;
beforeAll(async () => {
  operator = await app.memberWith('Admin:Catalogue');
});

const audits = async () =>
  (await app.sql<{ action: string }>("SELECT action FROM audit_entry WHERE actor LIKE 'account %' ORDER BY id")).map(
    ({ action }) => action,
  );

describe('application versions', () => {
  it('are added once', async () => {
    const input = { app: 'MAIL_CLIENT', version: '57.0a1' };
    for (let time = 0; time < 2; time++) {
      expect(await mutate(operator, 'addApplicationVersion', input)).toEqual({
        __typename: 'AddApplicationVersionPayload',
      });
    }
    expect(await app.sql("SELECT code FROM application_version WHERE version = '57.0a1'")).toEqual([
      { code: '125344325582879' },
    ]);
    expect(await audits()).toEqual(['application-version-added']);
    const { listApplicationVersions } = await import('../../../src/domain/reference/manage-reference.ts');
    const all = await listApplicationVersions('mail_client');
    expect(all.slice(all.indexOf('57.0a1') - 1, all.indexOf('57.0a1') + 3)).toEqual(['56.*', '57.0a1', '57.0', '57.*']);
  });

  it.each(['', 'new', '1.2.3.4.5', '57.*.1', '5000.0', '57.0\0', '9'.repeat(400)])(
    'are not added for %j',
    async (version) => {
      const result = await mutate(operator, 'addApplicationVersion', { app: 'MAIL_CLIENT', version });
      expect(result).toMatchObject({ __typename: 'InvalidInputError', path: ['version'] });
    },
  );

  it('are added and listed on the command line', async () => {
    const run = (...words: string[]) => addons(words, { DATABASE_URL: app.config.DATABASE_URL ?? '' });
    expect(await run('appversion', 'add', 'suite_app', '2.53.1')).toMatchObject({
      code: 0,
      stdout: 'suite_app 2.53.1 was added.\n',
    });
    expect((await run('appversion', 'list', 'suite_app')).stdout.split('\n')).toContain('2.53.1');
    expect(await run('appversion', 'add', 'suite_app', 'x')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('categories', () => {
  const key = { app: 'DESKTOP_BROWSER', type: 'EXTENSION', slug: 'maps' };
  const name = [{ locale: 'en-US', value: 'Maps' }];

  it('are created, renamed, weighted and deleted, and shown in add-ons', async () => {
    expect(await mutate(operator, 'upsertCategory', { ...key, name, weight: 3 })).toEqual({
      __typename: 'UpsertCategoryPayload',
    });
    await mutate(operator, 'upsertCategory', { ...key, name, weight: 3 });
    const { id } = await addon({ categories: [{ app: 'desktop_browser', slug: 'maps' }] });
    await mutate(operator, 'upsertCategory', { ...key, slug: 'MAPS', name: [{ locale: 'de', value: 'Karten' }] });
    const { addon: shown } = await app.anonymous.graphql<{ addon: { categories: unknown } }>(
      `{ addon(by: { databaseId: ${id} }) { categories { slug weight name { all { locale value } } } } }`,
    );
    const all = [
      { locale: 'de', value: 'Karten' },
      { locale: 'en-US', value: 'Maps' },
    ];
    expect(shown.categories).toEqual([{ slug: 'maps', weight: 3, name: { all } }]);
    expect(await mutate(operator, 'deleteCategory', key)).toMatchObject({
      message: 'This category is used.',
      path: ['slug'],
    });
    await app.sql('DELETE FROM addon_category WHERE addon_id = $1', [id]);
    const { db } = await import('../../../src/infra/db.ts');
    const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
    await db.$transaction((tx) => publishAddons(tx, [id]));
    expect(await mutate(operator, 'deleteCategory', key)).toEqual({ __typename: 'DeleteCategoryPayload' });
    expect(await mutate(operator, 'deleteCategory', key)).toMatchObject({ message: 'There is no such category.' });
    const changes = (await audits()).filter((action) => action.startsWith('category'));
    expect(changes).toEqual(['category-set', 'category-set', 'category-deleted']);
  });

  it.each([
    [{ slug: 'no name' }, 'name'],
    [{ slug: 'No Slug', name }, 'slug'],
    [{ slug: 'a\0', name }, 'slug'],
    [{ slug: 'x'.repeat(65), name }, 'slug'],
    [{ weight: 2_000_000_000, name }, 'weight'],
  ])('are not set for %j', async (wrong, field) => {
    expect(await mutate(operator, 'upsertCategory', { ...key, ...wrong })).toMatchObject({ path: [field] });
  });
});

describe('viewers without Admin:Catalogue', () => {
  const key = { app: 'DESKTOP_BROWSER', type: 'EXTENSION', slug: 'other' };
  it.each([
    ['addApplicationVersion', { app: 'MAIL_CLIENT', version: '60.1' }],
    ['upsertCategory', { ...key, weight: 1 }],
    ['deleteCategory', key],
  ])('cannot use %s', async (name, input) => {
    const before = await audits();
    expect((await mutate(await app.memberWith('Admin:Curation'), name, input)).__typename).toBe('NotPermittedError');
    await expect(mutate(app.anonymous, name, input)).rejects.toThrow('NOT_AUTHENTICATED');
    expect(await audits()).toEqual(before);
  });
});
