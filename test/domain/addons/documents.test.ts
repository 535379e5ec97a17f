import { beforeAll, describe, expect, it } from 'vitest';
import type { AddonReference } from '../../../src/graphql/references.ts';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { requirePublishedDocuments } from '../../support/published-documents.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let db: typeof import('../../../src/infra/db.ts')['db'];
let publishing: typeof import('../../../src/domain/listing/publish-addons.ts');

beforeAll(async () => {
  ({ db } = await import('../../../src/infra/db.ts'));
  publishing = await import('../../../src/domain/listing/publish-addons.ts');
});

const documentOf = async (id: number) => {
  const [row] = await app.sql<{ body: Record<string, unknown>; version: string }>(
    'select body, row_version as version from addon_document where addon_id = $1',
    [id],
  );
  return row ?? { body: {}, version: '' };
};

describe('publishing', () => {
  it('skips unchanged documents and increases row_version with every change', async () => {
    const { id } = await addon();
    const before = await documentOf(id);
    await db.$transaction((tx) => publishing.publishAddons(tx, [id]));
    expect(await documentOf(id)).toEqual(before);
    await db.$transaction(async (tx) => {
      await tx.addonTag.create({ data: { addonId: id, tag: 'one' } });
      await publishing.publishAddons(tx, [id, id]);
    });
    const after = await documentOf(id);
    expect([after.body.tags, Number(after.version) > Number(before.version)]).toEqual([['one'], true]);
  });

  it('is rolled back with the transaction', async () => {
    const { id } = await addon();
    const before = await documentOf(id);
    const failing = db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id }, data: { averageDailyUsers: 5 } });
      await publishing.publishAddons(tx, [id]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await documentOf(id)).toEqual(before);
  });

  it('keeps all changes of concurrent transactions to one add-on', async () => {
    const { id } = await addon();
    const change = (tag: string) =>
      db.$transaction(async (tx) => {
        await tx.addonTag.create({ data: { addonId: id, tag } });
        await publishing.publishAddons(tx, [id]);
      });
    const tags = Array.from({ length: 12 }, (_, index) => `tag-${String(index).padStart(2, '0')}`);
    await Promise.all(tags.map(change));
    expect((await documentOf(id)).body.tags).toEqual(tags);
  });

  it('sends a bounded number of statements for many add-ons', async () => {
    await app.sql(`insert into addon (guid, slug, type, default_locale, name)
      select 'many-' || n || '@example', 'many-' || n, 'extension', 'en-US', '{"en-US": "Many"}' from generate_series(1, 1200) n`);
    const rows = await app.sql<{ id: number }>("select id from addon where slug like 'many-%' order by random()");
    const ids = rows.map(({ id }) => id);
    const statements = await statementsDuring(() => db.$transaction((tx) => publishing.publishAddons(tx, ids)));
    // Three batches of at most 500 add-ons. Each writes documents and search rows.
    expect(statements.length).toBeLessThanOrEqual(3 * 8);
  });

  it('updates all add-ons of a renamed account', async () => {
    const author = await app.developer();
    const id = author.accountId ?? 0;
    const made = [await addon({ authors: [id] }), await addon({ authors: [id] })];
    await db.$transaction(async (tx) => {
      await tx.account.update({ where: { id }, data: { displayName: 'Ada' } });
      await publishing.publishAddonsOf(tx, id);
    });
    for (const each of made) {
      expect((await documentOf(each.id)).body.authors).toMatchObject([{ displayName: 'Ada' }]);
    }
  });

  it('is enforced by the check that runs after each test', async () => {
    const { id } = await addon();
    await app.sql('update addon set weekly_downloads = 3 where id = $1', [id]);
    await expect(requirePublishedDocuments()).rejects.toThrow(`add-on ${id} is out of date: weeklyDownloads`);
    await app.sql('delete from addon_document where addon_id = $1', [id]);
    await expect(requirePublishedDocuments()).rejects.toThrow(`add-on ${id} was never published`);
    const shown = await app.anonymous.graphql(`{ addon(by: { databaseId: ${id} }) { weeklyDownloads } }`);
    expect(shown).toEqual({ addon: { weeklyDownloads: 3 } });
    await db.$transaction((tx) => publishing.publishAddons(tx, [id]));
  });
});

describe('the current version', () => {
  it('is checked to be a listed one after each test', async () => {
    const { id } = await addon();
    await requirePublishedDocuments();
    for (const change of ["channel = 'unlisted'", 'deleted_at = now()']) {
      await app.sql(`update version set ${change} where addon_id = $1`, [id]);
      await expect(requirePublishedDocuments()).rejects.toThrow(`current version of add-on ${id} is not`);
      await app.sql(`update version set channel = 'listed', deleted_at = null where addon_id = $1`, [id]);
    }
  });
});

