import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { textOf, Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;
let reporter: Visitor;
let shown: MadeAddon;

beforeAll(async () => {
  anonymous = new Visitor(app);
  reporter = await visitorOf(app, await app.developer());
  const author = await app.developer();
  await app.sql("UPDATE account SET username = 'ada' WHERE id = $1", [author.accountId]);
  shown = await addon({ authors: [author.accountId ?? 0], slug: 'shown' });
});
beforeEach(() => app.sql('DELETE FROM abuse_report'));

const FIELDS = { reason: 'malware', message: ' It <b>breaks</b>\r\nall. ' };

interface Report {
  id: number;
  message: string;
  guid: string | null;
  username: string | null;
  isSigned: boolean;
}

const reports = () =>
  app.sql<Report>(
    `SELECT r.id, message, addon_guid AS guid, a.username, reporter_id IS NOT NULL AS "isSigned"
     FROM abuse_report r LEFT JOIN account a ON a.id = r.account_id ORDER BY r.id`,
  );

describe.each([
  ['/addon/shown/report/', {}, () => ({ guid: shown.guid, username: null })],
  ['/user/ada/report/', {}, () => ({ guid: null, username: 'ada' })],
  ['/report/', { addon: 'unknown@example.org' }, () => ({ guid: 'unknown@example.org', username: null })],
] as const)('the form at %s', (path, more, target) => {
  it('sends a report with the reason in its first line, and names its number and the next step', async () => {
    const sent = await anonymous.submit(path, 'report', { ...FIELDS, ...more });
    const [report] = await reports();
    const { pathname, searchParams } = new URL(String(sent.headers.location), 'http://localhost');
    expect([sent.status, pathname, searchParams.get('done')]).toEqual([303, `/report/${report?.id}/`, 'report']);
    expect(searchParams.get('key')).toMatch(/^[0-9a-f]{32}$/);
    expect(report).toMatchObject({
      ...target(),
      message: 'Reason: malware\n\nIt <b>breaks</b>\nall.',
      isSigned: false,
    });
    const text = textOf(await anonymous.get(String(sent.headers.location)));
    expect(text).toContain('Your report was sent to the moderators.');
    expect(text).toContain(`Number of the report ${report?.id}`);
    expect(text).toContain('without an account, so we cannot reply');
    const own = await reporter.submit(path, 'report', { ...FIELDS, ...more });
    expect((await reports()).at(-1)?.isSigned).toBe(true);
    expect(own.headers.location).toBe(`/report/${(await reports()).at(-1)?.id}/?done=report`);
    expect(textOf(await reporter.get(String(own.headers.location)))).toContain('you get a mail');
  });

  it('keeps what was typed when it is refused', async () => {
    const empty = await anonymous.submit(path, 'report', { ...more, reason: 'spam', message: '  ' });
    expect(empty.status).toBe(422);
    expect(empty.text).toMatch(/value="spam"[^>]*checked/);
    expect(empty.text).toContain('aria-invalid="true"');
    const unknown = await anonymous.submit(path, 'report', { ...more, reason: 'x', message: 'Kept <words>' });
    expect([unknown.status, unknown.text.includes('Kept &lt;words&gt;')]).toEqual([422, true]);
    const long = await anonymous.submit(path, 'report', { ...FIELDS, ...more, message: 'x'.repeat(10_001) });
    expect(long.status).toBe(422);
    expect(await reports()).toEqual([]);
  });

  it('is refused without a token, from another site, and in read-only mode', async () => {
    const values = { ...FIELDS, ...more };
    expect((await reporter.submit(path, 'report', { ...values, csrf: '' })).status).toBe(403);
    expect((await anonymous.submit(path, 'report', values, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    app.config.READ_ONLY = true;
    try {
      const refused = await anonymous.submit(path, 'report', values);
      expect([refused.status, refused.text.includes('It &lt;b&gt;breaks')]).toEqual([503, true]);
    } finally {
      app.config.READ_ONLY = false;
    }
    expect(await reports()).toEqual([]);
  });
});

describe('a report', () => {
  it('needs an add-on or an account that the visitor can name', async () => {
    for (const path of ['/addon/none/report/', '/user/none/report/']) {
      expect((await anonymous.get(path)).status).toBe(404);
      expect((await anonymous.submit(path, 'report', FIELDS)).status).toBe(404);
    }
    const { status, text } = await anonymous.submit('/report/', 'report', { ...FIELDS, addon: 'no guid' });
    expect([status, text.includes('value="no guid"')]).toEqual([404, true]);
    const form = await anonymous.get('/report/?guid=%22%3E%3Cscript%3E@example');
    expect(form.text).toContain('value="&quot;&gt;&lt;script&gt;@example"');
  });

  it('is explained in German and Hebrew', async () => {
    expect(textOf(await anonymous.get('/report/?lang=de'))).toContain('Meldung abschicken');
    expect(textOf(await anonymous.get('/addon/shown/report/?lang=he'))).toContain('שליחת הדיווח');
  });
});

describe('the number of a report', () => {
  const sentBy = async (visitor: Visitor) => {
    const { headers } = await visitor.submit('/addon/shown/report/', 'report', FIELDS);
    return String(headers.location).replace(/[?&]done=report/, '');
  };

  it('leads its reporter to the state, in three languages, and no one else', async () => {
    const [own, secret] = [await sentBy(reporter), await sentBy(anonymous)];
    const moderator = await app.memberWith('AbuseReports:Edit');
    const [number, key] = [
      Number(own.split('/')[2]),
      new URL(secret, 'http://localhost').searchParams.get('key') ?? '',
    ];
    for (const [language, text] of [
      ['en', 'Open'],
      ['de', 'Offen'],
      ['he', 'פתוח'],
    ] as const) {
      expect(textOf(await reporter.get(`${own}?lang=${language}`))).toContain(text);
      const shown = await anonymous.get(`${secret}&lang=${language}`);
      expect([textOf(shown).includes(text), shown.headers['cache-control']]).toEqual([true, 'no-store']);
    }
    const other = await visitorOf(app, await app.developer());
    const wrong = key.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const paths = [
      own,
      `${own}?key=${key}`,
      secret.replace(key, wrong),
      secret.replace(key, ''),
      '/report/2147483647/',
    ];
    for (const path of [...paths, '/report/x/', `${own}?key=%00`]) {
      for (const visitor of [anonymous, other]) expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
    }
    for (const [state, text] of [
      ['VALID', 'Confirmed'],
      ['DISMISSED', 'Dismissed'],
      ['DUPLICATE', 'Covered by another'],
    ]) {
      await moderator.graphql(
        `mutation ($id: ID!, $state: AbuseReportState!) { decideAbuseReport(input: { id: $id, state: $state, note: "Secret note." }) { __typename } }`,
        { id: globalId('AbuseReport', number), state },
      );
      const page = textOf(await reporter.get(own));
      expect([page.includes(text ?? ''), page.includes('Decided'), page.includes('Secret note')]).toEqual([
        true,
        true,
        false,
      ]);
    }
  });

  it('is readable in GraphQL with the key that the report was confirmed with', async () => {
    const { reportAddon } = await app.anonymous.graphql<{
      reportAddon: { key: string; report: { databaseId: number } };
    }>(
      `mutation { reportAddon(input: { addon: { slug: "shown" }, message: "x" }) { ... on ReportAddonPayload { key report { databaseId } } } }`,
    );
    const status = (key: string | null) =>
      app.anonymous.graphql(
        'query ($number: Int!, $key: String) { abuseReportStatus(number: $number, key: $key) { number state decided isOwn addonGuid } }',
        { number: reportAddon.report.databaseId, key },
      );
    const number = reportAddon.report.databaseId;
    expect(await status(reportAddon.key)).toEqual({
      abuseReportStatus: { number, state: 'OPEN', decided: null, isOwn: false, addonGuid: shown.guid },
    });
    expect(await status(null)).toEqual({ abuseReportStatus: null });
  });
});
