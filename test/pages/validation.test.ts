import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { globalId } from '../support/global-ids.ts';
import { brokenPackage, xpi } from '../support/packages.ts';
import { documentOf, textOf, visitorOf } from '../support/pages.ts';
import { createUpload } from '../support/uploads.ts';

const app = setUpApp();
let dev: Client;

beforeAll(async () => {
  dev = await app.developer();
});

async function upload(guid: string, body: Buffer): Promise<string> {
  const { json } = await dev.put(`/api/v4/addons/${guid}/versions/1.0/`, { upload: body });
  return new URL((json as { validation_url: string }).validation_url).pathname;
}

/** The validator's results of an upload, replaced. */
async function setMessages(guid: string, messages: readonly object[]): Promise<void> {
  const validation = { errors: 0, warnings: messages.length, notices: 0, messages };
  await app.sql('update upload set validation = $1 where addon_id = (select id from addon where guid = $2)', [
    JSON.stringify(validation),
    guid,
  ]);
}

const MESSAGE = {
  id: ['manifest', 'x'],
  type: 'warning',
  message: '<script>alert(1)</script>',
  description: ['a', '<b>'],
  file: '"><img src=x onerror=y>',
  line: 1,
  column: null,
};

describe('the page at validation_url', () => {
  it('is public, follows events, and refreshes without scripts until the upload is complete', async () => {
    const path = await upload('moving@page.test', await xpi({ guid: 'moving@page.test', version: '1.0' }));
    const moving = await app.anonymous.get(`${path}/`);
    expect([moving.status, moving.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(moving.text).toContain(`<noscript><meta http-equiv="refresh" content="3; url=${path}/"></noscript>`);
    expect(moving.text).toContain(`data-events="${path}/events"`);
    expect(moving.headers['cache-control']).toBe('no-store');
    expect(textOf(moving)).toContain('Received The package waits for validation.');
    const events = app.anonymous.get(`${path}/events`);
    await app.runJobs();
    const resting = await app.anonymous.get(path);
    expect(resting.text).not.toMatch(/http-equiv="refresh"|data-events/);
    expect(textOf(resting)).toMatch(
      /Signed The signed file can be downloaded\..* Received \(done\).* Being validated \(done\).* Signed \(done\)/,
    );
    const { headers, ...stream } = await events;
    // Without the comments that keep an idle stream open.
    const text = stream.text.replaceAll(':\n\n', '');
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(text).toMatch(/^(?:data: (?:RECEIVED|VALIDATING|VALID|SIGNING|SIGNED)\n\n)+$/);
    expect(text).toContain('data: SIGNED');
  });

  it('shows the messages with file, line and column, and the next step in the language of the page', async () => {
    const path = await upload('broken@page.test', await brokenPackage({ guid: 'broken@page.test', version: '1.0' }));
    await app.runJobs();
    const page = await app.anonymous.get(path);
    expect(textOf(page)).toMatch(/Did not pass validation Validation found [1-9]\d* errors?\. Fix the errors/);
    expect(page.text).toMatch(/line \d+, column \d+/);
    const german = textOf(await app.anonymous.get(`${path}?lang=de`));
    expect(german).toMatch(/Nicht bestanden Die Prüfung hat (?:einen|\d+) Fehler gefunden\. Beheben Sie die Fehler/);
    expect(textOf(await app.anonymous.get(`${path}?lang=he`))).toContain('לא עברה את הבדיקה');
    // Texts of add-ons would be in French, the interface is not.
    expect(textOf(await app.anonymous.get(path, { 'Accept-Language': 'fr, de;q=0.5' }))).toContain(
      'Beheben Sie die Fehler',
    );
  });

  it('escapes texts of the package, and shows messages by page, severity, file and rule', async () => {
    const path = await upload('hostile@page.test', await xpi({ guid: 'hostile@page.test', version: '1.0' }));
    await app.runJobs();
    const other = { ...MESSAGE, type: 'notice', file: 'a.js', id: ['other'], message: 'Another one' };
    await setMessages('hostile@page.test', [...Array.from({ length: 201 }, () => MESSAGE), other]);
    const first = await app.anonymous.get(path);
    expect(first.text).not.toMatch(/<script>|<img|<b>/);
    expect(first.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const shown = (page: { text: string }) => documentOf(page)('.message-title').length;
    expect(shown(first)).toBe(100);
    expect(shown(await app.anonymous.get(`${path}?page=3`))).toBe(2);
    expect(shown(await app.anonymous.get(`${path}?page=99`))).toBe(2);
    for (const filter of ['severity=notice', 'file=a.js', 'rule=other', 'severity=notice&file=a.js']) {
      const page = await app.anonymous.get(`${path}?${filter}`);
      expect([filter, shown(page), page.text.includes('Another one')]).toEqual([filter, 1, true]);
    }
    expect(first.text).toContain(`href="${path}/?severity=notice#messages"`);
    expect(textOf(await app.anonymous.get(`${path}?severity=error`))).toContain('No message matches these filters.');
    const unknown = await app.anonymous.get(`${path}?severity=worst`);
    expect([unknown.status, textOf(unknown)]).toEqual([200, expect.stringContaining('ignored: severity=worst')]);
  });

  it('is a 404 page for an unknown upload, as are its events', async () => {
    for (const pk of ['0'.repeat(32), 'x', encodeURIComponent('<script>')]) {
      for (const path of [`/validation/${pk}/`, `/validation/${pk}/events`]) {
        const reply = await app.anonymous.get(path);
        expect([path, reply.status, reply.headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
        expect(reply.text).not.toContain('<script>');
      }
    }
    expect((await app.anonymous.get('/validation/%00/')).status).toBe(404);
  });
});

const EXCERPTS = `query($id: ID!, $places: [SourcePlaceInput!]!) {
  upload(by: { id: $id }) { sourceExcerpts(places: $places) { lines { number text cutBefore cutAfter } } } }`;

interface Excerpts {
  upload: { sourceExcerpts: ({ lines: { number: number; text: string }[] } | null)[] | null };
}

describe('the lines of the package at messages', () => {
  const SOURCE = 'const started = true;\nconst broken = ;\n';
  let path: string;
  let pk: string;
  beforeAll(async () => {
    path = await upload('lines@page.test', await brokenPackage({ guid: 'lines@page.test', version: '1.0' }));
    pk = path.split('/').at(-1) ?? '';
    await app.runJobs();
  });

  async function changeAuthors(statement: string, { accountId }: Client): Promise<void> {
    const { db } = await import('../../src/infra/db.ts');
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    const [row] = await app.sql<{ id: number }>("SELECT id FROM addon WHERE guid = 'lines@page.test'");
    await app.sql(statement, [accountId, row?.id]);
    await db.$transaction((tx) => publishAddons(tx, [row?.id ?? 0]));
  }

  const linesFor = async (client: Client, of = pk) => {
    const places = [{ file: 'background.js', line: 2, column: 1 }];
    const { upload: found } = await client.graphql<Excerpts>(EXCERPTS, { id: globalId('Upload', of), places });
    return found.sourceExcerpts?.map((excerpt) => excerpt?.lines.map(({ text }) => text).join('\n')) ?? null;
  };

  it('are for the developers of the add-on and the reviewers of its type and channel', async () => {
    const coauthor = await app.developer();
    await changeAuthors(
      "INSERT INTO addon_author (account_id, addon_id, role, position) VALUES ($1, $2, 'developer', 1)",
      coauthor,
    );
    const reviewer = await app.memberWith('Addons:ReviewUnlisted');
    for (const client of [dev, coauthor, reviewer, await app.admin()]) {
      expect(await linesFor(client)).toEqual([SOURCE.trimEnd()]);
      const { text, headers } = await (await visitorOf(app, client)).get(path);
      expect(text).toContain('<code>const broken = ;</code>');
      expect(headers['cache-control']).toBe('private, no-store');
    }
    const others = ['Addons:Review', 'Addons:ThemeReview', 'Addons:Edit', 'Users:Edit'].map((rule) =>
      app.memberWith(rule),
    );
    for (const client of [app.anonymous, await app.developer(), ...(await Promise.all(others))]) {
      expect(await linesFor(client)).toBeNull();
      const { status, text } =
        client === app.anonymous ? await client.get(path) : await (await visitorOf(app, client)).get(path);
      expect([status, /line 2, column/.test(text), text.includes('const broken')]).toEqual([200, true, false]);
    }
  });

  it('of a package that is not submitted are for its uploader alone', async () => {
    const waiting = await createUpload(dev, { guid: 'waiting@page.test', files: { 'background.js': SOURCE } });
    await app.runJobs();
    expect(await linesFor(dev, waiting.pk)).toEqual([SOURCE.trimEnd()]);
    expect(await linesFor(await app.admin(), waiting.pk)).toBeNull();
    expect(await linesFor(app.anonymous, waiting.pk)).toBeNull();
  });

  it('are read once an operation, at most 100 places', async () => {
    const twice = `{ a: upload(by: { id: "${globalId('Upload', pk)}" }) { sourceExcerpts(places: []) { lines { text } } }
      b: upload(by: { id: "${globalId('Upload', pk)}" }) { sourceExcerpts(places: []) { lines { text } } } }`;
    expect((await dev.graphqlResult(twice)).errors?.[0]?.extensions?.code).toBe('QUERY_TOO_COMPLEX');
    const places = Array.from({ length: 101 }, () => ({ file: 'a', line: 1 }));
    expect(
      (await dev.graphqlResult(EXCERPTS, { id: globalId('Upload', pk), places })).errors?.[0]?.extensions?.code,
    ).toBe('BAD_USER_INPUT');
    const odd = [
      { file: '\0', line: -1, column: -1 },
      { file: '../x', line: 2_147_483_647 },
      { file: '', line: 1 },
    ];
    const { upload: found } = await dev.graphql<Excerpts>(EXCERPTS, { id: globalId('Upload', pk), places: odd });
    expect(found.sourceExcerpts).toEqual([null, null, null]);
  });

  it('of a hostile package break no page', async () => {
    const huge = `/* ${'x'.repeat(200_000)} */`;
    const files = {
      'hostile.js':
        '</code></table></script><script>alert(1)</script>\n\u202eif (admin) {\u2066 // \u200b\u0007\t<!--\n]]>',
      'huge.js': `${huge}\n${huge}`,
      'binary.js': Buffer.from(Array.from({ length: 4_000 }, (_, index) => index % 256)),
      'lines.js': '\n'.repeat(200_000),
    };
    const hostile = await upload('evil@page.test', await xpi({ guid: 'evil@page.test', version: '1.0', files }));
    await app.runJobs();
    const message = (file: string, line: number, column: number | null) => ({ ...MESSAGE, file, line, column });
    await setMessages('evil@page.test', [
      ...[message('hostile.js', 2, 1), message('huge.js', 2, 150_000), message('binary.js', 2, 1)],
      ...[message('lines.js', 150_000, null), message('hostile.js', 1_000_000, 1), message('hostile.js', -5, 0)],
      ...[message('../../etc/passwd', 1, 1), message('none.js', 1, 1)],
    ]);
    const { status, text } = await (await visitorOf(app, dev)).get(hostile);
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script>|<!--|[\u202e\u2066\u200b]/);
    expect(text).toContain('&lt;U+202E&gt;if (admin) {&lt;U+2066&gt; // &lt;U+200B&gt;&lt;U+0007&gt;\t&lt;!--');
    expect(documentOf({ text })('.code-table')).toHaveLength(3);
    expect(text.length).toBeLessThan(40_000);
  });

  it('end for an uploader who is no author any more', async () => {
    await changeAuthors('DELETE FROM addon_author WHERE account_id = $1 AND addon_id = $2', dev);
    expect(await linesFor(dev)).toBeNull();
  });
});

describe('GET /signing/root.pem', () => {
  it('returns the root certificate of the development CA', async () => {
    const reply = await app.anonymous.get('/signing/root.pem');
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n$/);
  });
});
