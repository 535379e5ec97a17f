import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import {
  type GraphQLObjectType,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { PAGE_SIZE, QUERY_LIMITS } from '../../src/graphql/query-cost.ts';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';

const app = setUpApp();

interface Result {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

async function send(query: string, variables: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ query, variables });
  const accept = { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' };
  const reply = await exchange(app.url, 'POST', '/graphql', { ...accept, ...headers }, body);
  return { status: reply.status, result: reply.json as Result };
}

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');

/** `a { a { … } }`, nested `levels` deep; the innermost field is __typename. */
const deep = (levels: number) => {
  const wraps = ['categories', 'name', 'all'];
  const opening = repeat(levels - 1, (index) => `${wraps[index] ?? 'x'} {`);
  return `{ ${opening} __typename ${'}'.repeat(levels - 1)} }`;
};

const aliases = (count: number) => `{ ${repeat(count, (index) => `a${index}: viewer { id }`)} }`;
const directives = (count: number) => `{ viewer ${repeat(count, () => '@include(if: true)')} { id } }`;

/** A valid document of `count` tokens, padded with a list of ids. */
const tokens = (count: number) => {
  const document = (ids: number) =>
    `mutation { updateAddon(input: { id: 1, categories: [${repeat(ids, () => '1')}] }) { __typename } }`;
  const others = document(0).match(/[a-z_]+|[^\s,]/gi)?.length ?? 0;
  return document(count - others);
};

describe('limits of a query', () => {
  it.each([
    ['the maximum of aliases', aliases(QUERY_LIMITS.aliases)],
    ['introspection', getIntrospectionQuery()],
    ['the introspection of an editor', getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true })],
  ])('allow %s', async (_what, query) => {
    expect(await send(query)).toMatchObject({ status: 200, result: { data: {} } });
    expect((await send(query)).result.errors).toBeUndefined();
  });

  it('allow the maximum of tokens', async () => {
    const { status, result } = await send(tokens(QUERY_LIMITS.tokens));
    expect(status).toBe(200);
    expect(result.data).toEqual({ updateAddon: { __typename: 'InvalidInputError' } });
  });

  const nested = (levels: number) =>
    `query { __typename ...F0 } ${repeat(levels, (index) => `fragment F${index} on Query { ...F${index + 1} }`)} fragment F${levels} on Query { __typename }`;

  it.each([
    ['one alias too many', aliases(QUERY_LIMITS.aliases + 1), /Aliases limit of 30 exceeded/],
    [
      'aliases hidden in fragments',
      `{ ...F ...F ...F ...F } fragment F on Query { ${aliases(8).slice(1, -1)} }`,
      /Aliases limit/,
    ],
    ['too many directives', directives(QUERY_LIMITS.directives + 1), /Directives limit of 30 exceeded/],
    ['one token too many', tokens(QUERY_LIMITS.tokens + 1), /Token limit of 2000 exceeded/],
    ['11 levels', deep(11), /depth limit of 10 exceeded, found 11/],
    ['a recursive fragment', '{ ...A } fragment A on Query { ...A }', /Cannot spread fragment "A" within itself/],
    ['a long chain of fragments', nested(400), /Token limit/],
  ])('refuse %s', async (_what, query, message) => {
    const { status, result } = await send(query);
    expect(status).toBe(400);
    expect(result.data ?? null).toBeNull();
    expect(result.errors?.map((error) => error.message).join()).toMatch(message);
  });

  it("count the depth of a fragment's fields, not the fragment itself", async () => {
    const chain = `{ ...A } fragment A on Query { ...B } fragment B on Query { ${deep(4).slice(1, -1)} }`;
    expect((await send(chain)).result.errors).toBeUndefined();
  });

  it('refuse several operations in one request', async () => {
    const body = JSON.stringify([{ query: '{ __typename }' }, { query: '{ __typename }' }]);
    const reply = await exchange(app.url, 'POST', '/graphql', { 'Content-Type': 'application/json' }, body);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('Batching is not supported');
  });
});

/** Lists that count as five items: they are short, or their items have neither lists nor other objects. */
const SHORT_LISTS = `
  AccountPrivate.apiKeys AccountPrivate.groups AccountPrivate.identities AccountPrivate.notifications AccountPrivate.sessions
  AccountPrivate.updateAddresses Addon.allAuthors Addon.authors Addon.categories Addon.channelStates Addon.groupedRatings Addon.icons
  Addon.openQuestions Addon.othersByAuthors Addon.previews Addon.updateAddresses AddonStatistics.applications AddonStatistics.days
  AddonStatistics.versions AddonVisibility.gaps AddonVisibility.reasons AuditEntry.accounts CompatOverride.versionRanges
  CompatOverrideRange.applications DecisionHistory.newest DiffHunk.lines DiffLine.tokens FieldError.reasons FileDiff.hunks
  InvalidInputError.fields JobHealth.tasks Localized.all OutgoingMail.headers Query.reviewQueueParts Query.reviewTimes Rating.flagCounts SearchFacets.applications
  SearchFacets.categories SearchFacets.locales SearchFacets.platforms SearchFacets.tags SearchFacets.types
  SourceExcerpt.lines TextLine.tokens UpdateNotificationsPayload.notifications Upload.files
  Upload.history Upload.sourceExcerpts Validation.messages Version.compatibility Version.files`
  .trim()
  .split(/\s+/);

