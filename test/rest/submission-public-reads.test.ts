/* Reads that programs without credentials send to API v5: the paths of v4, the objects of v5. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { fullCatalogue } from '../support/full-catalogue.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let author: Client;

type Json = Record<string, unknown>;

beforeAll(async () => {
  author = await app.developer();
  await fullCatalogue([author.accountId ?? 0]);
});

const read = async <Body = Json>(path: string): Promise<Body> => {
  const reply = await app.anonymous.get(`/api/v5${path}`);
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.json as Body;
};
const resultsOf = async (path: string) => (await read<{ results: Json[] }>(path)).results;

describe('under v5 an anonymous client reads', () => {
  it('search results as the add-on of v5, without licence and release notes', async () => {
    const [hit] = await resultsOf('/addons/search/?guid=full@catalogue.example');
    const { latest_unlisted_version, ...detail } = await read('/addons/addon/full/');
    expect(latest_unlisted_version).toBeUndefined();
    expect(Object.keys(hit ?? {})).toEqual([...Object.keys(detail), '_score']);
    expect(hit).toMatchObject({
      name: { 'en-US': 'Clock', de: 'Uhr', 'pt-BR': 'Relógio' },
      homepage: { url: { 'en-US': 'https://clock.example/' }, outgoing: expect.anything() },
    });
    const version = hit?.current_version as Json;
    expect(Object.keys(version)).toEqual(
      Object.keys(detail.current_version as Json).filter((key) => key !== 'license' && key !== 'release_notes'),
    );
    expect(version.file).toEqual((detail.current_version as Json).file);
    const [translated] = await resultsOf('/addons/search/?guid=full@catalogue.example&lang=de');
    expect(translated?.name).toEqual({ de: 'Uhr' });
  });

  it('the same add-ons in the same order as under v4, with as many statements', async () => {
    for (const query of ['q=clock', 'sort=users', 'type=extension,persona&page_size=2', 'app=desktop_browser']) {
      const { results } = (await app.anonymous.get(`/api/v4/addons/search/?${query}`)).json as { results: Json[] };
      expect((await resultsOf(`/addons/search/?${query}`)).map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    }
    const statements = await statementsDuring(() => read('/addons/search/?sort=created'));
    expect(statements.length).toBeLessThanOrEqual(3);
  });

  it('suggestions, language tools and policies with texts by language', async () => {
    const [suggested] = await resultsOf('/addons/autocomplete/?q=clock&lang=de');
    expect(suggested?.name).toEqual({ de: 'Uhr' });
    expect(Object.keys(suggested ?? {})).toEqual(['id', 'icon_url', 'name', 'type', 'url']);
    const tools = await resultsOf('/addons/language-tools/?app=desktop_browser&type=language&appversion=60.0');
    const { results: ofV4 } = (
      await app.anonymous.get('/api/v4/addons/language-tools/?app=desktop_browser&type=language&appversion=60.0')
    ).json as { results: Json[] };
    expect(tools.map(({ id }) => id)).toEqual(ofV4.map(({ id }) => id));
    expect(tools.length).toBeGreaterThan(0);
    const version = tools[0]?.current_compatible_version as Json;
    expect(Object.keys(version)).toEqual(['id', 'file', 'reviewed', 'version']);
    expect(await read('/addons/addon/full/eula_policy/?lang=de')).toEqual({
      eula: { 'en-US': 'Agree.' },
      privacy_policy: { de: 'Nichts wird behalten.' },
    });
  });

  it('public accounts with the keys of v4', async () => {
    const path = `/accounts/account/${author.accountId}/`;
    const ofV4 = await app.anonymous.get(`/api/v4${path}`);
    expect([ofV4.status, await read(path)]).toEqual([200, ofV4.json]);
    expect((await app.anonymous.get('/api/v5/accounts/account/999999/')).json).toEqual({ detail: 'Not found.' });
  });

  it('refusals by parameter', async () => {
    const refused = await app.anonymous.get('/api/v5/addons/search/?app=toaster');
    expect([refused.status, refused.json]).toEqual([400, { app: [beginningWith('Invalid "app" parameter. ')] }]);
    const beyond = await app.anonymous.get('/api/v5/addons/search/?page=999');
    expect([beyond.status, beyond.json]).toEqual([404, { detail: beginningWith('Invalid page. ') }]);
  });
});
