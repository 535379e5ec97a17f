import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { SentBody } from '../../src/execution/endpoint.ts';
import type { Prisma } from '../../src/generated/prisma/client.ts';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { addon } from '../support/search/catalogue.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let reader: Client;
/** Changes the row of an add-on, and publishes it. */
let change: (id: number, data: Prisma.AddonUpdateInput) => Promise<void>;

const PATH = '/api/v4/addons/search/?q=kept&page_size=50';
const DESCRIPTION = 'Ünusual – 日本語 <a href="https://kept.example/">More</a>';
const linksIn = (text: string) => text.match(/\/outgoing\/[0-9a-f]{64}/g) ?? [];

beforeAll(async () => {
  reader = await app.developer();
  const { db } = await import('../../src/infra/db.ts');
  const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
  change = (id, data) =>
    db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id }, data });
      await publishAddons(tx, [id]);
    });
  const { loadCatalogue } = await import('../support/search/load-catalogue.ts');
  await loadCatalogue(
    Array.from({ length: 33 }, (_, index) =>
      addon(index + 1, `Kept ${index}`, 1_000 - index, 'Summary', { description: { 'en-US': DESCRIPTION } }),
    ),
  );
});

const headersOf = ({ headers }: Reply) =>
  ['etag', 'content-type', 'content-length', 'vary', 'cache-control', 'x-svc-read-only'].map((name) => headers[name]);

const rename = (id: number, name: string) => change(id, { name: { 'en-US': name } });

/** The response of another process, which has kept none. */
async function readNew(path: string): Promise<{ body: string }> {
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

// Before the tests that change the key, which API keys are encrypted with.
describe('an add-on', () => {
  it('has the same body and headers when it was kept, for GET and HEAD', async () => {
    const path = '/api/v4/addons/addon/31/?lang=de&wrap_outgoing_links';
    const [first, second] = [await app.anonymous.get(path), await app.anonymous.get(path)];
    expect(second.text).toBe(first.text);
    expect((await reader.get(path)).text).toBe(first.text);
    expect(headersOf(second)).toEqual(headersOf(first));
    const head = await app.anonymous.head(path);
    expect([head.status, head.text, headersOf(head)]).toEqual([200, '', headersOf(first)]);
  });

  it('changes with its data', async () => {
    const path = '/api/v4/addons/addon/32/';
    const before = await app.anonymous.get(path);
    await rename(32, 'Renamed');
    const after = await app.anonymous.get(path, { 'if-none-match': before.headers.etag ?? '' });
    expect([after.status, after.text.includes('Renamed')]).toEqual([200, true]);
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  it('is not kept for a signed-in client, nor sent to one', async () => {
    const path = '/api/v4/addons/addon/33/';
    expect((await app.anonymous.get(path)).headers.etag).toBeDefined();
    const own = await reader.get(path);
    expect([own.headers['cache-control'], own.headers.etag]).toEqual(['private, no-store', undefined]);
    await change(33, { isDisabledByDeveloper: true });
    expect([(await reader.get(path)).status, (await app.anonymous.get(path)).status]).toEqual([403, 401]);
  });
});

describe('a page of search results', () => {
  it('has the same body, headers and statements when it was kept', async () => {
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
    await change(3, { isDisabledByDeveloper: true });
    expect((await app.anonymous.get(PATH)).text).not.toContain('Kept again');
  });

  it('is the same in a process that has kept the state before, and in one that has kept none', async () => {
    const ids = (page: string) => (JSON.parse(page) as { results: { id: number }[] }).results.map(({ id }) => id);
    const whole = await app.anonymous.get(`${PATH}&lang=de`);
    for (const index of [0, 7, 28]) await rename(ids(whole.text)[index] ?? 0, `Renamed ${index}`);
    const partly = await app.anonymous.get(`${PATH}&lang=de`);
    const { body: fresh } = await readNew(`${PATH}&lang=de`);
    expect(partly.text).toBe(fresh);
    expect(partly.text).not.toBe(whole.text);
    expect(ids(partly.text)).toEqual(ids(fresh));
  });

  it('is kept per language, API version and link wrapping', async () => {
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
    const initial = app.config.SECRET_KEY;
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
    app.config.SECRET_KEY = initial;
  });

  it('is not sent for a matching ETag', async () => {
    const tag = (await app.anonymous.get(PATH)).headers.etag ?? '';
    const again = await app.anonymous.get(PATH, { 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('the memory of responses', () => {
  it('has no bytes but those of the responses', async () => {
    const { respond } = await import('../../src/execution/endpoint.ts');
    const kept: SentBody[] = [];
    const body = Buffer.from('{"name":"日本語"}');
    const read = (key: string | null, revision: string) =>
      respond({ headers: {} } as IncomingMessage, {} as ServerResponse, {
        key,
        revision: async () => revision,
        etagOf: () => null,
        execute: async () => ({ result: null, revision }),
        send: async () => ({ body, etag: '"1"' }),
        sendCached: (sent) => kept.push(sent),
      });
    for (const [key, revision] of [
      [null, '1'],
      ['a', '1'],
      ['b', '1'],
      ['a', '2'],
      ['a', '1'],
    ] as const) {
      await read(key, revision);
    }
    expect(kept).toEqual([]);
    await read('a', '1');
    expect(kept.map((sent) => sent.body.toString())).toEqual([body.toString()]);
    expect(kept[0]?.body.buffer.byteLength).toBe(body.length);
  });
});
