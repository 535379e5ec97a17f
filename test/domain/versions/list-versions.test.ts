import { beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
const packs: MadeAddon[] = [];

beforeAll(async () => {
  const range = (min: string) => ({ compatibility: { desktop_browser: [min, '*'] as [string, string] } });
  for (let count = 0; count < 5; count++) {
    packs.push(await addon({ type: 'language', versions: [range('57.0'), range('58.0'), range('59.0')] }));
  }
});

interface Listed {
  databaseId: number;
  currentVersion: { databaseId: number };
  one: { totalCount: number; nodes: { databaseId: number }[] };
  page: { totalCount: number; nodes: { databaseId: number }[] };
  back: { nodes: { databaseId: number }[] };
}

const list = async (first: number): Promise<Listed[]> => {
  const { addons } = await app.anonymous.graphql<{ addons: { nodes: Listed[] } }>(
    `query ($first: Int) { addons(first: $first) { nodes { databaseId
      currentVersion(app: DESKTOP_BROWSER, appVersion: "58.0") { databaseId }
      one: versions(first: 1) { totalCount nodes { databaseId } }
      page: versions(last: 1) { totalCount nodes { databaseId } }
      back: versions(last: 2) { nodes { databaseId } } } } }`,
    { first },
  );
  return addons.nodes;
};

it('reads the versions of any number of add-ons with a constant number of statements', async () => {
  const ofOne = await statementsDuring(() => list(1));
  let listed: Listed[] = [];
  const ofAll = await statementsDuring(async () => {
    listed = await list(5);
  });
  const expected = packs.map(({ id, versions }) => {
    const [oldest, middle, newest] = versions.map((version) => ({ databaseId: version.id }));
    return {
      databaseId: id,
      currentVersion: middle,
      one: { totalCount: 3, nodes: [newest] },
      page: { totalCount: 3, nodes: [oldest] },
      back: { nodes: [middle, oldest] },
    };
  });
  expect(listed.toSorted((a, b) => a.databaseId - b.databaseId)).toEqual(expected);
  expect(ofAll).toHaveLength(ofOne.length);
});

it('finds versions by number in any number of add-ons with a constant number of statements', async () => {
  const find = async (first: number, number = '2.0') => {
    const { data } = await app.anonymous.graphqlResult<{
      addons: { nodes: { databaseId: number; version: { databaseId: number } | null }[] };
    }>(
      `query ($first: Int, $number: String) { addons(first: $first) { nodes { databaseId
        version(by: { number: $number }) { databaseId } } } }`,
      { first, number },
    );
    return new Map(data?.addons.nodes.map(({ databaseId, version }) => [databaseId, version?.databaseId ?? null]));
  };
  const ofOne = await statementsDuring(() => find(1));
  let found: Awaited<ReturnType<typeof find>> = new Map();
  const ofAll = await statementsDuring(async () => {
    found = await find(5);
  });
  expect(found).toEqual(new Map(packs.map(({ id, versions }) => [id, versions[1]?.id])));
  expect(ofAll).toHaveLength(ofOne.length);
  for (const number of ['9.0', '2.0\0', '2.0'.repeat(1_000)])
    expect([...(await find(5, number)).values()]).toEqual(packs.map(() => null));
});
