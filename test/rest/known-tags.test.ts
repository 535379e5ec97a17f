import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { statementsDuring } from '../support/statements.ts';

let app: TestApp;
let id: number;

beforeAll(async () => {
  app = await startApp();
  ({ id } = await addon({ slug: 'visited', name: { 'en-US': 'Visited', de: 'Besucht' } }));
});
afterAll(() => app.close());

const path = (rest = '') => `/api/v4/addons/addon/visited/${rest}`;
const read = (headers: Record<string, string> = {}, rest = '') => app.anonymous.get(path(rest), headers);
const tagOf = async (headers: Record<string, string> = {}, rest = '') => (await read(headers, rest)).headers.etag ?? '';

async function change(data: Record<string, unknown>): Promise<void> {
  const { db } = await import('../../src/infra/db.ts');
  const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
  await db.$transaction(async (tx) => {
    await tx.addon.update({ where: { id }, data });
    await publishAddons(tx, [id]);
  });
}

/** The statements of a request, but for those of the service's own state. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await statementsDuring(work)).filter((text) => !text.includes('service_state'));
}

describe('a reader who comes again', () => {
  it('costs the question whether anything has changed, and no look-up', async () => {
    const tag = await tagOf();
    const again = async () => expect((await read({ 'if-none-match': tag })).status).toBe(304);
    // Others who write to the server meanwhile, as tests beside do, are looked up for.
    await expect
      .poll(async () => {
        await again();
        return (await statementsOf(again)).map((text) => text.includes('FROM addon'));
      })
      .toEqual([false]);
  });

  it('is answered with the same headers as the first time', async () => {
    const tag = await tagOf();
    const headers = async () => {
      const answer = await read({ 'if-none-match': tag });
      return [answer.status, answer.text, answer.headers.etag, answer.headers.vary, answer.headers['x-svc-read-only']];
    };
    const first = await headers();
    expect(first).toEqual([304, '', tag, 'Accept-Language, Authorization', 'false']);
    for (const _ of [1, 2, 3]) expect(await headers()).toEqual(first);
  });

  it('finds every header that the answer with a body has, but for those of the body', async () => {
    const { headers } = await read();
    const ofTheAnswer = ([name]: [string, unknown]) =>
      !name.startsWith('content-') || name === 'content-security-policy';
    const names = (of: typeof headers) => Object.entries(of).filter(ofTheAnswer);
    const one = { 'x-request-id': 'the-same-one', date: 'the same' };
    for (const _ of [1, 2, 3]) {
      const again = await read({ 'if-none-match': headers.etag ?? '' });
      expect(again.status).toBe(304);
      expect(names({ ...again.headers, ...one }).toSorted()).toEqual(names({ ...headers, ...one }).toSorted());
    }
  });

  it('gets the new answer as soon as there is one', async () => {
    for (let round = 1; round <= 20; round++) {
      const tag = await tagOf();
      for (const _ of [1, 2]) expect((await read({ 'if-none-match': tag })).status).toBe(304);
      await change({ name: { 'en-US': `Visited ${round}`, de: 'Besucht' } });
      const answer = await read({ 'if-none-match': tag });
      expect([answer.status, (JSON.parse(answer.text) as { name: object }).name]).toEqual([
        200,
        { 'en-US': `Visited ${round}`, de: 'Besucht' },
      ]);
    }
  });

  it('is refused what is not public any more', async () => {
    const tag = await tagOf();
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': tag })).status).toBe(304);
    await change({ isDisabledByDeveloper: true });
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': tag })).status).toBe(401);
    expect((await read({ 'if-none-match': '*' })).status).toBe(401);
    await change({ isDisabledByDeveloper: false });
    expect((await read({ 'if-none-match': tag })).status).toBe(200);
  });

  it('is told apart by language, address and API version', async () => {
    const german = { 'accept-language': 'de' };
    const tags = [await tagOf(), await tagOf(german), await tagOf({}, '?lang=de'), await tagOf({}, '?lang=fr')];
    for (const _ of [1, 2]) {
      expect((await read({ 'if-none-match': tags[0] ?? '' })).status).toBe(304);
      expect((await read({ 'if-none-match': tags[1] ?? '', ...german })).status).toBe(304);
    }
    expect(new Set(tags).size).toBeGreaterThan(2);
    expect((await read({ 'if-none-match': tags[0] ?? '', ...german })).status).toBe(200);
    expect((await read({ 'if-none-match': tags[1] ?? '' })).status).toBe(200);
    const unknown = await app.anonymous.get(path().replace('v4', 'v9'), { 'if-none-match': tags[0] ?? '' });
    expect(unknown.status).toBe(404);
  });

  it('may name the tag in any of its forms', async () => {
    const tag = await tagOf();
    for (const form of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      for (const _ of [1, 2]) expect((await read({ 'if-none-match': form })).status, form).toBe(304);
    }
    for (const form of ['', '"other"', tag.slice(0, -2), `${tag}x`]) {
      for (const _ of [1, 2]) expect((await read({ 'if-none-match': form })).status, form).toBe(200);
    }
  });

  it('is not answered from what is known when he proves who he is, or tries to', async () => {
    const tag = await tagOf();
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': tag })).status).toBe(304);
    const answer = await read({ 'if-none-match': tag, authorization: 'Bearer of-nobody' });
    expect(answer.status).toBe(401);
  });

  it('gets another answer when settings say so', async () => {
    const tag = await tagOf();
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': tag })).status).toBe(304);
    const { SITE_NAME: before } = app.config;
    app.config.SITE_NAME = 'Another name';
    for (const _ of [1, 2]) expect((await read({ 'if-none-match': tag })).status).toBe(200);
    app.config.SITE_NAME = before;
    expect((await read({ 'if-none-match': tag })).status).toBe(304);
  });
});
