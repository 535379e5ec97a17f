/* Statistics, ratings, developers, reports and signatures as pages. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { documentOf, textOf, Visitor, visitorOf } from '../../support/pages.ts';
import { statementsDuring } from '../../support/statements.ts';

const HOSTILE = '<script>alert(1)</script>"\'&';
const DAY_MS = 86_400_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

const app = setUpApp();
let ownerId: number;
const visitors: Record<string, Visitor> = {};
let open: MadeAddon;

const as = (role: string): Visitor => visitors[role] as Visitor;

beforeAll(async () => {
  const owner = await app.developer();
  ownerId = Number(owner.accountId);
  Object.assign(visitors, {
    anonymous: new Visitor(app),
    owner: await visitorOf(app, owner),
    stranger: await visitorOf(app, await app.developer()),
    analyst: await visitorOf(app, await app.memberWith('Stats:View')),
    reviewer: await visitorOf(app, await app.reviewer()),
  });
  await app.sql(
    `UPDATE account SET username = 'ada', display_name = $2, biography = $2, homepage = 'https://ada.example/', location = 'Berlin'
     WHERE id = $1`,
    [ownerId, HOSTILE],
  );
  const facts = { authors: [ownerId], name: { 'en-US': HOSTILE, de: 'Deutscher Name' } };
  const rated = { ratingCount: 4, ratingTextCount: 1, ratingAverage: 4.25, ratingBayesian: 3.9 };
  open = await addon({
    ...facts,
    ...rated,
    slug: 'open',
    publicStats: true,
    versions: [{ version: '1.0' }, { version: '2.0' }],
  });
  await addon({ ...facts, slug: 'closed', type: 'statictheme' });
  await addon({ ...facts, slug: 'hidden', status: 'nominated' });
  await app.sql(
    `INSERT INTO daily_statistics (addon_id, day, users, downloads) VALUES ($1, $2, 1200, 34), ($1, $3, 1000, 6), ($1, $4, 5, 5)`,
    [open.id, day(1), day(3), day(40)],
  );
  await app.sql(
    `INSERT INTO update_check (addon_id, day, app, version, count) VALUES ($1, $2, 'desktop_browser', '2.0', 900), ($1, $2, 'mail_client', '', 100)`,
    [open.id, day(1)],
  );
  // On the first and last instant of a day in UTC, deleted, on hold, and a reply.
  await app.sql(
    `WITH writer AS (INSERT INTO account (username) SELECT 'daily-rater-' || n FROM generate_series(1, 5) AS n RETURNING id)
     INSERT INTO rating (addon_id, account_id, score, created, deleted_at, held_at, hold_reason)
     SELECT $1::int, w.id, 4, ($2::date + given.after) AT TIME ZONE 'UTC', given.deleted, given.held, CASE WHEN given.held IS NOT NULL THEN 'text' END
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM writer) w
     JOIN (VALUES (1, interval '0', NULL::timestamptz, NULL::timestamptz), (2, interval '23:59:59.999', NULL, NULL),
       (3, interval '12 hours', now(), NULL), (4, interval '12 hours', NULL, now()), (5, interval '-1 day', NULL, NULL)
     ) AS given(place, after, deleted, held) ON given.place = w.place`,
    [open.id, day(3)],
  );
  await app.sql(
    `INSERT INTO rating (addon_id, account_id, reply_to, body, created) SELECT addon_id, account_id, id, 'Thanks.', created
     FROM rating WHERE addon_id = $1 AND created < $2::date`,
    [open.id, day(3)],
  );
  const { logCertificate } = await import('../../../src/domain/signature-log/signature-log.ts');
  const fileId = open.versions[0]?.files[0]?.id ?? 0;
  for (let index = 0; index < 27; index++) {
    await logCertificate({
      ...{
        serial: `0a${String(index).padStart(2, '0')}`,
        issuer: 'CN=Test',
        guid: open.guid,
        version: `${index}.0`,
        fileId,
      },
      inputSha256: 'cd'.repeat(32),
    });
  }
});

/** The status of a page for each visitor. */
async function statuses(path: string): Promise<Record<string, number>> {
  const pairs = Object.entries(visitors).map(async ([role, visitor]) => [role, (await visitor.get(path)).status]);
  return Object.fromEntries(await Promise.all(pairs));
}

const EVERYONE = { anonymous: 200, owner: 200, stranger: 200, analyst: 200, reviewer: 200 };
const HIDDEN = { anonymous: 404, owner: 200, stranger: 404, analyst: 404, reviewer: 200 };

