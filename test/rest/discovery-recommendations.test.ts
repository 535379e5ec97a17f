import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let service: Server;
/** Writes the response of the recommendation service; `requested` are the URLs of requests to it. */
let respond: (response: ServerResponse) => void;
let requested: string[] = [];

const PATH = '/api/v4/addons/recommendations/';

interface Page extends Record<string, unknown> {
  outcome: string;
  fallback_reason: string | null;
  results: ({ guid: string } & Record<string, unknown>)[];
}
const read = async (query: string, version = 'v4') => {
  const reply = await app.anonymous.get(`/api/${version}/addons/recommendations/?${query}`);
  expect(reply.status).toBe(200);
  return reply.json as Page;
};
const summary = async (query: string, version?: string) => {
  const { outcome, fallback_reason, results } = await read(query, version);
  return [outcome, fallback_reason, results.map(({ guid }) => guid).join(' ')];
};
const recommend = (...results: unknown[]) => {
  respond = (response) => response.end(JSON.stringify({ results }));
};
const CURATED = 'third@rec first@rec static@rec second@rec';

beforeAll(async () => {
  service = createServer((request, response) => {
    requested.push(request.url ?? '');
    respond(response);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  app.config.RECOMMENDATION_URL = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api`;
  const author = (await app.developer()).accountId ?? 0;
  const names = ['first', 'second', 'third', 'fourth', 'fifth'];
  for (const name of names) await addon({ guid: `${name}@rec`, slug: name, authors: [author] });
  await addon({ guid: 'static@rec', type: 'statictheme' });
  await addon({ guid: 'hidden@rec', status: 'nominated' });
  const { db } = await import('../../src/infra/db.ts');
  const list = ['gone', 'third', 'hidden', 'first', 'static', 'second', 'fourth'];
  for (const [position, name] of list.entries()) {
    await db.recommendationFallback.create({ data: { position, guid: `${name}@REC` } });
  }
});
beforeEach(() => {
  requested = [];
  recommend();
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
});

describe('recommendations', () => {
  it('are the curated list unless recommendations are requested', async () => {
    for (const query of ['', 'guid=first@rec', 'guid=first@rec&recommended=false', 'recommended=1', 'recommended=']) {
      expect(await summary(query)).toEqual(['curated', null, CURATED]);
    }
    expect(requested).toEqual([]);
  });

  it('read an empty language as none', async () => {
    const name = { 'en-US': 'Sea', de: 'Meer' };
    await addon({ guid: 'sea@rec', type: 'persona', name, persona: { textColor: '#ffffff' } });
    recommend('sea@rec');
    const nameIn = async (lang: string) => {
      const path = `${PATH}?guid=first@rec&recommended=true${lang}`;
      const reply = await app.anonymous.get(path, { 'Accept-Language': 'de' });
      const [found] = (reply.json as { results: { name: unknown; theme_data: { name: string } }[] }).results;
      return [found?.name, found?.theme_data.name];
    };
    expect(await nameIn('')).toEqual([name, 'Meer']);
    expect(await nameIn('&lang=')).toEqual([name, 'Meer']);
    expect(await nameIn('&lang=en-US')).toEqual(['Sea', 'Sea']);
  });

  it('are the public add-ons of the service, in its order', async () => {
    recommend('FOURTH@rec', 'second@rec', 'hidden@rec', 'nobody@rec');
    expect(await summary('guid=first@rec&recommended=TRUE')).toEqual(['recommended', null, 'fourth@rec second@rec']);
    expect(requested).toEqual(['/api/first%40rec/']);
  });

  it('are at most the first four of the service', async () => {
    recommend('first@rec', 'hidden@rec', 'second@rec', 'first@rec', 'fifth@rec');
    expect(await summary('guid=third@rec&recommended=true')).toEqual(['recommended', null, 'first@rec second@rec']);
  });

  it('have the documented keys, and add-ons in the form of search results', async () => {
    recommend('second@rec');
    const { results, ...envelope } = await read('guid=first@rec&recommended=true');
    expect(JSON.stringify(envelope)).toBe(
      JSON.stringify({
        outcome: 'recommended',
        fallback_reason: null,
        next: null,
        previous: null,
        page_size: 1,
        page_count: 1,
        count: 1,
      }),
    );
    const [shown] = results as unknown as { authors: object[]; current_version: object; _score: number }[];
    expect(Object.keys(shown?.authors[0] ?? {})).toEqual(['id', 'name', 'url', 'username']);
    expect(shown?.current_version).not.toHaveProperty('license');
    expect(shown?.current_version).not.toHaveProperty('release_notes');
    expect([shown?._score, Object.keys(shown ?? {}).at(-1)]).toEqual([1, '_score']);
    const [frozen] = (await read('guid=first@rec&recommended=true&lang=de', 'v3')).results;
    expect([frozen?._score, frozen?.created, typeof frozen?.name]).toEqual([undefined, undefined, 'string']);
  });

  it('have no static themes in v3', async () => {
    expect(await summary('', 'v3')).toEqual(['curated', null, 'third@rec first@rec second@rec fourth@rec']);
    recommend('static@rec');
    expect(await summary('guid=first@rec&recommended=true', 'v3')).toEqual([
      'recommended_fallback',
      'no_results',
      'third@rec first@rec second@rec fourth@rec',
    ]);
    expect(await summary('guid=first@rec&recommended=true')).toEqual(['recommended', null, 'static@rec']);
    expect(await summary('guid=first@rec&recommended=true', 'v4dev')).toEqual(['recommended', null, 'static@rec']);
  });

  it('are the same in GraphQL', async () => {
    recommend('second@rec');
    const { recommendations } = await app.anonymous.graphql<{ recommendations: unknown }>(
      '{ recommendations(guid: "first@rec") { outcome fallbackReason count results { guid } } }',
    );
    const results = [{ guid: 'second@rec' }];
    expect(recommendations).toEqual({ outcome: 'RECOMMENDED', fallbackReason: null, count: 1, results });
  });

  it('get 304 for a matching ETag', async () => {
    const first = await app.anonymous.get(PATH);
    const again = await app.anonymous.get(PATH, { 'If-None-Match': `${first.headers.etag}` });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('take at most four statements', async () => {
    recommend('hidden@rec');
    for (const query of ['', 'guid=first@rec&recommended=true']) {
      expect((await statementsDuring(() => read(query))).length).toBeLessThanOrEqual(4);
    }
  });
});

describe('the curated list is the fallback', () => {
  const nothing = ['recommended_fallback', 'no_results', CURATED];
  it.each([
    ['no add-ons', []],
    ['none that is public', ['hidden@rec', 'nobody@rec']],
    ['things that are no guids', [7, null, ['first@rec'], 'a\0b', 'x'.repeat(5000)]],
  ])('when the service returns %s', async (_what, results) => {
    recommend(...results);
    expect(await summary('guid=first@rec&recommended=true')).toEqual(nothing);
  });

  it.each([
    '',
    'guid=',
    'guid=first',
    'guid=..',
    'guid=%2F..%2Fadmin',
    'guid=a%00@b',
    'guid=%ED%A0%80',
    `guid=${'a'.repeat(4096)}@b`,
  ])('without a request to the service for an invalid guid: %s', async (query) => {
    expect(await summary(`recommended=true&${query}`)).toEqual(nothing);
    expect(requested).toEqual([]);
  });

  const late = ['recommended_fallback', 'timeout', CURATED];
  const failures: [string, (response: ServerResponse) => void][] = [
    ['never responds', () => {}],
    ['responds too slowly', (response) => void response.write('{"results": [')],
    [
      'sends a little of it again and again',
      (response) => {
        const drip = setInterval(() => response.write(' '), 100);
        response.once('close', () => clearInterval(drip));
      },
    ],
    ['breaks off', (response) => void response.destroy()],
    ['is out of order', (response) => void response.writeHead(500).end('{"results": ["second@rec"]}')],
    ['says something else', (response) => void response.end('["second@rec"]')],
    ['says no JSON', (response) => void response.end('second@rec')],
    ['sends more than 256 kB', (response) => void response.end(`{"results": ["${'x'.repeat(262_144)}"]}`)],
    [
      'sends what is small as long as it is packed',
      (response) => {
        response.setHeader('Content-Encoding', 'gzip');
        response.end(gzipSync(`{"results": ["second@rec"${' '.repeat(50_000_000)}]}`));
      },
    ],
    ['says that there is nothing', (response) => void response.writeHead(204).end()],
    ['sends elsewhere', (response) => void response.writeHead(302, { Location: '/elsewhere/' }).end()],
  ];
  it.each(failures)('when the service %s', async (_what, behaviour) => {
    respond = behaviour;
    expect(await summary('guid=first@rec&recommended=true')).toEqual(late);
    expect(requested).toHaveLength(1);
  });

  it('when the service is down', async () => {
    const { RECOMMENDATION_URL } = app.config;
    app.config.RECOMMENDATION_URL = 'http://127.0.0.1:1';
    expect(await summary('guid=first@rec&recommended=true')).toEqual(late);
    app.config.RECOMMENDATION_URL = RECOMMENDATION_URL;
  });
});
