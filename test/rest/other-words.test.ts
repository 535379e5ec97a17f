/* An installation whose clients use other words than the contract (setting API_WORDS). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { setUpApp } from '../support/app.ts';
import { Client, type Reply } from '../support/client.ts';
import { addon } from '../support/factories.ts';

const WORDS = {
  desktop_browser: 'otter',
  mobile_browser: 'pocket-otter',
  is_disabled_by_vendor: 'is_disabled_by_otters',
  is_vendor_signed_extension: 'is_otter_signed',
  idp_id: 'otter_id',
  idp_edit_email_url: 'otter_edit_email_url',
  'X-SVC-Read-Only': 'X-Otter-Read-Only',
} as const;

const app = setUpApp({ settings: { API_WORDS: WORDS, SUPER_CREATE: true } });
let author: Client;
let creator: Client;

beforeAll(async () => {
  [author, creator] = [await app.developer(), await app.memberWith('Accounts:SuperCreate')];
  await addon({
    slug: 'swimmer',
    authors: [author.accountId ?? 0],
    status: 'public',
    name: { 'en-US': 'desktop_browser' },
    versions: [{ compatibility: { desktop_browser: ['58.0', '60.*'], mobile_browser: ['58.0', '*'] } }],
  });
});

type Json = Record<string, unknown>;

// Replies have words that the published documents do not have, so that they are not compared with these.
const unchecked = ({ url, credentials, accountId }: Client) => new Client(url, () => {}, credentials, accountId);

const send = (method: string, path: string, { client = app.anonymous, body }: { client?: Client; body: unknown }) =>
  unchecked(client).request(method, path, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const get = (path: string, client = app.anonymous): Promise<Reply> => unchecked(client).get(path);

describe.each(['v3', 'v4', 'v4dev'])('/api/%s/ with other words', (version) => {
  it('writes them in keys and in the header, and leaves texts alone', async () => {
    const { headers, json } = await get(`/api/${version}/addons/addon/swimmer/?lang=en-US`);
    const { current_version: current, name } = json as Json & { current_version: Json };
    expect(Object.keys(current['compatibility'] as Json)).toEqual(['otter', 'pocket-otter']);
    expect((current['files'] as Json[])[0]).toHaveProperty('is_otter_signed');
    expect(JSON.stringify(current)).not.toContain('is_vendor_signed_extension');
    expect(JSON.stringify(name)).toContain('"desktop_browser"');
    expect([headers['x-otter-read-only'], headers['x-svc-read-only']]).toEqual(['false', undefined]);
    expect(headers['access-control-expose-headers']).toMatch(/^X-Otter-Read-Only, /);
  });

  it('reads both in parameters, and no other one', async () => {
    const found = async (query: string) => {
      const { status, json } = await get(`/api/${version}/addons/search/?${query}`);
      return status === 200 ? (json as { count: number }).count : status;
    };
    for (const word of ['otter', 'desktop_browser']) expect([word, await found(`app=${word}`)]).toEqual([word, 1]);
    expect(await found('app=pond')).toBe(400);
    // A search text is no application.
    expect(await found('q=otter')).toBe(0);
  });

  it('writes the application of categories', async () => {
    const { json } = await get(`/api/${version}/addons/categories/`);
    const applications = new Set((json as Json[]).map(({ application }) => application));
    expect(applications).toContain('otter');
    expect(applications).not.toContain('desktop_browser');
  });
});

it('names the words in the ETag', async () => {
  const etagOf = async () => (await get('/api/v4/addons/addon/swimmer/')).headers['etag'];
  const before = await etagOf();
  app.config.API_WORDS = undefined;
  expect(await etagOf()).not.toBe(before);
  expect((await get('/api/v4/addons/addon/swimmer/')).headers['x-svc-read-only']).toBe('false');
  app.config.API_WORDS = WORDS;
  expect(await etagOf()).toBe(before);
});

describe('requests', () => {
  it('may have both words in bodies of the submission API', async () => {
    const { json } = await get('/api/v5/addons/addon/swimmer/', author);
    const { id } = (json as { current_version: { id: number } }).current_version;
    const path = `/api/v5/addons/addon/swimmer/versions/${id}/`;
    const edited = async (compatibility: unknown) => {
      const reply = await send('PATCH', path, { client: author, body: { compatibility } });
      expect(reply.status, reply.text).toBe(200);
      return (reply.json as Json)['compatibility'] as Json;
    };
    expect(await edited({ otter: { min: '59.0', max: '61.*' } })).toEqual({ otter: { min: '59.0', max: '61.*' } });
    expect(Object.keys(await edited(['desktop_browser', 'pocket-otter']))).toEqual(['otter', 'pocket-otter']);
  });

  it('may name a part of a form by either word', async () => {
    for (const name of ['otter_id', 'idp_id']) {
      const reply = await unchecked(creator).post('/api/v4/accounts/super-create/', { [name]: `known-as-${name}` });
      expect([reply.status, reply.json]).toMatchObject([201, { otter_id: `known-as-${name}` }]);
    }
  });

  it('are refused under the word that the client knows', async () => {
    await addon({ slug: 'sleeper', authors: [author.accountId ?? 0], status: 'disabled' });
    const { status, json } = await get('/api/v4/addons/addon/sleeper/');
    expect([status, json]).toMatchObject([401, { is_disabled_by_otters: true, is_disabled_by_developer: false }]);
  });

  it('that are nested as deeply as possible are no failure', async () => {
    const body = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ otter: inner }), 1);
    expect(
      (await send('PATCH', '/api/v5/addons/addon/swimmer/', { client: author, body: { categories: body } })).status,
    ).toBe(400);
  });
});

it('tells the state of the service in the own profile under v4', async () => {
  const statusOf = async (version: string) =>
    ((await get(`/api/${version}/accounts/profile/`, author)).json as Json)['site_status'];
  expect(await statusOf('v4')).toEqual({ read_only: false, notice: null });
  expect([await statusOf('v3'), await statusOf('v5')]).toEqual([undefined, undefined]);
});

it.each([
  ['v4', ['color-ink-80', []]],
  ['v3', ['#20123a', undefined]],
])('has what later front ends read under v4 alone: %s', async (version, expected) => {
  const hero = (await get(`/api/${version}/hero/`)).json as { primary: { gradient: Json } };
  const shown = (await get(`/api/${version}/addons/addon/swimmer/`)).json as { current_version: { files: Json[] } };
  const [file] = shown.current_version.files;
  expect([hero.primary.gradient['start'], file?.['optional_permissions']]).toEqual(expected);
});

it('writes them in the OpenAPI documents', async () => {
  const { text } = await get('/docs/openapi-v4.json');
  expect(text).toContain('"otter"');
  expect(text).toContain('"X-Otter-Read-Only"');
  for (const word of Object.keys(WORDS)) expect(text).not.toContain(`"${word}"`);
});

it('keeps the words of the contract in GraphQL', async () => {
  const data = await app.anonymous.graphql('{ categories { app } }');
  expect(JSON.stringify(data)).toContain('DESKTOP_BROWSER');
});

describe('the file of words', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'addons-words-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const wordsOf = async (content: string) => {
    const file = join(folder, 'words.json');
    await writeFile(file, content);
    return readConfig({ API_WORDS: file }).API_WORDS;
  };

  it('has a word for each that it replaces', async () => {
    expect(await wordsOf('{"mail_client": "letters"}')).toEqual({ mail_client: 'letters' });
  });

  it.each([
    'no JSON',
    '[]',
    '{"slug": "other"}',
    '{"idp_id": 5}',
    '{"idp_id": "with space"}',
    '{"idp_id": "suite_app"}',
    '{"idp_id": "same", "suite_app": "Same"}',
  ])('is refused: %s', async (content) => {
    await expect(wordsOf(content)).rejects.toThrow(ConfigError);
  });

  it('must exist', () => {
    expect(() => readConfig({ API_WORDS: join(folder, 'missing.json') })).toThrow(ConfigError);
  });
});
