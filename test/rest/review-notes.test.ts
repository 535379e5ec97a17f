import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client, Reply } from '../support/client.ts';
import { beginningWith } from '../support/expect-refusal.ts';
import { addon } from '../support/factories.ts';
import { addNotes } from '../support/notes.ts';
import { whileThrottled, withoutDatabase } from '../support/outage.ts';
import { makeThread, type ThreadWorld } from '../support/review-thread.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let world: ThreadWorld;

const UNAUTHENTICATED = { detail: 'Authentication credentials were not provided.' };
const FORBIDDEN = { detail: 'You do not have permission to perform this action.' };
const NOT_FOUND = { detail: 'Not found.' };
const FLAGS = { is_disabled_by_developer: false, is_disabled_by_vendor: true };
const REFERRED = 'This add-on has been referred to an administrator.';

beforeAll(async () => {
  world = await makeThread(app);
});

const of = (name: string): Client => world.client(name);
const idOf = (name: string) => world.accountId(name);
const list = (name = 'public', { ref = 'thread', api = 'v4', from = world.made, query = '' } = {}) =>
  `/api/${api}/addons/addon/${ref}/versions/${world.versionId(name, from)}/reviewnotes/${query}`;
const one = (id: number | undefined, options = {}) => `${list('public', options)}${id}/`;
const resultsOf = (reply: Reply) => (reply.json as { results: Record<string, unknown>[] }).results;

