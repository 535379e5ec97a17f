import { readFile } from 'node:fs/promises';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/demo/catalogue.ts';
import type { SampleQuery } from '../../src/graphql/catalogue-samples.ts';
import { SCHEMA_FILE } from '../../src/graphql/print-schema.ts';
import { SAMPLE_QUERIES } from '../../src/graphql/sample-queries.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon as addonMade } from '../support/factories.ts';
import { xpi } from '../support/packages.ts';
import { openEventStream } from './sse-reader.ts';

let app: TestApp;
let developer: Client;
let curator: Client;
/** What the samples leave for their reader to fill in. */
let known: { ref: string; pk: string; addonId: string; versionId: string; publicId: string; username: string };

beforeAll(async () => {
  app = await startApp();
  developer = await app.developer();
  const ref = 'sample@example';
  const upload = await xpi({ guid: ref });
  const { pk } = (await developer.put(`/api/v4/addons/${ref}/versions/1.0/`, { upload })).json as { pk: string };
  const listed = await addonMade({ authors: [developer.accountId ?? 0] });
  const { addon, offered } = await developer.graphql<{
    addon: { id: string };
    offered: { versions: { edges: { node: { id: string } }[] } };
  }>(
    `query($ref: String!, $listed: String!) {
      addon(ref: $ref) { id }
      offered: addon(ref: $listed) { versions(first: 1) { edges { node { id } } } } }`,
    { ref, listed: String(listed.id) },
  );
  curator = await app.memberWith('Admin:Curation');
  const [colleague] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
    curator.accountId,
  ]);
  known = {
    ref,
    pk,
    addonId: addon.id,
    versionId: offered.versions.edges[0]?.node.id ?? '',
    publicId: String(listed.id),
    username: colleague?.username ?? '',
  };
});
afterAll(() => app.close());

function filledIn(sample: SampleQuery): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...sample.variables };
  if ('ref' in filled) filled.ref = known.ref;
  if ('pk' in filled) filled.pk = known.pk;
  if ('input' in filled) filled.input = filledInput(nameOf(sample), filled.input as Record<string, unknown>);
  return filled;
}

function filledInput(name: string, input: Record<string, unknown>): Record<string, unknown> {
  const ids: Record<string, string> = { UpdateVersion: known.versionId, SetFeatured: known.publicId };
  return {
    ...input,
    id: ids[name] ?? known.addonId,
    ...('account' in input ? { account: { username: known.username } } : {}),
  };
}

const nameOf = ({ query }: SampleQuery) => /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? '';
const samples = SAMPLE_QUERIES.map((sample) => [nameOf(sample), sample] as const);

describe('the sample queries of the editor', () => {
  it('have names of their own and fit the schema', async () => {
    const schema = buildSchema(await readFile(SCHEMA_FILE, 'utf8'));
    expect(new Set(samples.map(([name]) => name)).size).toBe(samples.length);
    expect(samples.flatMap(([, { query }]) => validate(schema, parse(query)))).toEqual([]);
  });

  it('ask for an add-on that there is in the demo', () => {
    const asked = SAMPLE_QUERIES.flatMap(({ variables: { ref, guid } }) => [ref, guid]).filter(Boolean);
    const known = CATALOGUE.flatMap(({ guid, listing }) => [guid, listing?.slug]);
    expect(asked.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(asked));
  });

  it.each(samples.filter(([name]) => name !== 'WatchUpload'))('%s answers', async (name, sample) => {
    const data = await (name === 'SetFeatured' ? curator : developer).graphql(sample.query, filledIn(sample));
    expect(Object.values(data)).not.toContain(null);
    expect(JSON.stringify(data)).not.toContain('"code"');
  });

  it('WatchUpload shows the present stage', async () => {
    const sample = SAMPLE_QUERIES.find((each) => nameOf(each) === 'WatchUpload') as SampleQuery;
    const stream = await openEventStream(app.url, sample.query, filledIn(sample));
    expect(await stream.next()).toMatchObject({ data: { uploadChanged: { stage: 'RECEIVED' } } });
    stream.close();
  });
});

describe('the editor', () => {
  const page = (headers: Record<string, string> = {}) =>
    app.anonymous.get('/graphql', { Accept: 'text/html', ...headers });

  it('is a page that brings everything with it', async () => {
    const reply = await page();
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const html = reply.text;
    // What the page itself would load; the scripts inside of it may only reach us, by the policy below.
    const markup = html.replace(/<script>[\s\S]*<\/script>/, '').replace(/<style>[\s\S]*?<\/style>/, '');
    expect(markup).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(html).not.toMatch(/<script[^>]+src=|@import\s+(?:url\()?["']?https?:|url\(["']?https?:/);
    const policy = String(reply.headers['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "connect-src 'self'", 'worker-src blob:']));
    expect(policy.join(' ')).not.toMatch(/https?:|\*/);
  });

  it('offers the samples', async () => {
    const { text } = await page();
    for (const [name] of samples) expect(text).toContain(name);
  });

  it('keeps its tabs where they are when they are pressed', async () => {
    const { text } = await page();
    // The style stands in the head, behind the editor's own, which allows a pressed tab to jump.
    expect(text.slice(0, text.indexOf('<body'))).toMatch(
      /\.graphiql-tab \{ transform: none !important; \}<\/style><\/head>/,
    );
  });

  it('is sent packed and once', async () => {
    const packed = await page({ 'Accept-Encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.bytes.length).toBeLessThan(4_000_000);
    expect((await page({ 'If-None-Match': String(packed.headers.etag) })).status).toBe(304);
  });

  it('is for browsers; programs get answers', async () => {
    const reply = await app.anonymous.get('/graphql?query=%7B__typename%7D', { Accept: 'application/json' });
    expect(reply.json).toEqual({ data: { __typename: 'Query' } });
  });
});
