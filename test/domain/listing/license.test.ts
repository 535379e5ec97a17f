import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();

const OWN = { name: { de: 'Lizenz', fr: 'Licence' }, text: { de: 'Darf.', fr: 'Peut.' } };

/** Sets the licence of the add-on to that of one of its versions. Returns its id. */
async function chooseLicenseOf(made: MadeAddon, index = 0): Promise<number> {
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
  return db.$transaction(async (tx) => {
    const version = await tx.version.findUniqueOrThrow({ where: { id: made.versions[index]?.id ?? 0 } });
    await tx.addon.update({ where: { id: made.id }, data: { licenseId: version.licenseId } });
    await publishAddons(tx, [made.id]);
    return version.licenseId ?? 0;
  });
}

describe('a licence without a translation', () => {
  it('falls back to the default language of its add-on in REST', async () => {
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

  it('falls back to the default language of its add-on in GraphQL', async () => {
    const made = await addon({ defaultLocale: 'fr', name: { fr: 'Horloge' }, versions: [{ license: OWN }] });
    await chooseLicenseOf(made);
    const license = 'license { name { value(lang: "ja") } text { value(lang: "ja") } }';
    const { addon: shown } = await app.anonymous.graphql<{ addon: unknown }>(
      `{ addon(by: { databaseId: ${made.id} }) { ${license} currentVersion { ${license} } } }`,
    );
    const expected = { name: { value: 'Licence' }, text: { value: 'Peut.' } };
    expect(shown).toEqual({ license: expected, currentVersion: { license: expected } });
  });

  it('falls back to the default language of the site if it is built in', async () => {
    await app.sql(`UPDATE license SET name = name || '{"fr": "Licence MIT"}' WHERE builtin = 'MIT'`);
    const made = await addon({ defaultLocale: 'fr', versions: [{ license: { builtin: 'MIT' } }] });
    await chooseLicenseOf(made);
    const license = 'license { name { value(lang: "ja") } }';
    const { addon: shown } = await app.anonymous.graphql<{ addon: unknown }>(
      `{ addon(by: { databaseId: ${made.id} }) { ${license} currentVersion { ${license} } } }`,
    );
    const expected = { license: { name: { value: 'MIT License' } } };
    expect(shown).toEqual({ ...expected, currentVersion: expected });
  });
});

describe('a licence node', () => {
  let author: Client;
  beforeAll(async () => {
    author = await app.developer();
  });

  const make = (facts: AddonFacts = {}) =>
    addon({ authors: [author.accountId ?? 0], versions: [{ license: OWN }], ...facts });
  async function licenseIdOf({ versions }: MadeAddon): Promise<number> {
    const rows = await app.sql<{ id: number }>('SELECT license_id AS id FROM version WHERE id = $1', [versions[0]?.id]);
    return rows[0]?.id ?? 0;
  }
  const globalId = (id: number) => Buffer.from(`License:${id}`).toString('base64');
  const ownTexts = '... on License { name { value(lang: "ja") } text { value(lang: "ja") } }';
  async function read(client: Client, ...ids: number[]): Promise<(string | null)[]> {
    const fields = ids.map((id, index) => `n${index}: node(id: "${globalId(id)}") { ${ownTexts} }`);
    type Found = Record<'name' | 'text', { value: string }> | null;
    const { data, errors = [] } = await client.graphqlResult<Record<string, Found>>(`{ ${fields.join(' ')} }`);
    const missing = Object.values(data ?? {}).filter((license) => license === null);
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(missing.map(() => 'NOT_FOUND'));
    return Object.values(data ?? {}).map((license) => license && `${license.name.value}: ${license.text.value}`);
  }

  it('is visible to all viewers if a public add-on or version has it', async () => {
    const made = await make({ defaultLocale: 'fr', name: { fr: 'Horloge' } });
    const ids = [await licenseIdOf(made), 999_999];
    expect(await read(app.anonymous, ...ids)).toEqual(['Licence: Peut.', null]);
    const chosen = await chooseLicenseOf(await make({ versions: [{ license: OWN, deletedAt: new Date() }] }));
    expect(await read(app.anonymous, chosen)).toEqual(['Lizenz: Darf.']);
  });

  it.each<[string, AddonFacts]>([
    ['a disabled add-on', { isDisabledByDeveloper: true }],
    ['an add-on in review', { status: 'nominated' }],
    ['an unlisted version', { versions: [{ license: OWN, channel: 'unlisted' }] }],
    ['a version in review', { versions: [{ license: OWN, stage: 'awaiting_review', files: [{ status: 1 }] }] }],
  ])('is visible only to the authors if it belongs to %s', async (_title, facts) => {
    const id = await licenseIdOf(await make(facts));
    expect(await read(author, id)).toEqual(['Lizenz: Darf.']);
    for (const client of [app.anonymous, await app.developer()]) expect(await read(client, id)).toEqual([null]);
  });

  it('is visible to no viewer if nothing has it', async () => {
    const { db } = await import('../../../src/infra/db.ts');
    const { id } = await db.license.create({ data: OWN });
    expect(await read(author, id)).toEqual([null]);
  });

  it('is loaded with a constant number of statements, by id and through add-ons', async () => {
    const made: MadeAddon[] = [];
    for (let count = 0; count < 50; count++) made.push(await make({ tags: ['licensed'] }));
    const ids: number[] = [];
    for (const each of made) ids.push(await chooseLicenseOf(each));
    const countOf = async (work: () => Promise<unknown>) => (await statementsDuring(work)).length;
    const several = ids.slice(0, 10);
    await read(app.anonymous, ...several);
    expect(await countOf(() => read(app.anonymous, ...several))).toBe(
      await countOf(() => read(app.anonymous, ids[0] ?? 0)),
    );
    const list = (first: number) =>
      app.anonymous.graphql<{ addons: { edges: { node: { license: { name: { value: string } } } }[] } }>(
        `{ addons(first: ${first}, filter: { tags: ["licensed"] }) { edges { node {
          license { name { value(lang: "ja") } } currentVersion { license { name { value } } } } } } }`,
      );
    const { edges } = (await list(50)).addons;
    expect(edges.map(({ node }) => node.license.name.value)).toEqual(Array(50).fill('Lizenz'));
    const [one, fifty] = [await countOf(() => list(1)), await countOf(() => list(50))];
    expect(fifty).toBe(one);
  });
});