describe('every page about an add-on', () => {
  it.each(['reviews/', 'report/'])(
    '%s is open to everyone, and to developers and reviewers of a hidden add-on',
    async (page) => {
      expect(await statuses(`/addon/open/${page}`)).toEqual(EVERYONE);
      expect(await statuses(`/addon/hidden/${page}`)).toEqual(HIDDEN);
      expect((await as('anonymous').get(`/addon/none/${page}`)).status).toBe(404);
    },
  );

  it.each(['reviews/', 'report/', 'statistics/', 'statistics.csv'])(
    'leads from ids and guids to the slug: %s',
    async (page) => {
      for (const ref of [open.id, open.guid, 'OPEN']) {
        const { status, headers } = await as('anonymous').get(`/addon/${encodeURIComponent(ref)}/${page}?days=90`);
        expect([status, headers.location]).toEqual([301, `/addon/open/${page}?days=90`]);
      }
    },
  );

  it.each(['en', 'de', 'he'])('escapes what developers wrote, in %s', async (lang) => {
    for (const path of [
      '/addon/open/statistics/',
      '/addon/open/reviews/',
      '/addon/open/report/',
      '/user/ada/',
      '/user/ada/report/',
    ]) {
      const { status, text } = await as('anonymous').get(`${path}?lang=${lang}`);
      expect([path, status, text.includes('<script>alert')]).toEqual([path, 200, false]);
      expect(text).toContain(`<html lang="${lang}"`);
    }
  });
});

describe('the page of statistics', () => {
  it('is open when they are public, and otherwise to authors and analysts', async () => {
    expect(await statuses('/addon/open/statistics/')).toEqual(EVERYONE);
    const expected = { anonymous: 303, owner: 200, stranger: 403, analyst: 200, reviewer: 403 };
    expect(await statuses('/addon/closed/statistics/')).toEqual(expected);
    expect(await statuses('/addon/closed/statistics.csv')).toEqual(expected);
    expect(await statuses('/addon/hidden/statistics/')).toEqual({ ...HIDDEN, reviewer: 403 });
    const { headers } = await as('anonymous').get('/addon/closed/statistics/?days=90');
    expect(headers.location).toBe(`/login/?next=${encodeURIComponent('/addon/closed/statistics/?days=90')}`);
  });

  it('shows a chart and the numbers of the file', async () => {
    const reply = await as('anonymous').get('/addon/open/statistics/');
    expect(textOf(reply)).toContain('Average per day 1,100 Highest day 1,200 Lowest day 1,000');
    const $ = documentOf(reply);
    expect($('svg[role=img]')).toHaveLength(3);
    // Two days with numbers and one without between them are two lines.
    expect($('.chart-line[d^=M]')).toHaveLength(4);
    const rows = $('tr:has(th[scope=row] time)')
      .toArray()
      .map((row) => {
        const cells = $(row)
          .find('td')
          .toArray()
          .map((cell) => $(cell).text().replaceAll(',', ''));
        return [$(row).find('time').attr('datetime'), ...cells].join(',').replace('not known', '');
      });
    const shown = rows.reverse();
    const file = await as('anonymous').get('/addon/open/statistics.csv');
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(file.headers['content-disposition']).toBe(`attachment; filename=addon-${open.id}-${day(30)}-${day(1)}.csv`);
    expect(file.text.trim().split('\r\n')).toEqual(['date,users,downloads,ratings', ...shown]);
    expect(file.text).toContain(`${day(4)},,0,1\r\n${day(3)},1000,6,2\r\n${day(2)},,0,0\r\n${day(1)},1200,34,0\r\n`);
    expect(textOf(reply)).toContain('Total 3 Highest day 2 Lowest day 0');
    expect(textOf(reply)).toMatch(/2\.0 900 0 .*Other versions 100 0/);
    expect(textOf(reply)).toContain('Desktop browser 900 90%');
  });

  it('has periods as links, states when there is no data, and leaves out other periods', async () => {
    const { text } = await as('anonymous').get('/addon/open/statistics/?days=90');
    expect(text).toContain('<a href="/addon/open/statistics/?days=90" aria-current="page">90 days</a>');
    expect(documentOf({ text })('tr > th[scope=row] > time')).toHaveLength(90);
    const empty = await as('owner').get('/addon/closed/statistics/');
    expect(textOf(empty)).toContain('There are no numbers for this period yet.');
    expect(textOf(empty)).toContain('This page is not public');
    expect(textOf(await as('anonymous').get('/addon/open/statistics/?days=7'))).toContain('ignored: days=7');
    expect(textOf(await as('anonymous').get('/addon/open/statistics/?lang=de'))).toContain(
      'Durchschnitt pro Tag 1.100',
    );
  });

  it('takes the same number of statements for any period', async () => {
    const [month, year] = [
      await statementsDuring(() => as('anonymous').get('/addon/open/statistics/')),
      await statementsDuring(() => as('anonymous').get('/addon/open/statistics/?days=365')),
    ];
    expect(year.length).toBe(month.length);
  });
});