describe('GET /api/v4/addons/addon/(int:addon_id|string:addon_slug|string:addon_guid)/versions/(int:id)/reviewnotes/', () => {
  it('lists the thread for a reviewer, newest first, with equal dates by id, in the documented envelope', async () => {
    const reply = await of('contentReviewer').get(list());
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json as object).join(' ')).toBe('next previous page_size page_count count results');
    expect(reply.json).toMatchObject({ next: null, previous: null, page_size: 25, page_count: 1, count: 7 });
    const results = resultsOf(reply);
    expect(results.map(({ action }) => action)).toEqual([
      'rejected',
      'approved',
      'review-note',
      'more-information-requested',
      'comment',
      'super-review-requested',
      'review-requested',
    ]);
    expect(Object.keys(results[2] ?? {}).join(' ')).toBe('id action action_label user comments date');
    expect(Object.keys(results[2]?.user as object).join(' ')).toBe('id name url username');
    expect(results[2]).toMatchObject({ id: world.notes[4], action_label: 'Review note', comments: 'Because.\nTabs.' });
    expect(results[2]).toMatchObject({ date: '2018-10-05T10:00:00Z', user: { id: idOf('author') } });
    expect(results[3]).toMatchObject({ comments: 'Why "tabs" & \'history\'?', user: { url: null } });
    expect(results[5]).toMatchObject({ comments: 'Is this licence fine?' });
  });

  it('hides comments and the words of referrals from authors who do not review', async () => {
    for (const name of ['author', 'developer']) {
      const reply = await of(name).get(list());
      expect(reply.json).toMatchObject({ count: 6 });
      expect(resultsOf(reply).map(({ action }) => action)).not.toContain('comment');
      expect(resultsOf(reply)[4]).toMatchObject({ action: 'super-review-requested', comments: REFERRED });
      expect([
        (await of(name).get(one(world.notes[2]))).status,
        (await of(name).get(one(world.notes[1]))).json,
      ]).toEqual([404, resultsOf(reply)[4]]);
    }
    const both = await app.memberWith('Addons:Review');
    const own = await addon({ slug: 'own', authors: [both.accountId ?? 0] });
    await addNotes(app, own.versions[0]?.id ?? 0, [
      { action: 'comment', accountId: both.accountId, comments: 'Mine.' },
    ]);
    const reply = await both.get(`/api/v4/addons/addon/own/versions/${own.versions[0]?.id}/reviewnotes/`);
    expect(resultsOf(reply)).toMatchObject([{ action: 'comment', comments: 'Mine.' }]);
  });

  const ROWS: [string, string, number, Record<string, unknown>?][] = [];
  const allow = (versions: string[], viewers: string[]) => {
    for (const version of versions) {
      for (const viewer of [
        'author',
        'developer',
        'reviewer',
        'contentReviewer',
        'unlistedReviewer',
        'administrator',
      ]) {
        ROWS.push([viewer, version, viewers.includes(viewer) ? 200 : 403]);
      }
      for (const viewer of ['themeReviewer', 'editor', 'stranger']) ROWS.push([viewer, version, 403]);
      ROWS.push(['anonymous', version, 401]);
    }
  };
  allow(
    ['public', 'deleted', 'rejected', 'waiting'],
    ['author', 'developer', 'reviewer', 'contentReviewer', 'unlistedReviewer', 'administrator'],
  );
  allow(['unlisted'], ['author', 'developer', 'unlistedReviewer', 'administrator']);

  it.each(ROWS)('responds to %s for a version that is %s with %i', async (viewer, version, status) => {
    const reply = await of(viewer).get(list(version));
    expect(reply.status).toBe(status);
    if (status !== 200) expect(reply.json).toEqual(status === 401 ? UNAUTHENTICATED : FORBIDDEN);
    const hidden = await of(viewer).get(list(version, { ref: 'closed', from: world.closed }));
    if (world.versionId(version, world.closed) === 0) return;
    expect(hidden.status).toBe(status);
    if (status === 403) expect(hidden.json).toEqual({ ...FORBIDDEN, ...FLAGS });
    if (status === 401) expect(hidden.json).toEqual({ ...UNAUTHENTICATED, ...FLAGS });
  });

  it('finds the add-on by all three references, in all API versions, with and without a slash', async () => {
    const expected = (await of('author').get(list())).json;
    for (const ref of ['thread', 'THREAD', 'thread@example', String(world.made.id)]) {
      for (const api of ['v3', 'v4', 'v4dev']) {
        expect((await of('author').get(list('public', { ref, api }))).json).toEqual(expected);
        expect((await of('author').get(one(world.notes[0], { ref, api }))).json).toMatchObject({ id: world.notes[0] });
      }
    }
    expect((await of('author').get(list().replace(/\/$/, ''))).json).toEqual(expected);
    const themed = `/addons/addon/theme/versions/${world.theme.versions[0]?.id}/reviewnotes/`;
    for (const name of ['author', 'themeReviewer']) {
      expect((await of(name).get(`/api/v4${themed}`)).json).toMatchObject({ count: 0, page_count: 1, results: [] });
      expect((await of(name).get(`/api/v3${themed}`)).status).toBe(404);
    }
    expect((await of('reviewer').get(`/api/v4${themed}`)).status).toBe(403);
  });

  it('is 404 for what does not belong together, after the 401 of anonymous clients', async () => {
    const deleted = await addon({ slug: null, authors: [idOf('author')], status: 'deleted', deletedAt: new Date() });
    const other = world.closed.versions[0]?.id;
    const [foreign] = await addNotes(app, world.versionId('waiting'), [
      { action: 'review-note', accountId: idOf('author') },
    ]);
    const [event] = await addNotes(app, world.versionId('public'), [
      { action: 'version-edited', accountId: idOf('author') },
    ]);
    const paths = [
      list('public', { ref: 'nothing' }),
      `/api/v4/addons/addon/${deleted.id}/versions/${deleted.versions[0]?.id}/reviewnotes/`,
      `/api/v4/addons/addon/thread/versions/${other}/reviewnotes/`,
      ...['0', '999999999', '99999999999', 'abc', '1.5', '-1', '__proto__'].map(
        (id) => `/api/v4/addons/addon/thread/versions/${id}/reviewnotes/`,
      ),
      ...[foreign, event, 0, 999_999_999, 99_999_999_999].map((id) => one(id)),
      `${list()}abc/`,
    ];
    for (const path of paths) {
      for (const name of ['author', 'administrator']) {
        const reply = await of(name).get(path);
        expect([path, reply.status, reply.json]).toEqual([path, 404, NOT_FOUND]);
      }
      const anonymous = await app.anonymous.get(path);
      expect([path, anonymous.status, anonymous.json]).toEqual([path, 401, UNAUTHENTICATED]);
    }
    const hidden = await app.anonymous.get(`/api/v4/addons/addon/closed/versions/abc/reviewnotes/`);
    expect([hidden.status, hidden.json]).toEqual([401, { ...UNAUTHENTICATED, ...FLAGS }]);
    expect((await of('stranger').get(list('invalid'))).status).toBe(404);
    expect((await of('stranger').get(list('public', { ref: 'closed' }))).json).toEqual({ ...FORBIDDEN, ...FLAGS });
    expect((await of('author').get(list('invalid'))).json).toMatchObject({ count: 0 });
  });

  it('refuses other methods', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of [list(), one(world.notes[0])]) {
        const reply = await of('author').request(method, path);
        expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      }
    }
  });

  it('is paged like every list', async () => {
    const second = await of('reviewer').get(list('public', { query: '?page_size=3&page=2&lang=en-US' }));
    expect(second.json).toMatchObject({ page_size: 3, page_count: 3, count: 7 });
    expect(resultsOf(second).map(({ action }) => action)).toEqual([
      'more-information-requested',
      'comment',
      'super-review-requested',
    ]);
    const { next, previous } = second.json as { next: string; previous: string };
    expect(new URL(next).search).toBe('?page_size=3&page=3&lang=en-US');
    expect(new URL(previous).search).toBe('?page_size=3&lang=en-US');
    const past = await of('reviewer').get(list('public', { query: '?page=2' }));
    expect([past.status, past.json]).toEqual([404, { detail: beginningWith('Invalid page. ') }]);
    const far = await of('reviewer').get(list('public', { query: '?page=999999999&page_size=50' }));
    expect([far.status, far.json]).toEqual([404, { detail: beginningWith('Invalid page. ') }]);
    expect((await of('reviewer').get(list('public', { query: '?page_size=1000' }))).json).toMatchObject({
      page_size: 50,
    });
  });

  it('translates the labels of actions', async () => {
    const label = async (query: string, headers = {}) =>
      resultsOf(await of('author').get(list('public', { query }), headers))[1]?.action_label;
    expect(await label('')).toBe('Approved');
    expect(await label('?lang=de')).toBe('Freigegeben');
    expect(await label('?lang=he')).toBe('אושרה');
    expect(await label('', { 'Accept-Language': 'de-AT,de;q=0.9' })).toBe('Freigegeben');
    expect(await label('?lang=xx')).toBe('Approved');
    expect(resultsOf(await of('reviewer').get(list())).map((note) => note.action_label)).toEqual([
      'Rejected',
      'Approved',
      'Review note',
      'More information requested',
      'Comment',
      'Super review requested',
      'Review requested',
    ]);
  });

  it('names the uploader as the user of a request, and automatic-review for rows of the service', async () => {
    const users = async () => resultsOf(await of('reviewer').get(list())).map(({ user }) => user);
    const service = { id: -1, name: 'automatic-review', url: null, username: 'automatic-review' };
    expect((await users()).at(-1)).toEqual(service);
    await app.sql(
      'INSERT INTO upload (pk, addon_id, version_id, account_id, file_name, updated) VALUES ($1, $2, $3, $4, $5, now())',
      ['f'.repeat(32), world.made.id, world.versionId('public'), idOf('developer'), 'a.xpi'],
    );
    expect((await users()).at(-1)).toMatchObject({ id: idOf('developer'), url: null });
    expect((await users())[2]).toMatchObject({ id: idOf('author'), url: expect.stringContaining('/user/') });
  });

  it('costs a constant number of statements', async () => {
    const few = await statementsDuring(() => of('contentReviewer').get(list('public', { query: '?page_size=1' })));
    const many = await statementsDuring(() => of('contentReviewer').get(list()));
    expect(many.length).toBe(few.length);
    expect(many.length).toBeLessThanOrEqual(8);
  });
});

