import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let author: Client;
let stranger: Client;
let reviewer: Client;
let unlistedReviewer: Client;
let administrator: Client;
let mixed: MadeAddon;

const UNAUTHENTICATED = { detail: 'Authentication credentials were not provided.' };
const FORBIDDEN = { detail: 'You do not have permission to perform this action.' };

beforeAll(async () => {
  author = await app.developer();
  stranger = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
  unlistedReviewer = await app.memberWith('Addons:ReviewUnlisted');
  administrator = await app.admin();
  mixed = await addon({
    authors: [author.accountId ?? 0],
    versions: [
      { version: 'public', license: { builtin: 'MPL-2.0' }, releaseNotes: { 'en-US': 'First.', fr: 'Le premier.' } },
      { version: 'unlisted', channel: 'unlisted' },
      { version: 'deleted', deletedAt: new Date() },
      { version: 'waiting', stage: 'awaiting_review', files: [{ status: 1 }] },
      { version: 'rejected', stage: 'rejected', files: [{ status: 5 }] },
      { version: 'half', files: [{ status: 4 }, { status: 5, platform: 'mac' }] },
      { version: 'invalid', stage: 'invalid' },
      { version: 'newest', license: { name: { 'en-US': 'Own' }, text: { 'en-US': 'Text.' } } },
    ],
  });
});

const list = (query = '', made = mixed) => `/api/v4/addons/addon/${made.id}/versions/${query}`;
const one = (name: string, query = '', made = mixed) =>
  `/api/v4/addons/addon/${made.id}/versions/${idOf(name)}/${query}`;
const NAMES = ['public', 'unlisted', 'deleted', 'waiting', 'rejected', 'half', 'invalid', 'newest'];
const idOf = (name: string) => mixed.versions[NAMES.indexOf(name)]?.id;
const shown = (reply: Reply) =>
  (reply.json as { results: { version: string }[] }).results.map(({ version }) => version);

