import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { type AddonFacts, addon } from '../support/factories.ts';

const app = setUpApp();
let author: Client;

beforeAll(async () => {
  author = await app.developer();
});

type Json = Record<string, unknown>;

describe('the values of the enumerations', () => {
  const shown = async (facts: AddonFacts, client = app.anonymous, path = '') => {
    const { id } = await addon({ authors: [author.accountId ?? 0], ...facts });
    return (await client.get(`/api/v4/addons/addon/${id}/${path}`)).json as Json;
  };

  it.each([
    ['extension', 1],
    ['theme', 2],
    ['dictionary', 3],
    ['search', 4],
    ['language', 5],
    ['persona', 9],
    ['statictheme', 10],
  ])('type %s is a field, and a parameter by name and by number %i', async (type, number) => {
    const facts: AddonFacts = { type, targetLocale: 'fr', featured: [{ app: 'suite_app' }], tags: [`a-${type}`] };
    expect((await shown(facts)).type).toBe(type);
    const paths = ['search/?', 'autocomplete/?', 'featured/?app=suite_app&'];
    for (const path of paths.flatMap((start) => [`${start}type=${type}`, `${start}type=${number}`])) {
      const { json } = await app.anonymous.get(`/api/v4/addons/${path}`);
      const { results } = json as { results: Json[] };
      expect(results.length, path).toBeGreaterThan(0);
      expect(new Set(results.map((each) => each.type))).toEqual(new Set([type]));
    }
  });

  it.each([
    'lite',
    'deleted',
    'pending',
    'disabled',
    'rejected',
    'nominated',
    'incomplete',
    'unreviewed',
    'lite-nominated',
    'review-pending',
  ])('status %s is of an add-on that is not public', async (status) => {
    const facts = { status, ...(status === 'deleted' ? { deletedAt: new Date(), slug: null } : {}) };
    expect(await shown(facts, await app.admin())).toMatchObject({ status, is_disabled: status === 'disabled' });
    const { id } = await addon(facts);
    expect((await app.anonymous.get(`/api/v4/addons/addon/${id}/`)).status).toBe(status === 'deleted' ? 404 : 401);
  });

  it('status public', async () => {
    expect(await shown({ status: 'public' })).toMatchObject({ status: 'public' });
  });

  it.each(['compatible', 'compatible-webextension', 'incompatible', 'unknown'])('e10s %s', async (e10s) => {
    expect(await shown({ e10s }, app.anonymous, 'feature_compatibility/')).toEqual({ e10s });
  });

  it.each(['all', 'mac', 'linux', 'android', 'windows'])(
    'platform %s, as a field and as a parameter',
    async (platform) => {
      const tag = `for-${platform}`;
      const facts: AddonFacts = { tags: [tag], versions: [{ files: [{ platform }] }] };
      const { current_version: version } = (await shown(facts)) as { current_version: { files: Json[] } };
      expect(version.files[0]?.platform).toBe(platform);
      for (const path of ['search', 'autocomplete']) {
        const { json } = await app.anonymous.get(`/api/v4/addons/${path}/?tag=${tag}&platform=${platform}`);
        expect((json as { results: Json[] }).results).toHaveLength(1);
      }
    },
  );

  it.each(['desktop_browser', 'mobile_browser', 'suite_app', 'mail_client'])(
    'application %s, as a key and as a parameter',
    async (name) => {
      const compatibility = { [name]: ['60.0', '60.*'] };
      const facts: AddonFacts = {
        type: 'language',
        targetLocale: 'it',
        tags: [`in-${name}`],
        categories: [{ app: name, slug: 'words' }],
        featured: [{ app: name, category: 'words' }],
        versions: [{ compatibility }],
      };
      const { id, categories, current_version: version } = (await shown(facts)) as Json & { current_version: Json };
      expect([categories, version.compatibility]).toEqual([
        { [name]: ['words'] },
        { [name]: { min: '60.0', max: '60.*' } },
      ]);
      const within = [
        `search/?app=${name}&appversion=60.1&tag=in-${name}`,
        `autocomplete/?app=${name}&appversion=60.1&tag=in-${name}`,
        `featured/?app=${name}&type=language&category=words`,
        `language-tools/?app=${name}&type=language&appversion=60.0`,
      ];
      for (const path of within) {
        const { json } = await app.anonymous.get(`/api/v4/addons/${path}`);
        expect([path, (json as { results: Json[] }).results.map((each) => each.id)]).toEqual([
          path,
          expect.arrayContaining([id]),
        ]);
      }
      const outside = await app.anonymous.get(`/api/v4/addons/search/?app=${name}&appversion=61.0&tag=in-${name}`);
      expect((outside.json as Json).count).toBe(0);
    },
  );

  it.each(['unlisted', 'listed'] as const)('channel %s', async (channel) => {
    const { id, versions } = await addon({ authors: [author.accountId ?? 0], versions: [{ channel }] });
    const path = `/api/v4/addons/addon/${id}/versions/${versions[0]?.id}/`;
    expect((await author.get(path)).json).toMatchObject({ channel });
  });

  it.each([1, 4, 5])('file status %i', async (status) => {
    const stage = { 1: 'awaiting_review', 4: 'signed', 5: 'rejected' }[status] ?? '';
    const { id, versions } = await addon({
      authors: [author.accountId ?? 0],
      versions: [{ stage, files: [{ status }] }],
    });
    const path = `/api/v4/addons/addon/${id}/versions/${versions[0]?.id}/`;
    expect((await author.get(path)).json).toMatchObject({ files: [{ status }] });
  });
});