describe.each(['the list', 'one note'])('%s of review notes', (what) => {
  const path = () => (what === 'the list' ? list() : one(world.notes[0]));

  it('returns each documented status', async () => {
    const found = await of('author').get(path());
    expect([found.status, found.headers['content-type']]).toEqual([200, 'application/json']);
    const head = await of('author').head(path());
    expect([head.status, head.text]).toEqual([200, '']);
    const refused = await of('stranger').get(path());
    expect([refused.status, refused.json]).toEqual([403, FORBIDDEN]);
    const anonymous = await app.anonymous.get(path());
    expect([anonymous.status, anonymous.headers['www-authenticate']]).toEqual([401, 'bearer realm="api"']);
    const unreadable = await app.anonymous.get(path(), { Authorization: 'Bearer' });
    expect([unreadable.status, unreadable.json]).toMatchObject([401, { code: 'ERROR_INVALID_HEADER' }]);
    expect((await of('author').get(path().replace('/thread/', '/unknown/'))).status).toBe(404);
  });

  it('returns 503 without a database, and 429 after many failed authentications', async () => {
    await withoutDatabase(app, async () => expect((await of('author').get(path())).status).toBe(503));
    const guesser = app.client({ token: 'guess' });
    await whileThrottled(app, guesser, path(), async () => expect((await guesser.get(path())).status).toBe(429));
  });
});