describe('GET /api/v4/addons/addon/(int:addon_id|string:addon_slug|string:addon_guid)/versions/', () => {
  it('lists the public versions, newest first, in the documented envelope', async () => {
    const reply = await app.anonymous.get(list());
    expect(Object.keys(reply.json as object).join(' ')).toBe('next previous page_size page_count count results');
    expect(reply.json).toMatchObject({ next: null, previous: null, page_size: 25, page_count: 1, count: 2 });
    expect(shown(reply)).toEqual(['newest', 'public']);
    const [newest, oldest] = (reply.json as { results: Record<string, Record<string, unknown>>[] }).results;
    expect(Object.keys(newest ?? {}).join(' ')).toBe(
      'id channel compatibility edit_url files license release_notes reviewed is_strict_compatibility_enabled url version',
    );
    expect(newest?.license).toEqual({
      id: expect.any(Number),
      is_custom: true,
      name: { 'en-US': 'Own' },
      text: { 'en-US': 'Text.' },
      url: null,
    });
    expect(Object.keys(newest?.license ?? {}).join(' ')).toBe('id is_custom name text url');
    expect(oldest?.license).toMatchObject({
      is_custom: false,
      text: null,
      url: 'https://spdx.org/licenses/MPL-2.0.html',
    });
    expect(oldest?.release_notes).toEqual({ 'en-US': 'First.', fr: 'Le premier.' });
  });

  it('returns one language with lang, the same under each API version', async () => {
    const notes = async (api: string, lang: string) =>
      ((await app.anonymous.get(list(lang).replace('v4', api))).json as { results: { release_notes: unknown }[] })
        .results[1]?.release_notes;
    expect(await notes('v4', '?lang=fr')).toBe('Le premier.');
    expect(await notes('v3', '?lang=fr-CA')).toBe('Le premier.');
    expect(await notes('v4dev', '?lang=fr-CA')).toEqual({ fr: 'Le premier.' });
    const [v3, v4] = [await app.anonymous.get(list().replace('v4', 'v3')), await app.anonymous.get(list())];
    expect(v3.json).toEqual(v4.json);
  });

  it.each([
    ['all_without_unlisted', ['newest', 'half', 'rejected', 'waiting', 'public']],
    ['all_with_unlisted', ['newest', 'half', 'rejected', 'waiting', 'unlisted', 'public']],
    ['all_with_deleted', ['newest', 'half', 'rejected', 'waiting', 'deleted', 'unlisted', 'public']],
  ])('shows more versions to viewers with access with filter %s', async (filter, names) => {
    const allowed =
      {
        all_without_unlisted: [author, reviewer, administrator],
        all_with_unlisted: [author, unlistedReviewer, administrator],
        all_with_deleted: [administrator],
      }[filter] ?? [];
    for (const client of allowed) expect(shown(await client.get(list(`?filter=${filter}`)))).toEqual(names);
    for (const client of [stranger, author, reviewer, unlistedReviewer].filter((each) => !allowed.includes(each))) {
      const reply = await client.get(list(`?filter=${filter}`));
      expect([reply.status, reply.json]).toEqual([403, FORBIDDEN]);
    }
    const anonymous = await app.anonymous.get(list(`?filter=${filter}`));
    expect([anonymous.status, anonymous.json]).toEqual([401, UNAUTHENTICATED]);
  });

  it('requires the documented permission for filter all_with_deleted', async () => {
    const archivist = await app.memberWith('Addons:ViewDeleted');
    expect(shown(await archivist.get(list('?filter=all_with_deleted')))).toContain('deleted');
    expect((await archivist.get(one('deleted'))).status).toBe(200);
    const reply = await archivist.get(list('?filter=all_with_unlisted'));
    expect([reply.status, reply.json]).toEqual([403, FORBIDDEN]);
  });

  it('refuses an unknown filter and ignores an empty one', async () => {
    for (const filter of ['nonsense', 'ALL_WITH_DELETED', '__proto__', '%00', 'x'.repeat(4096)]) {
      const reply = await app.anonymous.get(list(`?filter=${filter}`));
      expect([reply.status, reply.json]).toEqual([
        400,
        { filter: [beginningWith('Invalid "filter" parameter specified. ')] },
      ]);
    }
    expect(shown(await app.anonymous.get(list('?filter=')))).toEqual(['newest', 'public']);
  });

  it('returns one empty page without public versions', async () => {
    const empty = await addon({
      authors: [author.accountId ?? 0],
      status: 'nominated',
      versions: [{ files: [{ status: 1 }] }],
    });
    expect((await author.get(list('', empty))).json).toEqual({
      next: null,
      previous: null,
      page_size: 25,
      page_count: 1,
      count: 0,
      results: [],
    });
  });
});

describe('pages', () => {
  let many: MadeAddon;
  beforeAll(async () => {
    many = await addon({ slug: 'many', versions: Array.from({ length: 60 }, () => ({})) });
  });
  const page = (query: string) => app.anonymous.get(`/api/v4/addons/addon/many/versions/${query}`);

  it('link to their neighbours, keeping the other parameters', async () => {
    const base = `${app.url}/api/v4/addons/addon/many/versions/`;
    expect((await page('?page_size=25&lang=de')).json).toMatchObject({
      next: `${base}?page_size=25&lang=de&page=2`,
      previous: null,
      page_size: 25,
      page_count: 3,
      count: 60,
    });
    const second = (await page('?page=2&lang=de')).json;
    expect(second).toMatchObject({ next: `${base}?page=3&lang=de`, previous: `${base}?lang=de` });
    const third = await page('?page=3');
    expect(third.json).toMatchObject({ next: null, previous: `${base}?page=2` });
    expect(shown(third)).toHaveLength(10);
    const whole = [...shown(await page('')), ...shown(await page('?page=2')), ...shown(third)];
    expect(whole).toEqual(Array.from({ length: 60 }, (_, index) => `${60 - index}.0`));
    expect(many.versions).toHaveLength(60);
  });

  it.each([
    ['page_size=51', 50],
    ['page_size=1000000', 50],
    ['page_size=0', 25],
    ['page_size=-3', 25],
    ['page_size=many', 25],
    ['page_size=', 25],
    ['page_size=1', 1],
  ])('clamp %s to %i', async (query, size) => {
    expect((await page(`?${query}`)).json).toMatchObject({ page_size: size, page_count: Math.ceil(60 / size) });
  });

  it.each(['0', '-1', '4', 'last', '', '1.5', '99999999999999999999', '%00', '%F0%9F%92%A9'])(
    'refuse page=%s',
    async (number) => {
      const reply = await page(`?page=${number}`);
      expect([reply.status, reply.json]).toEqual([404, { detail: beginningWith('Invalid page. ') }]);
    },
  );
});

