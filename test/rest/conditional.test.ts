import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let id: number;

beforeAll(async () => {
  ({ id } = await addon({ slug: 'conditional', name: { 'en-US': 'Original', de: 'Besucht' } }));
});

const path = (rest = '') => `/api/v4/addons/addon/conditional/${rest}`;
const read = (headers: Record<string, string> = {}, rest = '') => app.anonymous.get(path(rest), headers);
const etagOf = async (headers: Record<string, string> = {}, rest = '') =>
  (await read(headers, rest)).headers.etag ?? '';

async function change(data: Record<string, unknown>): Promise<void> {
  const { db } = await import('../../src/infra/db.ts');
  const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
  await db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id }, data });
    await publishAddons(tx, [id]);
  });
}

describe('a conditional request', () => {
  it('takes one statement if nothing changed, which reads no body', async () => {
    const etag = await etagOf();
    expect(etag).toMatch(/^"[^"]+"$/);
    const statements = await statementsDuring(async () => {
      expect((await read({ 'if-none-match': etag })).status).toBe(304);
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]).not.toContain('body');
  });

  it('returns 304 to fetch(), which adds Cache-Control: no-cache', async () => {
    const headers = { 'if-none-match': await etagOf(), 'cache-control': 'no-cache' };
    expect((await read(headers)).status).toBe(304);
    expect((await fetch(app.url + path(), { headers: { 'if-none-match': headers['if-none-match'] } })).status).toBe(
      304,
    );
  });

  it('returns the same headers each time', async () => {
    const etag = await etagOf();
    const headers = async () => {
      const reply = await read({ 'if-none-match': etag });
      return [reply.status, reply.text, reply.headers.etag, reply.headers.vary, reply.headers['x-svc-read-only']];
    };
    const first = await headers();
    expect(first).toEqual([304, '', etag, 'Accept-Language, Authorization', 'false']);
    for (const _ of [1, 2, 3]) expect(await headers()).toEqual(first);
  });

  it('returns every header of the full response except those of the body', async () => {
    const { headers } = await read();
    const isOfTheResponse = ([name]: [string, unknown]) =>
      !name.startsWith('content-') || name === 'content-security-policy';
    const names = (of: typeof headers) => Object.entries(of).filter(isOfTheResponse);
    const one = { 'x-request-id': 'the-same-one', date: 'the same' };
    for (const _ of [1, 2, 3]) {
      const again = await read({ 'if-none-match': headers.etag ?? '' });
      expect(again.status).toBe(304);
      expect(names({ ...again.headers, ...one }).toSorted()).toEqual(names({ ...headers, ...one }).toSorted());
    }
  });

  it('returns the new representation after a change', async () => {
    for (let round = 1; round <= 20; round++) {
      const etag = await etagOf();
      for (const _ of [1, 2]) expect((await read({ 'if-none-match': etag })).status).toBe(304);
      await change({ name: { 'en-US': `Changed ${round}`, de: 'Besucht' } });
      const reply = await read({ 'if-none-match': etag });
      expect([reply.status, (JSON.parse(reply.text) as { name: object }).name]).toEqual([
        200,
        { 'en-US': `Changed ${round}`, de: 'Besucht' },
      ]);
    }
  });

  it('matches after the add-on is published again without a change', async () => {
    const etag = await etagOf();
    await change({});
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
  });

  it('returns 401 once the add-on is not public', async () => {
    const etag = await etagOf();
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': etag })).status).toBe(304);
    await change({ isDisabledByDeveloper: true });
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': etag })).status).toBe(401);
    expect((await read({ 'if-none-match': '*' })).status).toBe(401);
    await change({ isDisabledByDeveloper: false });
    expect((await read({ 'if-none-match': etag })).status).toBe(200);
  });

  it('matches per language, address and API version', async () => {
    const german = { 'accept-language': 'de' };
    const etags = [await etagOf(), await etagOf(german), await etagOf({}, '?lang=de'), await etagOf({}, '?lang=fr')];
    for (const _ of [1, 2]) {
      expect((await read({ 'if-none-match': etags[0] ?? '' })).status).toBe(304);
      expect((await read({ 'if-none-match': etags[1] ?? '', ...german })).status).toBe(304);
    }
    expect(new Set(etags).size).toBeGreaterThan(2);
    expect((await read({ 'if-none-match': etags[0] ?? '', ...german })).status).toBe(200);
    expect((await read({ 'if-none-match': etags[1] ?? '' })).status).toBe(200);
    const unknown = await app.anonymous.get(path().replace('v4', 'v9'), { 'if-none-match': etags[0] ?? '' });
    expect(unknown.status).toBe(404);
  });

  it('matches an ETag in every valid form', async () => {
    const etag = await etagOf();
    for (const form of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const _ of [1, 2]) expect((await read({ 'if-none-match': form })).status, form).toBe(304);
    }
    for (const form of ['', '"other"', etag.slice(0, -2), `${etag}x`]) {
      for (const _ of [1, 2]) expect((await read({ 'if-none-match': form })).status, form).toBe(200);
    }
  });

  it('is authenticated first if it has credentials', async () => {
    const etag = await etagOf();
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': etag })).status).toBe(304);
    const reply = await read({ 'if-none-match': etag, authorization: 'Bearer unknown' });
    expect(reply.status).toBe(401);
  });

  it('does not match after a change of settings', async () => {
    const etag = await etagOf();
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': etag })).status).toBe(304);
    const { SITE_NAME: before } = app.config;
    app.config.SITE_NAME = 'Another name';
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': etag })).status).toBe(200);
    app.config.SITE_NAME = before;
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
  });

  it('works on every other route, and not for authenticated clients', async () => {
    const made = await addon({ type: 'language', eula: { 'en-US': 'Agree.' } });
    const paths = ['?app=desktop_browser&appversion=60.0', 'versions/', `versions/${made.versions[0]?.id}/`];
    const detail = `/api/v4/addons/addon/${made.id}/`;
    const reader = await app.developer();
    const { db } = await import('../../src/infra/db.ts');
    const { issueAccessToken } = await import('../../src/domain/accounts/issue-credentials.ts');
    const { token } = await db.$transaction((tx) => issueAccessToken(tx, reader.accountId ?? 0));
    for (const path of [...paths, 'feature_compatibility/', 'eula_policy/']) {
      const { etag = '', vary } = (await app.anonymous.get(detail + path)).headers;
      expect(vary).toBe('Accept-Language, Authorization');
      expect((await app.anonymous.get(detail + path, { 'If-None-Match': etag })).status).toBe(304);
      expect((await app.anonymous.head(detail + path, { 'If-None-Match': etag })).status).toBe(304);
      for (const client of [reader, app.client({ token })]) {
        const { status, headers } = await client.get(detail + path, { 'If-None-Match': etag });
        expect([status, headers.etag, headers.vary]).toEqual([200, undefined, vary]);
        expect(headers['cache-control']).toBe('private, no-store');
      }
    }
  });
});
