/* Every call about ratings by method, status and body, under each version of the API; and the change log of the contract by its dates. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { rate } from '../support/ratings.ts';

const app = setUpApp();
let author: Client;
let visitor: Client;
let other: Client;
let editor: Client;

beforeAll(async () => {
  [author, visitor, other] = [await app.developer(), await app.developer(), await app.developer()];
  editor = await app.memberWith('Addons:Edit');
});

type Json = Record<string, unknown>;
interface Rated extends Json {
  id: number;
  reply: Json | null;
}
interface List {
  count: number;
  page_size: number;
  results: Rated[];
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

async function send(client: Client, method: string, path: string, body?: object) {
  const options = body === undefined ? {} : { headers: JSON_TYPE, body: JSON.stringify(body) };
  const { status, json } = await client.request(method, path, options);
  return { status, json: json as Json };
}

/** The addresses and words of an API version. */
const WORDS = {
  v3: { base: '/api/v3/reviews/review/', score: 'rating' },
  v4: { base: '/api/v4/ratings/rating/', score: 'score' },
  v4dev: { base: '/api/v4dev/ratings/rating/', score: 'score' },
} as const;
type Version = keyof typeof WORDS;
const VERSIONS = Object.keys(WORDS) as Version[];

const make = () => addon({ authors: [author.accountId ?? 0], versions: [{}, {}] });
const idsOf = (list: Json) => (list as unknown as List).results.map(({ id }) => id);
const bodyFor = (version: Version, made: MadeAddon, score: unknown, more: object = {}) => ({
  ...{ addon: made.id, version: made.versions[0]?.id, [WORDS[version].score]: score },
  ...more,
});

