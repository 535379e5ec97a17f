import { readFile } from 'node:fs/promises';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SampleQuery } from '../../src/graphql/catalogue-samples.ts';
import { SCHEMA_FILE } from '../../src/graphql/print-schema.ts';
import { SAMPLE_QUERIES } from '../../src/graphql/sample-queries.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { xpi } from '../support/packages.ts';
import { openEventStream } from './sse-reader.ts';

let app: TestApp;
let developer: Client;
/** What the samples leave for their reader to fill in. */
let known: { ref: string; pk: string; addonId: string };

beforeAll(async () => {
  app = await startApp();
  developer = await app.developer();
  const ref = 'sample@example';
  const upload = await xpi({ guid: ref });
  const { pk } = (await developer.put(`/api/v4/addons/${ref}/versions/1.0/`, { upload })).json as { pk: string };
  const { addon } = await developer.graphql<{ addon: { id: string } }>(
    'query($ref: String!) { addon(ref: $ref) { id } }',
    { ref },
  );
  known = { ref, pk, addonId: addon.id };
});
afterAll(() => app.close());

function filledIn({ variables }: SampleQuery): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...variables };
  if ('ref' in filled) filled.ref = known.ref;
  if ('pk' in filled) filled.pk = known.pk;
  if ('input' in filled) filled.input = { ...(filled.input as object), id: known.addonId };
  return filled;
}

const nameOf = ({ query }: SampleQuery) => /^(?:query|mutation|subscription) (\w+)/m.exec(query)?.[1] ?? '';
const samples = SAMPLE_QUERIES.map((sample) => [nameOf(sample), sample] as const);

describe('the sample queries of the editor', () => {
  it('have names of their own and fit the schema', async () => {
    const schema = buildSchema(await readFile(SCHEMA_FILE, 'utf8'));
    expect(new Set(samples.map(([name]) => name)).size).toBe(samples.length);
    expect(samples.flatMap(([, { query }]) => validate(schema, parse(query)))).toEqual([]);
  });

  it.each(samples.filter(([name]) => name !== 'WatchUpload'))('%s answers', async (_name, sample) => {
    const data = await developer.graphql(sample.query, filledIn(sample));
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
