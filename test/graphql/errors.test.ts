import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();

const CATEGORIES = '{ categories { id } }';

/** Runs `work` while a table is missing, which causes an error that no resolver expects. */
async function whileBroken<T>(work: () => Promise<T>): Promise<T> {
  await app.sql('alter table category rename to category_away');
  try {
    return await work();
  } finally {
    await app.sql('alter table category_away rename to category');
  }
}

describe('an unexpected error', () => {
  it('shows only the request id', async () => {
    const requestId = randomUUID();
    const headers = { 'Content-Type': 'application/json', 'X-Request-Id': requestId };
    const body = JSON.stringify({ query: CATEGORIES });
    const reply = await whileBroken(() => exchange(app.url, 'POST', '/graphql', headers, body));
    expect(reply.json).toMatchObject({
      errors: [{ message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } }],
    });
    expect(reply.text).not.toMatch(/category_away|prisma|relation|invocation|\/src\//i);
  });
});

describe('an expected error', () => {
  it('keeps its message, code and details as a top-level error of a query', async () => {
    const { errors } = await app.anonymous.graphqlResult('{ addon(by: { slug: "nothing-of-this-name" }) { id } }');
    expect(errors).toMatchObject([{ message: 'Not found.', path: ['addon'], extensions: { code: 'NOT_FOUND' } }]);
  });

  it('is a member of the result of a mutation', async () => {
    const admin = await app.admin();
    const update = `mutation($id: ID!) { updateAddon(input: { id: $id }) { __typename
      ... on UserError { code message path } ... on InvalidInputError { fields { name messages } } } }`;
    expect((await admin.graphql(update, { id: globalId('Addon', 2_147_483_647) })).updateAddon).toEqual({
      __typename: 'NotFoundError',
      code: 'NOT_FOUND',
      message: 'Not found.',
      path: [],
    });
    for (const id of ['nonsense', '12', globalId('Version', 12)]) {
      const message = `Expected a global id of type "Addon", got "${id}".`;
      expect((await admin.graphql(update, { id })).updateAddon).toEqual({
        __typename: 'InvalidInputError',
        code: 'BAD_USER_INPUT',
        message,
        path: ['id'],
        fields: [{ name: 'id', messages: [message] }],
      });
    }
  });

  it('is a member of the union that both review mutations share', async () => {
    const admin = await app.admin();
    const id = globalId('Version', 99);
    const review = `mutation { approveVersion(input: { id: "${id}" }) { __typename } rejectVersion(input: { id: "${id}" }) { __typename } }`;
    expect(await admin.graphql(review)).toEqual({
      approveVersion: { __typename: 'NotFoundError' },
      rejectVersion: { __typename: 'NotFoundError' },
    });
  });

  it('is a top-level error of a mutation for anonymous callers', async () => {
    const { errors } = await app.anonymous.graphqlResult(
      `mutation { updateAddon(input: { id: "${globalId('Addon', 1)}" }) { __typename } }`,
    );
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_AUTHENTICATED' } }]);
  });
});

describe('read-only mode', () => {
  it("refuses mutations in the client's language, and allows queries", async () => {
    const developer = await app.developer();
    app.config.READ_ONLY = true;
    app.config.RETRY_AFTER = 120;
    try {
      const mutation = JSON.stringify({ query: 'mutation { createApiKey(input: {}) { __typename } }' });
      const headers = { 'Content-Type': 'application/json', 'Accept-Language': 'de', ...developer.authorization() };
      const refused = await exchange(app.url, 'POST', '/graphql', headers, mutation);
      expect(refused.json).toMatchObject({
        errors: [{ message: expect.stringContaining('Wartungsarbeiten'), extensions: { code: 'READ_ONLY' } }],
      });
      expect(refused.headers['x-svc-read-only']).toBe('true');
      expect((await developer.graphql<{ viewer: unknown }>('{ viewer { id } }')).viewer).not.toBeNull();
      const named = { query: 'query A { viewer { id } } mutation B { createApiKey(input: {}) { __typename } }' };
      const both = (operationName: string) =>
        developer.request('POST', '/graphql', {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...named, operationName }),
        });
      expect((await both('A')).text).not.toContain('READ_ONLY');
      expect((await both('B')).text).toContain('READ_ONLY');
      const upload = await developer.post('/graphql', { operations: '{}' }, { 'X-GraphQL-Yoga-CSRF': '1' });
      expect([upload.status, upload.headers['x-svc-read-only']]).toEqual([503, 'true']);
      expect([refused.headers['retry-after'], upload.headers['retry-after']]).toEqual(['120', '120']);
    } finally {
      app.config.READ_ONLY = false;
      app.config.RETRY_AFTER = undefined;
    }
  });
});

describe('node', () => {
  const node = (id: string) => [`query($id: ID!) { node(id: $id) { id __typename } }`, { id }] as const;
  const NOT_FOUND = { data: { node: null }, errors: [{ path: ['node'], extensions: { code: 'NOT_FOUND' } }] };
  let addonId: number;
  let versionId: number;

  beforeAll(async () => {
    const developer = await app.developer();
    await developer.put('/api/v4/addons/n@example/versions/1.0/', { upload: await xpi({ guid: 'n@example' }) });
    const [row] = await app.sql<{ id: number; addon_id: number }>('select id, addon_id from version');
    addonId = row?.addon_id ?? 0;
    versionId = row?.id ?? 0;
  });

  it('shows an add-on and its versions only to viewers with access', async () => {
    const reviewer = await app.reviewer();
    for (const [type, id] of [
      ['Addon', addonId],
      ['Version', versionId],
    ] as const) {
      expect((await reviewer.graphql(...node(globalId(type, id)))).node).toMatchObject({ __typename: type });
      expect(await app.anonymous.graphqlResult(...node(globalId(type, id)))).toMatchObject(NOT_FOUND);
    }
  });

  it.each(['', 'x', globalId('Nothing', 1)])('refuses %j, which is not a global id', async (id) => {
    const { errors } = await app.anonymous.graphqlResult(...node(id));
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});

describe('a DateTime', () => {
  const createdSince = (at: string) =>
    app.anonymous.graphqlResult(
      'query($at: DateTime) { addons(first: 1, filter: { createdSince: $at }) { totalCount } }',
      { at },
    );

  it.each([
    '2018-10-25T09:30:00Z',
    '2018-10-25t09:30:00.123456z',
    '2018-10-25T09:30:00.5-11:30',
    '2028-02-29T23:59:59+00:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('can be %s', async (at) => {
    expect(await createdSince(at)).toEqual({ data: { addons: { totalCount: 0 } } });
  });

  it.each([
    '',
    '2018-10-25',
    '2018-10-25 09:30:00Z',
    '2018-10-25T09:30:00',
    '2018-10-25T09:30Z',
    '25 October 2018 09:30:00 GMT',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2030-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2030-00-01T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-01-01T24:00:00Z',
    '2030-01-01T00:00:60Z',
    '2030-01-01T00:00:00+24:00',
    '2030-01-01T00:00:00Z\n',
  ])('cannot be %j', async (at) => {
    const { errors } = await createdSince(at);
    expect(errors?.[0]?.message).toMatch(/A DateTime looks like 2018-10-25T09:30:00Z\.$/);
  });
});