describe.each(VERSIONS)('ratings under %s', (version) => {
  const { base, score } = WORDS[version];
  const keys = (...extra: string[]) => [
    ...['id', 'addon', 'body', 'created', 'is_deleted', 'is_developer_reply', 'is_latest', 'previous_count'],
    ...extra,
  ];
  const title = version === 'v3' ? ['title'] : [];
  const RATING = keys('reply', ...title, score, 'user', 'version');
  const REPLY = keys(...title, 'user');

  it('POST: creates one, 201, with the keys in their order', async () => {
    const made = await make();
    const { status, json } = await send(visitor, 'POST', base, bodyFor(version, made, 4, { body: 'Fine <b>' }));
    expect([status, Object.keys(json)]).toEqual([201, RATING]);
    expect(json).toMatchObject({
      addon: { id: made.id, slug: made.slug, icon_url: expect.stringContaining('http') },
      body: 'Fine <b>',
      ...{ is_deleted: false, is_developer_reply: false, is_latest: true, previous_count: 0, reply: null, [score]: 4 },
      user: { id: visitor.accountId },
      version: { id: made.versions[0]?.id, version: '1.0' },
    });
    const detail = (await app.anonymous.get(`${base}${json.id}/?lang=en-US`)).json as { addon: Json; user: Json };
    expect([Object.keys(detail.addon), Object.keys(detail.user)]).toEqual([
      ['id', 'slug', 'name', 'icon_url'],
      ['id', 'name', 'url', 'username'],
    ]);
    const named = (await app.anonymous.get(`${base}${json.id}/?lang=en-US`)).json as { addon: { name: unknown } };
    expect(typeof named.addon.name).toBe(version === 'v4dev' ? 'object' : 'string');
  });

  it.each<[string, (made: MadeAddon) => object, object]>([
    [
      'without values',
      () => ({}),
      {
        addon: ['This field is required.'],
        version: ['This field is required.'],
        [score]: ['This field is required.'],
      },
    ],
    ['with a score of 0', (made) => bodyFor(version, made, 0), { [score]: ['Choose a score from 1 to 5.'] }],
    ['with a score of 6', (made) => bodyFor(version, made, 6), { [score]: ['Choose a score from 1 to 5.'] }],
    ['with a score that is no number', (made) => bodyFor(version, made, 'x'), { [score]: ['Enter a whole number.'] }],
    ['with a score of null', (made) => bodyFor(version, made, null), { [score]: ['This field may not be null.'] }],
    [
      'with a body that is no text',
      (made) => bodyFor(version, made, 3, { body: 5 }),
      { body: ['Not a valid string.'] },
    ],
    [
      'with a body that is too long',
      (made) => bodyFor(version, made, 3, { body: 'x'.repeat(10_001) }),
      { body: [expect.stringContaining('no more than')] },
    ],
    [
      'of the version of another add-on',
      (made) => bodyFor(version, made, 3, { version: 1 }),
      { version: ['This is no public version of the add-on.'] },
    ],
  ])('POST: is refused %s, 400 by field', async (_what, body, expected) => {
    expect(await send(visitor, 'POST', base, body(await make()))).toEqual({ status: 400, json: expected });
  });

  it('POST: is refused a second time, of authors, of anonymous clients, and about hidden and unknown add-ons', async () => {
    const made = await make();
    expect((await send(visitor, 'POST', base, bodyFor(version, made, 5))).status).toBe(201);
    const again = await send(visitor, 'POST', base, bodyFor(version, made, 5));
    expect(again).toMatchObject({
      status: 400,
      json: { non_field_errors: [expect.stringContaining('already rated')] },
    });
    const own = await send(author, 'POST', base, bodyFor(version, made, 5));
    expect(own).toMatchObject({ status: 400, json: { non_field_errors: ['Authors of an add-on cannot rate it.'] } });
    expect((await send(app.anonymous, 'POST', base, bodyFor(version, made, 5))).status).toBe(401);
    const hidden = await addon({ status: 'disabled' });
    const refused = await send(visitor, 'POST', base, bodyFor(version, hidden, 5));
    expect(refused).toMatchObject({ status: 403, json: { is_disabled_by_vendor: true } });
    expect((await send(visitor, 'POST', base, { ...bodyFor(version, made, 5), addon: 2_000_000_000 })).status).toBe(
      404,
    );
  });

  it('GET list: has the newest of each account, by add-on, user, version, score and exclusion', async () => {
    const made = await make();
    await rate(visitor, made, 1, 'Old.');
    const now = await rate(visitor, made, 5, 'New.', 1);
    const empty = await rate(other, made, 2);
    const list = async (query: string, client: Client = app.anonymous) =>
      (await send(client, 'GET', `${base}?${query}`)).json;
    const of = `addon=${made.slug}`;
    const all = (await list(of)) as unknown as List;
    expect(Object.keys(all)).toEqual(['next', 'previous', 'page_size', 'page_count', 'count', 'results']);
    expect([all.count, idsOf(await list(of)), Object.keys(all.results[0] ?? {})]).toEqual([2, [empty, now], RATING]);
    expect(idsOf(await list(`addon=${made.guid}&score=5,4`))).toEqual([now]);
    expect(idsOf(await list(`${of}&exclude_ratings=${empty},7`))).toEqual([now]);
    expect(idsOf(await list(`${of}&filter=without_empty_body`))).toEqual([now]);
    expect(idsOf(await list(`${of}&filter=without_empty_body,with_yours`, other))).toEqual([empty, now]);
    expect(await list(`${of}&user=${visitor.accountId}`)).toMatchObject({
      count: 1,
      page_size: 1,
      results: [{ id: now, previous_count: 1 }],
    });
    const first = await list(`${of}&user=${visitor.accountId}&version=${made.versions[0]?.id}`);
    expect(first).toMatchObject({ count: 1, page_size: 1, results: [{ is_latest: false }] });
    expect(idsOf(await list(`user=${other.accountId}&page_size=1`))).toEqual([empty]);
    expect(await list(`${of}&page_size=1&page=2`)).toMatchObject({ count: 2, next: null, results: [{ id: now }] });
    expect(await list(`${of}&show_grouped_ratings=true`)).toMatchObject({
      grouped_ratings: { 1: 0, 2: 1, 3: 0, 4: 0, 5: 1 },
    });
    expect((await app.anonymous.get(`${base}?${of}&page=9`)).status).toBe(404);
  });

  it('GET list: is refused without add-on and user, for hidden add-ons and for deleted ratings', async () => {
    const hidden = await addon({ status: 'disabled' });
    const made = await make();
    expect(await send(app.anonymous, 'GET', base)).toEqual({
      status: 400,
      json: { detail: 'Need an addon or user parameter.' },
    });
    for (const [query, client, status] of [
      [`addon=${hidden.id}`, app.anonymous, 401],
      [`addon=${hidden.id}`, visitor, 403],
      ['addon=unknown-slug', visitor, 404],
      [`addon=${made.id}&filter=with_deleted`, app.anonymous, 401],
      [`addon=${made.id}&filter=with_deleted`, visitor, 403],
      [`addon=${made.id}&filter=with_deleted`, editor, 200],
      [`addon=${made.id}&score=6`, visitor, 400],
      [`addon=${made.id}&exclude_ratings=x`, visitor, 400],
      ['user=x', visitor, 400],
      [`addon=${made.id}&show_permissions_for=${author.accountId}`, visitor, 400],
      [`addon=${made.id}&show_flags_for=5`, app.anonymous, 400],
    ] as const)
      expect([query, (await client.get(`${base}?${query}`)).status]).toEqual([query, status]);
  });

  it('PATCH and DELETE: are for the writer and for Addons:Edit', async () => {
    const made = await make();
    const id = await rate(visitor, made, 2, 'Bad.');
    const change = { [score]: 3, body: null, version: 5, addon: 'x' };
    expect((await send(app.anonymous, 'PATCH', `${base}${id}/`, change)).status).toBe(401);
    expect((await send(other, 'PATCH', `${base}${id}/`, change)).status).toBe(403);
    expect(await send(visitor, 'PATCH', `${base}${id}/`, change)).toMatchObject({
      status: 200,
      json: { [score]: 3, body: null },
    });
    expect(await send(visitor, 'PATCH', `${base}${id}/`, { [score]: 9 })).toMatchObject({
      status: 400,
      json: { [score]: [expect.any(String)] },
    });
    expect(await send(editor, 'PATCH', `${base}${id}/`, { body: 'Not good.' })).toMatchObject({ status: 200 });
    expect((await send(other, 'DELETE', `${base}${id}/`)).status).toBe(403);
    expect((await send(author, 'DELETE', `${base}${id}/`)).status).toBe(403);
    expect(await visitor.request('DELETE', `${base}${id}/`)).toMatchObject({ status: 204, text: '' });
    expect((await send(visitor, 'GET', `${base}${id}/`)).status).toBe(404);
    expect(await send(editor, 'GET', `${base}${id}/`)).toMatchObject({ status: 200, json: { is_deleted: true } });
    expect((await send(visitor, 'GET', `${base}2000000000/`)).status).toBe(404);
    expect((await send(visitor, 'PUT', `${base}${id}/`, {})).status).toBe(405);
  });

  it('POST reply: is for authors, 201 with the reply, and replaces it the second time', async () => {
    const made = await make();
    const id = await rate(visitor, made, 2, 'Bad.');
    const address = `${base}${id}/reply/`;
    expect((await send(app.anonymous, 'POST', address, { body: 'x' })).status).toBe(401);
    expect((await send(visitor, 'POST', address, { body: 'x' })).status).toBe(403);
    expect(await send(author, 'POST', address, {})).toEqual({
      status: 400,
      json: { body: ['This field is required.'] },
    });
    const { status, json } = await send(author, 'POST', address, { body: 'Sorry.' });
    expect([status, Object.keys(json), json.is_developer_reply]).toEqual([201, REPLY, true]);
    const second = await send(author, 'POST', address, { body: 'Fixed.' });
    expect(second).toMatchObject({ status: 201, json: { id: json.id, body: 'Fixed.' } });
    const shown = (await app.anonymous.get(`${base}${id}/`)).json as Rated;
    expect([Object.keys(shown.reply ?? {}), shown.reply?.body]).toEqual([REPLY, 'Fixed.']);
    expect((await app.anonymous.get(`${base}${json.id}/`)).json).toMatchObject({ is_developer_reply: true });
    const can = async (client: Client) =>
      (await send(client, 'GET', `${base}?addon=${made.id}&show_permissions_for=${client.accountId}`)).json.can_reply;
    expect([await can(author), await can(visitor), await can(editor)]).toEqual([true, false, true]);
  });

  it('POST flag: is for others than the writer, 202, and changes the second time', async () => {
    const made = await make();
    const id = await rate(visitor, made, 2, 'Bad.');
    const address = `${base}${id}/flag/`;
    const spam = { flag: 'review_flag_reason_spam' };
    expect((await send(app.anonymous, 'POST', address, spam)).status).toBe(401);
    expect((await send(visitor, 'POST', address, spam)).status).toBe(403);
    expect(await send(other, 'POST', address, {})).toEqual({
      status: 400,
      json: { flag: ['This field is required.'] },
    });
    expect((await send(other, 'POST', address, { flag: 'x' })).status).toBe(400);
    expect(await send(other, 'POST', address, { flag: 'review_flag_reason_other' })).toMatchObject({
      status: 400,
      json: { note: [expect.any(String)] },
    });
    expect(await send(other, 'POST', address, spam)).toEqual({ status: 202, json: { msg: expect.any(String) } });
    expect(await send(other, 'POST', address, { flag: 'rating_flag_reason_spam', note: 'A note.' })).toMatchObject({
      status: 202,
    });
    const shown = await send(other, 'GET', `${base}?addon=${made.id}&show_flags_for=${other.accountId}`);
    expect((shown.json as unknown as List).results[0]?.flags).toEqual([
      { flag: 'review_flag_reason_other', note: 'A note.' },
    ]);
  });
});
