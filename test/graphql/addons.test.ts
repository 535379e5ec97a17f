import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { runInternal } from '../support/internal-graphql.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let made: MadeAddon[];
let categoryId: number;
let authorId: number;

const LIST = `query($filter: AddonFilter, $first: Int, $after: String, $last: Int, $before: String) {
  addons(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    totalCount edges { cursor node { databaseId guid name { value } currentVersion { files { hash } } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
interface Connection {
  totalCount: number;
  edges: { cursor: string; node: { databaseId: number; guid: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}
const list = async (variables: Record<string, unknown> = {}) =>
  (await app.anonymous.graphql<{ addons: Connection }>(LIST, variables)).addons;
const namesOf = ({ edges }: Connection) => edges.map(({ node }) => node.guid.replace('@list', ''));
const found = async (filter: Record<string, unknown>) => {
  const connection = await list({ filter });
  expect(connection.totalCount).toBe(connection.edges.length);
  return namesOf(connection).join(' ');
};

beforeAll(async () => {
  const author = await app.developer();
  authorId = author.accountId ?? 0;
  const desktop = { app: 'desktop_browser', slug: 'Tools' };
  made = [
    await addon({ guid: 'a@list', tags: ['one', 'two'], averageDailyUsers: 50, categories: [desktop] }),
    await addon({ guid: 'b@list', tags: ['two'], authors: [authorId], name: { 'pt-BR': 'Bê', de: 'Be' } }),
    await addon({ guid: 'c@list', type: 'statictheme', isExperimental: true, categories: [desktop] }),
    await addon({
      guid: 'd@list',
      versions: [{ compatibility: { mail_client: ['40.0', '*'] }, files: [{ platform: 'mac' }] }],
    }),
    await addon({ guid: 'e@list', type: 'persona', featured: [{ app: 'mobile_browser' }], averageDailyUsers: 900 }),
    await addon({ guid: 'f@list', lastUpdated: new Date('2030-01-01'), created: new Date('2030-01-01') }),
    await addon({ guid: 'disabled@list', isDisabledByDeveloper: true }),
    await addon({ guid: 'deleted@list', status: 'deleted', deletedAt: new Date() }),
    await addon({ guid: 'unlisted@list', status: 'incomplete', versions: [{ channel: 'unlisted' }] }),
  ];
  const [category] = await app.sql<{ id: number }>(
    "SELECT id FROM category WHERE slug = 'Tools' AND type = 'extension'",
  );
  categoryId = category?.id ?? 0;
});

describe('the revision of an add-on', () => {
  it('changes with the add-on, and that of a page of search results with the add-ons on it', async () => {
    const { db } = await import('../../src/infra/db.ts');
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    const query = `{ search(filter: { guids: ["a@list", "b@list"] }, sort: [CREATED]) {
      revision edges { node { databaseId revision } } } }`;
    type Hit = { node: { databaseId: number; revision: string } };
    const page = async () => {
      const { search } = await runInternal<{ search: { revision: string; edges: Hit[] } }>(query, {});
      const revisions = new Map(search.edges.map(({ node }) => [node.databaseId, node.revision]));
      return { revision: search.revision, revisions };
    };
    const [a = 0, b = 0] = made.map(({ id }) => id);
    const before = await page();
    expect([...before.revisions.keys()].toSorted()).toEqual([a, b].toSorted());
    expect(await page()).toEqual(before);
    await db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id: a }, data: { weeklyDownloads: 7 } });
      await publishAddons(tx, [a]);
    });
    const after = await page();
    expect(after.revision).not.toBe(before.revision);
    expect(after.revisions.get(a)).not.toBe(before.revisions.get(a));
    expect(after.revisions.get(b)).toBe(before.revisions.get(b));
    const looked = await runInternal<{ addon: { revision: string }; addonRevision: string }>(
      '{ addon(by: { guid: "a@list" }) { revision } addonRevision(by: { guid: "a@list" }) }',
    );
    expect([looked.addon.revision, looked.addonRevision]).toEqual([after.revisions.get(a), after.revisions.get(a)]);
  });
});

describe('addons', () => {
  it('lists public add-ons in ascending order of id', async () => {
    const all = await list();
    expect([namesOf(all).join(' '), all.totalCount]).toEqual(['a b c d e f', 6]);
    expect(all.edges.map(({ node }) => node.databaseId)).toEqual(made.slice(0, 6).map(({ id }) => id));
    expect(all.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  it('pages forwards after a cursor and backwards before one', async () => {
    const first = await list({ first: 2 });
    const second = await list({ first: 3, after: first.pageInfo.endCursor });
    const third = await list({ first: 3, after: second.pageInfo.endCursor });
    expect([first, second, third].map((page) => namesOf(page).join(' '))).toEqual(['a b', 'c d e', 'f']);
    expect([first, second, third].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, true, false]);
    expect(namesOf(await list({ last: 2 }))).toEqual(['e', 'f']);
    expect(namesOf(await list({ last: 2, before: third.pageInfo.startCursor }))).toEqual(['d', 'e']);
    expect(namesOf(await list({ first: 5, after: first.pageInfo.endCursor, filter: { tags: ['two'] } }))).toEqual([]);
    expect(await list({ after: third.pageInfo.endCursor })).toMatchObject({ edges: [], totalCount: 6 });
  });

  it('returns each add-on once while others are added and disabled', async () => {
    const first = await list({ first: 3 });
    const [gone, other] = [await addon({ guid: 'x@list' }), await addon({ guid: 'y@list' })];
    await app.sql('UPDATE addon SET is_disabled_by_developer = true WHERE id = ANY($1)', [[gone.id, made[0]?.id]]);
    const rest = await list({ after: first.pageInfo.endCursor });
    // The search index still lists disabled add-ons: they are left out, and the ones after them are returned.
    expect(namesOf(rest)).toEqual(['d', 'e', 'f', 'y']);
    await app.sql('UPDATE addon SET is_disabled_by_developer = false WHERE id = $1', [made[0]?.id]);
    const { db } = await import('../../src/infra/db.ts');
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    await app.sql('UPDATE addon SET is_disabled_by_developer = true WHERE id = ANY($1)', [[gone.id, other.id]]);
    await db.$transaction((tx) => publishAddons(tx, [gone.id, other.id]));
    expect((await list()).totalCount).toBe(6);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ types: ['EXTENSION'] }, 'a b d f'],
    [{ types: ['PERSONA', 'STATICTHEME'] }, 'c e'],
    [{ types: [] }, 'a b c d e f'],
    [{ app: 'MAIL_CLIENT' }, 'd e'],
    [{ app: 'MAIL_CLIENT', appVersion: '39.0' }, 'e'],
    [{ platform: 'WINDOWS' }, 'a b c e f'],
    [{ platform: 'MAC', types: ['EXTENSION'] }, 'a b d f'],
    [{ tags: ['two'] }, 'a b'],
    [{ tags: ['TWO', 'one'] }, 'a'],
    [{ locales: ['de'] }, 'b'],
    [{ locales: ['pt_br', 'fr'] }, 'b'],
    [{ minUsers: 50 }, 'a e'],
    [{ isExperimental: true }, 'c'],
    [{ isExperimental: false, minUsers: 51 }, 'e'],
    [{ guids: ['C@list', 'disabled@list'] }, 'c'],
    [{ updatedSince: '2029-12-31T00:00:00Z' }, 'f'],
    [{ createdSince: '2030-01-01T00:00:01Z' }, ''],
  ])('filters by %j', async (filter, names) => {
    expect(await found(filter)).toBe(names);
  });

  it('filters by ids', async () => {
    const id = Buffer.from(`Category:${categoryId}`).toString('base64');
    expect(await found({ categories: [id] })).toBe('a');
    expect(await found({ authors: [Buffer.from(`Account:${authorId}`).toString('base64')] })).toBe('b');
    expect(
      await found({ excludeAddons: made.slice(0, 4).map(({ id }) => Buffer.from(`Addon:${id}`).toString('base64')) }),
    ).toBe('e f');
  });

  it.each([
    [{ filter: { appVersion: '57.0' } }, 'app'],
    [{ filter: { locales: ['xx'] } }, 'locales'],
    [{ filter: { app: 'DESKTOP_BROWSER', appVersion: 'x' } }, 'appVersion'],
    [{ filter: { tags: Array.from({ length: 501 }, (_, index) => `t${index}`) } }, 'tags'],
    [{ filter: { categories: ['QWRkb246MQ=='] } }, 'categories'],
    [{ filter: { categories: ['1'] } }, 'categories'],
    [{ filter: { locales: Array.from({ length: 501 }, () => 'de') } }, 'locales'],
  ])('refuses %j', async (variables, field) => {
    const { errors } = await app.anonymous.graphqlResult(LIST, variables);
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { fields: { [field]: [expect.any(String)] } },
    });
  });

  it.each([
    ['first: 0', 'first'],
    ['last: 101', 'last'],
    ['first: 1, last: 1', 'last'],
    ['after: "x"', 'after'],
  ])('names the argument at fault of versions(%s)', async (paging, argument) => {
    const { errors } = await app.anonymous.graphqlResult(
      `{ addon(by: { guid: "a@list" }) { versions(${paging}) { totalCount } } }`,
    );
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { fields: { [argument]: [expect.any(String)] } },
    });
  });

  it('refuses texts that are no cursors, and cursors of other lists', async () => {
    const versionsOf = (guid: string, paging: string) =>
      app.anonymous.graphqlResult<{ addon: { versions: { edges: { cursor: string }[] } } }>(
        `{ addon(by: { guid: "${guid}" }) { versions(${paging}) { edges { cursor } } } }`,
      );
    const byKey = (await versionsOf('a@list', 'first: 1')).data?.addon.versions.edges[0];
    const ofCatalogue = (await list({ first: 1 })).edges[0]?.cursor;
    for (const argument of ['after', 'before']) {
      const replies = await Promise.all([
        app.anonymous.graphqlResult(LIST, { [argument]: 'bm90aGluZw' }),
        app.anonymous.graphqlResult(LIST, { [argument]: byKey?.cursor }),
        versionsOf('a@list', `${argument}: "${ofCatalogue}"`),
        versionsOf('b@list', `${argument}: "${byKey?.cursor}"`),
      ]);
      for (const { errors } of replies) {
        expect(errors?.[0]?.extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          details: { fields: { [argument]: [`The value of ${argument} is not a cursor of this list.`] } },
        });
      }
      expect((await versionsOf('a@list', `${argument}: "${byKey?.cursor}"`)).errors).toBeUndefined();
    }
  });

  it('takes the same number of statements for one add-on and for many', async () => {
    const during = (variables: Record<string, unknown>) => statementsDuring(() => list(variables));
    expect((await during({ first: 1 })).length).toBe(3);
    expect((await during({ first: 50, filter: { tags: ['two'], locales: ['de'] } })).length).toBe(3);
  });

  it('returns the same add-ons as REST', async () => {
    const { edges } = await list({ filter: { types: ['EXTENSION'] } });
    const rest = (await app.anonymous.get('/api/v4/addons/search/?type=extension&sort=created')).json as {
      results: { id: number }[];
    };
    const ids = (list: number[]) => list.sort((one, other) => one - other);
    expect(ids(edges.map(({ node }) => node.databaseId))).toEqual(ids(rest.results.map(({ id }) => id)));
  });
});