describe('the document cache', () => {
  const TAGS = 'query ($by: AddonRefInput!) { addon(by: $by) { tags } }';
  const tagsOf = async (by: AddonReference) =>
    (await app.anonymous.graphql<{ addon: { tags: string[] } }>(TAGS, { by })).addon.tags;

  it('returns no document older than the one another process wrote', async () => {
    const { id } = await addon();
    expect(await tagsOf({ databaseId: id })).toEqual([]);
    await app.sql('insert into addon_tag values ($1, $2)', [id, 'new']);
    await app.sql(`insert into addon_document (addon_id, body) select addon_id, body from current_addon_document where addon_id = ${id}
      on conflict (addon_id) do update set body = excluded.body, row_version = excluded.row_version`);
    expect(await tagsOf({ databaseId: id })).toEqual(['new']);
  });

  it('evicts documents when it is full', async () => {
    const description = { 'en-US': 'x'.repeat(900_000) };
    const guids: string[] = [];
    for (let count = 0; count < 30; count++) guids.push((await addon({ description })).guid);
    for (const guid of guids) await tagsOf({ guid });
    // By guid, a document that is not cached takes a statement of its own.
    expect(await statementsDuring(() => tagsOf({ guid: guids.at(-1) ?? '' }))).toHaveLength(1);
    expect(await statementsDuring(() => tagsOf({ guid: guids[0] ?? '' }))).toHaveLength(2);
  });
});

describe('the add-on in GraphQL', () => {
  it('has the locale of each text, the accounts of its authors, its licence and its latest files', async () => {
    const author = await app.developer();
    const made = await addon({
      authors: [author.accountId ?? 0],
      name: { 'en-US': 'Clock', de: 'Uhr' },
      versions: [{ license: { builtin: 'MIT' } }],
    });
    const { addon: shown } = await app.anonymous.graphql<{ addon: Record<string, unknown> }>(
      `query($ref: String!) { addon(by: { guid: $ref }) {
        name { value(lang: "de-AT") locale(lang: "de-AT") all { locale value } }
        authors { role account { databaseId } }
        license { name { value } }
        currentVersion { license { builtin name { value } text { value } } }
        latestFile(platform: WINDOWS) { databaseId } latestUnlistedVersion { version } eula { value } } }`,
      { ref: made.guid },
    );
    const all = [
      { locale: 'de', value: 'Uhr' },
      { locale: 'en-US', value: 'Clock' },
    ];
    expect(shown).toEqual({
      name: { value: 'Uhr', locale: 'de', all },
      authors: [{ role: 'OWNER', account: { databaseId: author.accountId } }],
      license: null,
      currentVersion: { license: { builtin: 'MIT', name: { value: 'MIT License' }, text: null } },
      latestFile: { databaseId: made.versions[0]?.files[0]?.id },
      latestUnlistedVersion: null,
      eula: null,
    });
  });

  it('is loaded with one statement for any number of add-ons', async () => {
    const guids: string[] = [];
    for (let count = 0; count < 8; count++) guids.push((await addon()).guid);
    const fields = guids.map((_guid, index) => `a${index}: node(id: $id${index}) { ... on Addon { guid } }`).join(' ');
    const ids = await app.sql<{ id: number }>('select id from addon where guid = any($1::citext[]) order by id', [
      guids,
    ]);
    const variables = Object.fromEntries(
      ids.map(({ id }, index) => [`id${index}`, Buffer.from(`Addon:${id}`).toString('base64')]),
    );
    const declared = ids.map((_row, index) => `$id${index}: ID!`).join(', ');
    const statements = await statementsDuring(() =>
      app.anonymous.graphql(`query(${declared}) { ${fields} }`, variables),
    );
    expect(statements).toHaveLength(1);
  });

  it('has the current values after each mutation of a request', async () => {
    const author = await app.developer();
    const made = await addon({ authors: [author.accountId ?? 0], type: 'extension' });
    const rename = (value: string) =>
      `updateAddon(input: {id: "${globalId('Addon', made.id)}", name: [{locale: "en-US", value: "${value}"}]}) { ... on UpdateAddonPayload { addon { name { value } } } }`;
    const shown = await author.graphql(`mutation { one: ${rename('One')} two: ${rename('Two')} }`);
    expect(shown).toEqual({ one: { addon: { name: { value: 'One' } } }, two: { addon: { name: { value: 'Two' } } } });
  });
});
