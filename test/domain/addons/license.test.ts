import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const OWN = { name: { de: 'Lizenz', fr: 'Licence' }, text: { de: 'Darf.', fr: 'Peut.' } };

/** Gives an add-on the licence of one of its versions; returns the id of that. */
async function chooseLicenseOf(made: MadeAddon, index = 0): Promise<number> {
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/addons/publish-addons.ts');
  return db.$transaction(async (tx) => {
    const version = await tx.version.findUniqueOrThrow({ where: { id: made.versions[index]?.id ?? 0 } });
    await tx.addon.update({ where: { id: made.id }, data: { licenseId: version.licenseId } });
    await publishAddons(tx, [made.id]);
    return version.licenseId ?? 0;
  });
}

describe('a licence in a language that it is not there in', () => {
  it('is in the default language of its add-on, in REST', async () => {
    const { id, versions } = await addon({
      defaultLocale: 'fr',
      name: { fr: 'Horloge' },
      versions: [{ license: OWN }],
    });
    const read = async (path: string) =>
      (await app.anonymous.get(`/api/v4/addons/addon/${id}/${path}?lang=ja`)).json as Record<string, unknown>;
    const expected = { license: { name: 'Licence', text: 'Peut.' } };
    expect(await read(`versions/${versions[0]?.id}/`)).toMatchObject(expected);
    expect(await read('versions/')).toMatchObject({ results: [expected] });
    expect(await read('')).toMatchObject({ current_version: { license: { name: 'Licence' } } });
  });

  it('is in the default language of its add-on, in GraphQL', async () => {
    const made = await addon({ defaultLocale: 'fr', name: { fr: 'Horloge' }, versions: [{ license: OWN }] });
    await chooseLicenseOf(made);
    const license = 'license { name { value(lang: "ja") } text { value(lang: "ja") } }';
    const { addon: shown } = await app.anonymous.graphql<{ addon: unknown }>(
      `{ addon(ref: "${made.id}") { ${license} currentVersion { ${license} } } }`,
    );
    const expected = { name: { value: 'Licence' }, text: { value: 'Peut.' } };
    expect(shown).toEqual({ license: expected, currentVersion: { license: expected } });
  });

  it('is in the language of the site where it is built in', async () => {
    await app.sql(`UPDATE license SET name = name || '{"fr": "Licence MIT"}' WHERE builtin = 'MIT'`);
    const made = await addon({ defaultLocale: 'fr', versions: [{ license: { builtin: 'MIT' } }] });
    await chooseLicenseOf(made);
    const license = 'license { name { value(lang: "ja") } }';
    const { addon: shown } = await app.anonymous.graphql<{ addon: unknown }>(
      `{ addon(ref: "${made.id}") { ${license} currentVersion { ${license} } } }`,
    );
    const expected = { license: { name: { value: 'MIT License' } } };
    expect(shown).toEqual({ ...expected, currentVersion: expected });
  });
});
