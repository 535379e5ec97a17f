import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { Params } from '../../src/http/params.ts';
import type { PublicInput } from '../../src/rest/item-cache.ts';
import type { Input } from '../../src/rest/route.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { Reply } from '../support/client.ts';
import { addon } from '../support/search/catalogue.ts';
import { statementsDuring } from '../support/statements.ts';

let app: TestApp;

const PATH = '/api/v4/addons/search/?q=kept&page_size=50';
const DESCRIPTION = 'Ünusual – 日本語 <a href="https://kept.example/">More</a>';
const linksIn = (text: string) => text.match(/\/outgoing\/[0-9a-f]{64}/g) ?? [];

beforeAll(async () => {
  app = await startApp();
  const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
  await loadCatalogue(
    Array.from({ length: 30 }, (_, index) =>
      addon(index + 1, `Kept ${index}`, 1_000 - index, 'Summary', { description: { 'en-US': DESCRIPTION } }),
    ),
  );
});
afterAll(() => app.close());

const headersOf = ({ headers }: Reply) =>
  ['etag', 'content-type', 'content-length', 'vary', 'cache-control', 'x-svc-read-only'].map((name) => headers[name]);

async function rename(id: number, name: string): Promise<void> {
  const { db } = await import('../../src/infra/db.ts');
  const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
  await db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id }, data: { name: { 'en-US': name } } });
    await publishAddons(tx, [id]);
  });
}

/** The response of another process, whose cache is empty. */
async function readUncached(path: string): Promise<{ body: string }> {
  vi.resetModules();
  const { config } = await import('../../src/config.ts');
  Object.assign(config, app.config);
  const { closeDatabase, useDatabase } = await import('../../src/infra/db.ts');
  useDatabase(config.DATABASE_URL ?? '');
  const { createApp } = await import('../../src/app.ts');
  const { startWebServer } = await import('../../src/http/listener.ts');
  const server = await startWebServer(createApp);
  const body = await (await fetch(server.url + path)).text();
  await server.stop(100);
  await closeDatabase();
  return { body };
}

describe('a page of search results', () => {
  it('has the same body, headers and statements when it comes from the cache', async () => {
    const first = await app.anonymous.get(PATH);
    let second = first;
    const statements = await statementsDuring(async () => {
      second = await app.anonymous.get(PATH);
    });
    expect(second.text).toBe(first.text);
    expect(headersOf(second)).toEqual(headersOf(first));
    expect(statements).toHaveLength(2);
  });

  it('changes with an add-on on the page', async () => {
    const before = await app.anonymous.get(PATH);
    await rename(3, 'Kept again');
    const after = await app.anonymous.get(PATH);
    expect(after.text).toContain('Kept again');
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const { db } = await import('../../src/infra/db.ts');
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    await db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id: 3 }, data: { isDisabledByDeveloper: true } });
      await publishAddons(tx, [3]);
    });
    expect((await app.anonymous.get(PATH)).text).not.toContain('Kept again');
  });

  it('is the same whether few, all or none of its add-ons are cached', async () => {
    const ids = (page: string) => (JSON.parse(page) as { results: { id: number }[] }).results.map(({ id }) => id);
    const whole = await app.anonymous.get(`${PATH}&lang=de`);
    for (const index of [0, 7, 28]) await rename(ids(whole.text)[index] ?? 0, `Renamed ${index}`);
    const partly = await app.anonymous.get(`${PATH}&lang=de`);
    const { body: fresh } = await readUncached(`${PATH}&lang=de`);
    expect(partly.text).toBe(fresh);
    expect(partly.text).not.toBe(whole.text);
    expect(ids(partly.text)).toEqual(ids(fresh));
  });

  it('is cached per language, API version and link wrapping', async () => {
    const texts = new Set<string>();
    for (const path of [
      PATH,
      `${PATH}&lang=en-US`,
      PATH.replace('v4', 'v3'),
      `${PATH}&lang=en-US&wrap_outgoing_links`,
    ]) {
      const [one, other] = [await app.anonymous.get(path), await app.anonymous.get(path)];
      expect(other.text).toBe(one.text);
      texts.add(one.text);
    }
    expect(texts.size).toBeGreaterThanOrEqual(3);
    const german = await app.anonymous.get(PATH, { 'accept-language': 'de' });
    expect(german.headers.etag).not.toBe((await app.anonymous.get(PATH)).headers.etag);
  });

  it('changes with the signing key of links', async () => {
    const read = (key: string, tag = '') => {
      app.config.SECRET_KEY = key;
      return app.anonymous.get(PATH, { 'if-none-match': tag });
    };
    const [one, other] = ['the key that links are signed with', 'the key after the loss of that one'];
    const before = await read(one);
    const after = await read(other, before.headers.etag);
    expect(after.status).toBe(200);
    expect(linksIn(before.text)).not.toEqual([]);
    expect(linksIn(after.text)).not.toEqual(linksIn(before.text));
    expect(linksIn((await read(one)).text)).toEqual(linksIn(before.text));
    app.config.SECRET_KEY = undefined;
  });

  it('is not sent for a matching ETag', async () => {
    const tag = (await app.anonymous.get(PATH)).headers.etag ?? '';
    const again = await app.anonymous.get(PATH, { 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('the cache of search results', () => {
  it('is open only to routes whose declaration ignores credentials', () => {
    expectTypeOf<Input<Params, Params, 'ignored'>>().toExtend<PublicInput>();
    expectTypeOf<Input<Params, Params, 'optional'>>().not.toExtend<PublicInput>();
    expectTypeOf<Input<Params, Params, 'required'>>().not.toExtend<PublicInput>();
  });

  it('keeps no memory but that of its entries', async () => {
    const { CachedItems } = await import('../../src/rest/item-cache.ts');
    const { viewOf } = await import('../../src/rest/view.ts');
    const view = viewOf('GET', 'v4', null, 'http://addons.example');
    const items = new CachedItems({ signIn: 'ignored', view, locale: 'en-US' });
    items.add(1, '1', '{"name":"日本語"');
    expect(items.json(1).toString()).toBe('{"name":"日本語"');
    expect(items.json(1).buffer.byteLength).toBe(items.json(1).length);
  });
});