describe('the cost of a query', () => {
  const addons =
    'addons(first: $n) { nodes { versions(first: $n) { nodes { id version url channel created reviewed } } } }';
  const codesOf = async (query: string, n?: number) =>
    ((await send(query, { n })).result.errors ?? []).map(({ extensions }) => extensions.code);

  it.each([
    ['the default page size', undefined, []],
    ['half of the maximum page size', PAGE_SIZE.max / 2, []],
    ['the maximum page size', PAGE_SIZE.max, ['QUERY_TOO_COMPLEX']],
  ])('is computed from variables: %s', async (_what, n, codes) => {
    expect(await codesOf(`query($n: Int) { ${addons} }`, n)).toEqual(codes);
  });

  it.each([PAGE_SIZE.max + 1, 10_000, 2_147_483_647])(
    'leaves the refusal of the page size %i to the field',
    async (n) => {
      const log = 'query($n: Int) { signatureLog(first: $n) { edges { node { id serial hash } } } }';
      expect(await codesOf(log, n)).toEqual(['BAD_USER_INPUT']);
    },
  );

  it('is the same for a literal, a default value and a variable in a fragment', async () => {
    for (const query of [
      `{ ${addons.replaceAll('$n', '100')} }`,
      `query($n: Int = 100) { ${addons} }`,
      `query($n: Int = 100) { ...F } fragment F on Query { ${addons} }`,
    ]) {
      expect(await codesOf(query)).toEqual(['QUERY_TOO_COMPLEX']);
    }
  });

  it('multiplies nested lists', async () => {
    const page = (inner: string) => `query($n: Int) { signatureLog(first: $n) { edges { node { ${inner} } } } }`;
    expect((await send(page('id'), { n: 100 })).result.errors).toBeUndefined();
    const versions = 'versions(first: $n) { nodes { files { name hash size } } }';
    expect(await codesOf(`query($n: Int) { addons(first: $n) { nodes { ${versions} } } }`, 100)).toEqual([
      'QUERY_TOO_COMPLEX',
    ]);
  });

  it.each([
    ['all language tools', (inner: string) => `{ languageTools(app: DESKTOP_BROWSER) { addon { ${inner} } } }`],
    ['a collection', (inner: string) => `{ collection(path: "x/y") { addons { ${inner} } } }`],
    ['the targets of replacements', (inner: string) => `{ replacements { nodes { addons { ${inner} } } } }`],
  ])('counts the items of lists without pages: %s', async (_what, list) => {
    expect((await send(list('id name { value }'))).result.errors?.[0]?.extensions.code).not.toBe('QUERY_TOO_COMPLEX');
    const versions = 'versions(first: 100) { nodes { id } }';
    expect((await send(list(versions))).result.errors?.[0]?.extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  it('counts searches, their facets and suggestions', async () => {
    const searches = (count: number) =>
      `{ ${repeat(count, (index) => `s${index}: search(q: "a", first: 1) { totalCount facets { types { count } } suggestion { q } }`)} }`;
    expect((await send(searches(5))).result.errors).toBeUndefined();
    expect((await send(searches(QUERY_LIMITS.aliases))).result.errors?.[0]?.extensions.code).toBe('QUERY_TOO_COMPLEX');
    const suggestions = (count: number) =>
      `{ ${repeat(count, (index) => `a${index}: autocomplete(q: "a") { name { value } }`)} }`;
    expect((await send(suggestions(10))).result.errors).toBeUndefined();
  });

  it('knows the length of every list of objects without pages', async () => {
    const { publicSchema } = await import('../../src/execution/schema.ts');
    const undeclared = Object.values(publicSchema.getTypeMap())
      .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
      .flatMap((type) => Object.values((type as GraphQLObjectType).getFields()).map((field) => ({ type, field })))
      .filter(({ field }) => isListType(getNullableType(field.type)) && isCompositeType(getNamedType(field.type)))
      .filter(({ field }) => !['edges', 'nodes', 'results'].includes(field.name))
      .filter(({ field }) => !field.args.some(({ name }) => name === 'first' || name === 'days'))
      .filter(({ field }) => field.extensions.items === undefined)
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect(undeclared.sort()).toEqual(SHORT_LISTS);
  });

  it('is checked before any mutation runs', async () => {
    const developer = await app.developer();
    const keys = () => app.sql('select id from api_key where account_id = $1', [developer.accountId]);
    const before = await keys();
    const { errors } = await developer.graphqlResult(
      `mutation($n: Int) {
        createApiKey(input: {}) { __typename }
        updateAddon(input: { id: 1 }) { ... on UpdateAddonPayload { addon { ${repeat(20, (index) => `v${index}: versions(first: $n) { nodes { files { id name hash size url } } }`)} } } }
      }`,
      { n: 100 },
    );
    expect(errors?.[0]?.extensions?.code).toBe('QUERY_TOO_COMPLEX');
    expect(await keys()).toEqual(before);
  });
});

describe('the size of a request', () => {
  const padded = (bytes: number) => {
    const body = JSON.stringify({ query: '{ __typename }', extensions: { pad: '' } });
    return body.replace('"pad":""', `"pad":"${'x'.repeat(bytes - body.length)}"`);
  };
  const post = (body: string, headers: Record<string, string> = {}) =>
    exchange(app.url, 'POST', '/graphql', { 'Content-Type': 'application/json', ...headers }, body);

  it('is at most 256 kB', async () => {
    expect((await post(padded(256 * 1024))).status).toBe(200);
  });

  it('is limited with and without a Content-Length', async () => {
    const body = padded(256 * 1024 + 1);
    expect((await post(body)).status).toBe(413);
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const streamed = httpRequest(`${app.url}/graphql`, { method: 'POST', headers });
    streamed.end(body);
    const [response] = await once(streamed, 'response');
    expect(response.resume().statusCode).toBe(413);
  });
});
