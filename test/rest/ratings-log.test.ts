/* The change log of the contract about ratings, by its dates, and ratings in REST as in GraphQL. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { changeRating, rate } from '../support/ratings.ts';

const app = setUpApp();
let author: Client;
let visitor: Client;
let other: Client;

beforeAll(async () => {
  [author, visitor, other] = [await app.developer(), await app.developer(), await app.developer()];
});

type Json = Record<string, unknown>;

/** The addresses of ratings under each version. */
const BASES = {
  v3: '/api/v3/reviews/review/',
  v4: '/api/v4/ratings/rating/',
  v4dev: '/api/v4dev/ratings/rating/',
} as const;
type Version = keyof typeof BASES;
const VERSIONS = Object.keys(BASES) as Version[];

const make = () => addon({ authors: [author.accountId ?? 0] });

describe('the change log of the contract', () => {
  const read = async (path: string) => {
    const { status, json } = await app.anonymous.get(path);
    return { status, json: json as Json };
  };
  let made: MadeAddon;
  let id: number;
  beforeAll(async () => {
    made = await make();
    id = await rate(visitor, made, 4, 'Good.');
  });
  const of = async (version: Version) => (await read(`${BASES[version]}${id}/`)).json;

  it('2018-05-18: /reviews/ is /ratings/ in v4, and stays in v3', async () => {
    const statuses = ['v3/reviews/review', 'v4/ratings/rating', 'v3/ratings/rating', 'v4/reviews/review'].map(
      async (path) => (await read(`/api/${path}/${id}/`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404]);
  });

  it('2018-05-25 and 2018-06-05: v4 has score and no title, v3 rating and title', async () => {
    expect(await of('v3')).toMatchObject({ rating: 4, title: null });
    expect(await of('v3')).not.toHaveProperty('score');
    expect(await of('v4')).toMatchObject({ score: 4 });
    for (const key of ['rating', 'title']) expect(await of('v4')).not.toHaveProperty(key);
  });

  it.each(VERSIONS)('2018-08-16, 2018-09-13, 2018-10-04: %s has what was added to ratings', async (version) => {
    expect(await of(version)).toMatchObject({
      ...{ is_developer_reply: false, is_deleted: false },
      addon: { name: expect.anything(), icon_url: expect.any(String) },
    });
    const left = await read(`${BASES[version]}?addon=${made.id}&exclude_ratings=${id}`);
    expect(left.json).toMatchObject({ count: 0, results: [] });
  });
});

describe('ratings', () => {
  it('are the same in REST and GraphQL', async () => {
    const made = await make();
    const id = await rate(visitor, made, 3, 'So so.');
    await changeRating(author, 'replyToRating', id, { body: 'Thanks.' });
    const common =
      'databaseId body created isDeleted isReply isLatest previousCount user { databaseId name url username }';
    const { rating } = await app.anonymous.graphql<{ rating: Json & { user: Json; reply: Json & { user: Json } } }>(
      `query($id: ID!) { rating(id: $id) { ${common} score version { databaseId number } reply { ${common} } } }`,
      { id: globalId('Rating', id) },
    );
    const person = ({ databaseId, ...rest }: Json) => ({ id: databaseId, ...rest });
    const written = (shown: Json & { user: Json }) => ({
      ...{ id: shown.databaseId, body: shown.body, created: shown.created, is_deleted: shown.isDeleted },
      ...{ is_developer_reply: shown.isReply, is_latest: shown.isLatest, previous_count: shown.previousCount },
      user: person(shown.user),
    });
    const rest = (await app.anonymous.get(`${BASES.v4}${id}/`)).json;
    expect(rest).toMatchObject({ ...written(rating), score: rating.score, reply: written(rating.reply) });
  });

  it('are read under v5 as under v4, with texts by language, and not written', async () => {
    const made = await make();
    const id = await rate(visitor, made, 2, 'Reads.');
    for (const path of [`?addon=${made.id}&score=1,2&page_size=50`, `${id}/`]) {
      const [later, earlier] = await Promise.all(
        ['v5', 'v4'].map((version) => app.anonymous.get(`/api/${version}/ratings/rating/${path}`)),
      );
      expect(later?.status).toBe(200);
      expect(JSON.parse((later?.text ?? '').replaceAll('/api/v5/', '/api/v4/'))).toEqual(earlier?.json);
    }
    const body = { addon: made.id, version: made.versions[0]?.id, score: 4 };
    const options = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    expect((await other.request('POST', '/api/v5/ratings/rating/', options)).status).toBe(405);
  });

  it('are grouped in the detail of an add-on on request', async () => {
    const made = await make();
    await rate(visitor, made, 3);
    const detail = async (query: string) =>
      ((await app.anonymous.get(`/api/v4/addons/addon/${made.id}/${query}`)).json as { ratings: Json }).ratings;
    expect(await detail('')).not.toHaveProperty('grouped_counts');
    expect(await detail('?show_grouped_ratings=true')).toMatchObject({
      grouped_counts: { 1: 0, 2: 0, 3: 1, 4: 0, 5: 0 },
    });
    await rate(other, made, 5);
    expect(await detail('?show_grouped_ratings=true')).toMatchObject({ count: 2, grouped_counts: { 3: 1, 5: 1 } });
  });
});