describe('GET /api/v4/addons/addon/(int:addon_id|string:addon_slug|string:addon_guid)/versions/(int:id)/', () => {
  it('returns one version', async () => {
    const reply = await app.anonymous.get(one('public'));
    expect(reply.json).toMatchObject({ id: idOf('public'), version: 'public', license: { is_custom: false } });
    expect((await app.anonymous.get(one('public', '?lang=fr'))).json).toMatchObject({ release_notes: 'Le premier.' });
    expect((await statementsDuring(() => app.anonymous.get(one('public')))).length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['unlisted', [401, 403, 200, 403, 200]],
    ['waiting', [401, 403, 200, 200, 403]],
    ['rejected', [401, 403, 200, 200, 403]],
    ['half', [401, 403, 200, 200, 403]],
    ['deleted', [404, 404, 404, 404, 404]],
    ['invalid', [404, 404, 200, 200, 404]],
  ])('%s: an anonymous viewer, stranger, author, reviewer and unlisted reviewer get %j', async (name, expected) => {
    const clients = [app.anonymous, stranger, author, reviewer, unlistedReviewer];
    const replies = await Promise.all(clients.map((client) => client.get(one(name))));
    expect(replies.map(({ status }) => status)).toEqual(expected);
    const bodies = { 401: UNAUTHENTICATED, 403: FORBIDDEN, 404: { detail: 'Not found.' } } as Record<number, unknown>;
    for (const { status, json } of replies.filter(({ status: code }) => code !== 200))
      expect(json).toEqual(bodies[status]);
    expect((await administrator.get(one(name))).status).toBe(200);
  });

  it('returns 404 for versions of other add-ons and unknown ids', async () => {
    const other = await addon();
    const id = other.versions[0]?.id;
    for (const path of [
      `${list()}${id}/`,
      `${list()}2000000000/`,
      `${list()}99999999999999999999/`,
      `${list()}0/`,
      `${list()}-1/`,
      `${list()}last/`,
    ]) {
      const reply = await author.get(path);
      expect([reply.status, reply.json]).toEqual([404, { detail: 'Not found.' }]);
    }
    expect((await author.get(`${list()}1.0/`)).status).toBe(404);
  });

  it('refuses a filter', async () => {
    const reply = await author.get(one('public', '?filter=all_with_unlisted'));
    expect([reply.status, reply.json]).toEqual([
      400,
      { filter: [beginningWith('The "filter" parameter is not valid in this context. ')] },
    ]);
  });
});

describe('versions(…) in GraphQL', () => {
  const query = `query($ref: String!, $after: String, $before: String, $first: Int, $last: Int) { addon(by: { slug: $ref }) {
    versions(first: $first, last: $last, after: $after, before: $before) {
      totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { version } } } } }`;
  interface Page {
    addon: {
      versions: {
        totalCount: number;
        pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
        edges: { node: { version: string } }[];
      };
    };
  }
  const read = async (variables: Record<string, unknown>) =>
    (await app.anonymous.graphql<Page>(query, { ref: 'keyed', ...variables })).addon.versions;

  it('pages forwards and backwards by cursor', async () => {
    await addon({ slug: 'keyed', versions: Array.from({ length: 7 }, () => ({})) });
    const names = ({ edges }: Awaited<ReturnType<typeof read>>) => edges.map(({ node }) => node.version);
    const first = await read({ first: 3 });
    expect([names(first), first.totalCount]).toEqual([['7.0', '6.0', '5.0'], 7]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await read({ first: 3, after: first.pageInfo.endCursor });
    expect(names(second)).toEqual(['4.0', '3.0', '2.0']);
    expect(names(await read({ first: 3, after: second.pageInfo.endCursor }))).toEqual(['1.0']);
    expect(names(await read({ last: 2, before: second.pageInfo.startCursor }))).toEqual(['6.0', '5.0']);
    expect(names(await read({ last: 2 }))).toEqual(['2.0', '1.0']);
    const refused = await app.anonymous.graphqlResult(query, { ref: 'keyed', after: 'nonsense' });
    expect(refused.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});