describe('the page of ratings', () => {
  it('shows sums and explains them', async () => {
    const text = textOf(await as('anonymous').get('/addon/open/reviews/'));
    expect(text).toContain('Average rating 4.25 out of 5');
    expect(text).toContain('Ratings 4 Ratings with a text 1 Weighted average 3.9 out of 5');
    expect(text).toContain('No one has written anything yet.');
    expect(textOf(await as('owner').get('/addon/closed/reviews/'))).toContain('This add-on has no ratings yet.');
  });
});

describe('the page of a developer', () => {
  it('shows profile and public add-ons by type', async () => {
    const reply = await as('anonymous').get('/user/ada/');
    expect(reply.status).toBe(200);
    expect(documentOf(reply)('article')).toHaveLength(2);
    expect(reply.text).not.toContain('/addon/hidden/');
    expect(textOf(reply)).toMatch(/Extensions .* Themes /);
    expect(reply.text).toMatch(/href="[^"]*\/outgoing\/[^"]*"[^>]*rel="nofollow ugc noopener"/);
    expect(reply.text).toContain('href="/user/ada/report/"');
  });

  it('is found by id and in any case, and does not exist for others than developers', async () => {
    for (const ref of [ownerId, 'ADA']) {
      expect((await as('anonymous').get(`/user/${ref}/`)).headers.location).toBe('/user/ada/');
    }
    const stranger = (
      await app.sql<{ username: string }>('SELECT username FROM account WHERE id > $1 ORDER BY id LIMIT 1', [ownerId])
    )[0];
    const path = `/user/${stranger?.username}/`;
    expect(await statuses(path)).toEqual({ anonymous: 404, owner: 404, stranger: 200, analyst: 404, reviewer: 404 });
    const own = await as('stranger').get(path);
    expect(textOf(own)).toContain('This is how others see your profile.');
    expect(textOf(own)).toContain('This account has no public add-ons.');
    expect(own.text).not.toContain(`${path}report/`);
  });
});

describe('the signature log', () => {
  const entriesIn = (page: { text: string }) =>
    [...documentOf(page)('[href^="/signing/log/0a"]')].map(({ attribs }) => attribs.href);

  it('lists entries newest first, in pages, by add-on and version', async () => {
    const first = await as('anonymous').get('/signing/log/');
    expect(textOf(first)).toContain('27 entries, newest first');
    expect(entriesIn(first)).toHaveLength(25);
    expect(first.text.indexOf('/0a26/')).toBeLessThan(first.text.indexOf('/0a25/'));
    const next = documentOf(first)('a[rel=next]').attr('href') ?? '';
    const second = await as('anonymous').get(next);
    expect(entriesIn(second)).toEqual(['/signing/log/0a01/', '/signing/log/0a00/']);
    expect(second.text).toContain('<a href="/signing/log/">');
    const found = await as('anonymous').get(`/signing/log/?guid=${open.guid.toUpperCase()}&version=7.0&serial=`);
    expect(entriesIn(found)).toEqual(['/signing/log/0a07/']);
    expect(textOf(await as('anonymous').get('/signing/log/?guid=none@example'))).toContain('No certificate was made');
    expect((await as('anonymous').get('/signing/log/?after=x')).status).toBe(400);
    expect((await as('anonymous').get('/signing/log/?serial=0A:07')).headers.location).toBe('/signing/log/0A%3A07/');
  });

  it('has a page for each entry with a command that prints its hash', async () => {
    const reply = await as('anonymous').get('/signing/log/0a07/');
    const $ = documentOf(reply);
    const hash = $('dt:contains("Hash of this entry") + dd').text();
    const command = $('code:contains("sha256sum")').text();
    const { execFileSync } = await import('node:child_process');
    expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(`${hash}  -\n`);
    expect((await as('anonymous').get('/signing/log/0A:07/')).headers.location).toBe('/signing/log/0a07/');
    const unknown = await as('anonymous').get('/signing/log/beef/');
    expect([unknown.status, textOf(unknown).includes('Not signed by this site')]).toEqual([404, true]);
  });

  it('has the root certificate with its fingerprints, as the file', async () => {
    const { X509Certificate } = await import('node:crypto');
    await app.runJobs();
    const { text } = await as('anonymous').get('/signing/root.pem');
    const reply = await as('anonymous').get('/signing/');
    expect(textOf(reply)).toContain(new X509Certificate(text).fingerprint256);
    expect(reply.text).toContain('href="/signing/root.pem"');
  });
});
