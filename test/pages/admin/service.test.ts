/* Read-only mode, the audit log and the outbox on the pages of the administration. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { makeJob } from '../../support/jobs.ts';
import { documentOf, formFields, textOf, Visitor, visitorOf } from '../../support/pages.ts';
import { areConstant, statementsDuring } from '../../support/statements.ts';

let app: TestApp;
let root: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  app = await startApp();
  root = await visitorOf(app, await app.admin());
  stranger = await visitorOf(app, await app.developer());
});
afterAll(() => app.close());

describe('/admin/read-only/', () => {
  const PATH = '/admin/read-only/';
  const turn = async (reason: string) =>
    root.submit(PATH, 'admin-read-only', { ...(await formFields(root, PATH, 'admin-read-only')), reason });
  afterEach(async () => {
    const { on } = await formFields(root, PATH, 'admin-read-only');
    if (on === 'no') await turn('');
  });

  it('switches the mode on and, while it is on, off again; says by whom and why', async () => {
    expect(textOf(await root.get(PATH))).toContain('Begin read-only mode');
    const on = await turn('Move to <new> disks');
    expect([on.status, on.headers.location]).toEqual([303, `${PATH}?done=admin-read-only-on`]);
    const shown = textOf(await root.get(PATH));
    expect(shown).toContain('the switch on this page');
    expect(shown).toContain('Move to <new> disks');
    expect(shown).toMatch(/On, by \w+/);
    const written = await stranger.submit('/account/', 'profile', { biography: 'Typed while it was on' });
    expect(written.status).toBe(503);
    expect(written.text).toContain('Typed while it was on');
    const off = await turn('Done');
    expect([off.status, off.headers.location]).toEqual([303, `${PATH}?done=admin-read-only-off`]);
    expect(textOf(await root.get(PATH))).toMatch(/Off, by \w+/);
    const [last] = await app.sql<{ details: object }>(
      "SELECT details FROM audit_entry WHERE action = 'read-only-switched' ORDER BY id DESC LIMIT 1",
    );
    expect(last?.details).toEqual({ readOnly: false, reason: 'Done' });
  });

  it('has a text for each language, which refused changes say while the switch is on', async () => {
    const switchForm = await formFields(root, PATH, 'admin-read-only');
    const typed = { ...switchForm, reason: '', 'text.en': 'Back at noon.', 'text.he': 'נחזור בצהריים.' };
    expect((await root.submit(PATH, 'admin-read-only', typed)).status).toBe(303);
    const refusal = async (language: string) =>
      (
        await app.anonymous.request('POST', '/api/v4/accounts/super-create/', {
          headers: { 'Accept-Language': language },
        })
      ).json;
    expect(await refusal('en-GB')).toMatchObject({ detail: 'Back at noon.' });
    expect(await refusal('he')).toMatchObject({ detail: 'נחזור בצהריים.' });
    expect(JSON.stringify(await refusal('de'))).toContain('Wartung');
    const texts = await formFields(root, PATH, 'admin-read-only-text');
    expect(texts).toMatchObject({ 'text.en': 'Back at noon.', 'text.de': '', 'text.he': 'נחזור בצהריים.' });
    const changed = { ...texts, 'text.de': 'Bis Mittag.' };
    expect((await root.submit(PATH, 'admin-read-only-text', changed)).status).toBe(303);
    expect(await refusal('de')).toMatchObject({ detail: 'Bis Mittag.' });
    const long = await root.submit(PATH, 'admin-read-only-text', { ...texts, 'text.de': 'x'.repeat(501) });
    expect([long.status, documentOf(long)('[name="text.de"]').text().trim().length]).toEqual([422, 501]);
    await turn('');
    const late = await root.submit(PATH, 'admin-read-only-text', { ...changed, 'text.de': 'Bis abends.' });
    expect([late.status, textOf(late).includes('Read-only mode is not switched on')]).toEqual([422, true]);
    await turn('');
    expect(JSON.stringify(await refusal('en'))).toContain('website maintenance');
    const [entry] = await app.sql<{ details: object }>(
      "SELECT details FROM audit_entry WHERE details ? 'text' ORDER BY id DESC LIMIT 1",
    );
    expect(entry?.details).toEqual({
      ...{ readOnly: true, reason: '' },
      text: { de: 'Bis Mittag.', en: 'Back at noon.', he: 'נחזור בצהריים.' },
    });
  });

  it('is on all pages while it lasts, also on those that are kept for anonymous visitors', async () => {
    const anonymous = new Visitor(app);
    const { slug } = await addon();
    const banner = async (visitor: Visitor, query = '') => {
      const $ = documentOf(await visitor.get(`/addon/${slug}/${query}`));
      return $('.site-notice').text().replaceAll(/\s+/g, ' ').trim();
    };
    const mark = async (visitor: Visitor) => documentOf(await visitor.get('/'))('.site-nav .badge').text();
    expect([await banner(anonymous), await banner(anonymous), await mark(root)]).toEqual(['', '', '']);
    const fields = { ...(await formFields(root, PATH, 'admin-read-only')), reason: '' };
    expect((await root.submit(PATH, 'admin-read-only', { ...fields, 'text.en': 'Back at <noon>.' })).status).toBe(303);
    expect(await banner(anonymous)).toBe('Read-only mode Back at <noon>.');
    expect(await banner(anonymous, '?lang=de')).toMatch(/^Nur-Lese-Modus Alles lässt sich lesen/);
    expect(await banner(root)).toMatch(/ Show or end read-only mode$/);
    expect([await mark(root), await mark(stranger)]).toEqual(['read-only', '']);
    await turn('');
    expect([await banner(anonymous), await banner(anonymous, '?lang=de'), await mark(root)]).toEqual(['', '', '']);
  });

  it('is refused to others, and for unknown values', async () => {
    expect((await stranger.submit(PATH, 'admin-read-only', { on: 'yes', reason: '' })).status).toBe(403);
    const refused = await root.submit(PATH, 'admin-read-only', { on: 'x', reason: 'Kept words' });
    expect([refused.status, refused.text.includes('Kept words')]).toEqual([422, true]);
  });
});

describe('/admin/audit/', () => {
  const PATH = '/admin/audit/';

  async function record(action: string, details: Record<string, unknown> = {}): Promise<void> {
    const { recordAudit } = await import('../../../src/domain/activity/record-audit.ts');
    const { db } = await import('../../../src/infra/db.ts');
    await db.$transaction((tx) => recordAudit(tx, 'test program', action, details));
  }

  const actionsIn = async (query: string) => {
    const $ = documentOf(await root.get(`${PATH}${query}`));
    return $('tbody tr')
      .map((_, row) => $(row).find('td').eq(2).text())
      .get();
  };

  it('lists entries, the newest first, and selects them by actor, action, object and day', async () => {
    await record('first-tested', { addonId: 4711, name: '=1+1' });
    await record('second-tested', { name: 'x, "y"' });
    expect((await actionsIn('')).slice(0, 2)).toEqual(['second-tested', 'first-tested']);
    expect(await actionsIn('?actor=test+program')).toEqual(['second-tested', 'first-tested']);
    expect(await actionsIn('?action=first-tested')).toEqual(['first-tested']);
    expect(await actionsIn('?object=4711')).toEqual(['first-tested']);
    const today = new Date().toISOString().slice(0, 10);
    expect(await actionsIn(`?actor=test+program&from=${today}&to=${today}`)).toHaveLength(2);
    expect(await actionsIn('?to=2020-01-01')).toEqual([]);
    for (const query of ['?actor=%00', '?from=x&to=9999-99-99', '?after=x', '?object=%25']) {
      expect((await root.get(`${PATH}${query}`)).status).toBeLessThan(500);
    }
  });

  it('is saved as CSV, in which no value is a formula', async () => {
    const { status, headers, text } = await root.get(`${PATH}export.csv?actor=test+program`);
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="audit-log.csv"']);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toBe('index,created,actor,action,details,previousHash,hash');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('test program,first-tested,"{');
    expect((await stranger.get(`${PATH}export.csv`)).status).toBe(403);
  });

  it('has pages, and all of them in the file', async () => {
    for (let index = 0; index < 101; index++) await record('many-tested');
    const $ = documentOf(await root.get(`${PATH}?action=many-tested`));
    expect($('tbody tr')).toHaveLength(50);
    const second = documentOf(await root.get($('.pager a[rel=next]').attr('href') ?? ''));
    expect(second('tbody tr')).toHaveLength(50);
    const { text } = await root.get(`${PATH}export.csv?action=many-tested`);
    expect(text.trim().split('\r\n')).toHaveLength(102);
  });

  it('names what the ids of details are of, as links, in a constant number of statements', async () => {
    const mark = `named-${Date.now()}`;
    const about = async (index: number) => {
      const made = await addon({ slug: `${mark}-${index}`, versions: [{ version: `7.${index}` }] });
      const account = await app.developer();
      await record(mark, {
        ...{ addonId: made.id, versionId: made.versions[0]?.id, recipientId: Number(account.accountId) },
        ...{ reportId: 12, job: '34', tokenId: 56 },
      });
      return account.accountId;
    };
    const accountId = await about(0);
    const path = `${PATH}?action=${mark}`;
    const shown = await root.get(path);
    const $ = documentOf(shown);
    const few = await statementsDuring(() => root.get(path));
    const links = $('tbody li a').toArray();
    expect(links.map((link) => $(link).attr('href')).toSorted()).toEqual(
      [
        `/addon/${mark}-0/`,
        `/addon/${mark}-0/versions/7.0/`,
        `/admin/users/${accountId}/`,
        '/moderation/12/',
        '/admin/jobs/34/',
      ].toSorted(),
    );
    expect($('tbody li').text()).toContain('tokenId: 56');
    expect($('tbody td').eq(1).text()).toBe('test program');
    expect($(`select[name=action] option[selected]`).attr('value')).toBe(mark);
    expect(textOf(shown)).toContain('1 entry.');
    for (let index = 1; index < 6; index++) await about(index);
    expect(textOf(await root.get(path))).toContain('6 entries.');
    expect(areConstant(few, await statementsDuring(() => root.get(path)))).toBe(true);
    // Ids of what is not there, and of what the viewer may not see, stay numbers.
    await record(`${mark}-none`, { addonId: 2_000_000_000, versionId: -1, accountId: 'x', memberId: 2_000_000_001 });
    const none = documentOf(await root.get(`${PATH}?action=${mark}-none`));
    expect(none('tbody li a')).toHaveLength(0);
    const auditor = await visitorOf(app, await app.memberWith('Admin:Audit'));
    const seen = documentOf(await auditor.get(path));
    expect(seen('tbody li a[href^="/admin/"], tbody li a[href^="/moderation/"]')).toHaveLength(0);
    const today =
      documentOf(await root.get(path))('main a[href*="from="]')
        .last()
        .attr('href') ?? '';
    expect(await actionsIn(new URL(today, 'http://x').search)).toHaveLength(6);
  });

  it('is verified, and the first broken entry is named', async () => {
    expect(textOf(await root.get(`${PATH}verify/`))).toContain('The log is whole');
    const { auditVerification } = await (await app.admin()).graphql<Record<string, unknown>>(
      '{ auditVerification { count brokenIndex hasMore problems } }',
    );
    expect(auditVerification).toMatchObject({ brokenIndex: null, hasMore: false, problems: [] });
    await app.sql('GRANT UPDATE ON audit_entry TO CURRENT_USER');
    await app.sql('ALTER TABLE audit_entry DISABLE TRIGGER append_only');
    const [changed] = await app.sql<{ id: string }>(
      `UPDATE audit_entry SET details = '{"name": "other"}' WHERE action = 'second-tested' RETURNING id::text`,
    );
    expect(textOf(await root.get(`${PATH}verify/`))).toContain(`The first broken entry is ${changed?.id}.`);
    const rest = await root.get(`${PATH}verify/?after=${changed?.id}`);
    expect(textOf(rest)).toContain('The log is whole');
    for (const after of ['x', '999999999']) {
      expect((await root.get(`${PATH}verify/?after=${after}`)).status).toBeLessThan(500);
    }
    expect((await stranger.get(`${PATH}verify/`)).status).toBe(403);
  });
});

describe('/admin/mail/', () => {
  async function mail(state: string, lastError: string | null = null): Promise<number> {
    const [row] = await app.sql<{ id: number }>(
      `INSERT INTO outgoing_mail (address, cause, notification, subject, text, html, headers, state, last_error, next_attempt, sent)
       VALUES ('ada@mail.example', gen_random_uuid()::text, 'individual_contact', 'Subject <b>', 'Words', '<p>Words</p>', '[]', $1, $2,
         now() + interval '1 hour', CASE $1 WHEN 'sent' THEN now() END) RETURNING id`,
      [state, lastError],
    );
    return row?.id ?? 0;
  }

  it('lists the outbox by state and address, and shows why a mail was not sent', async () => {
    const failed = await mail('failed', '550 no such user');
    const sent = await mail('sent');
    const linksIn = async (query: string) => {
      const $ = documentOf(await root.get(`/admin/mail/${query}`));
      return $('tbody a')
        .map((_, link) => $(link).attr('href'))
        .get();
    };
    expect(await linksIn('?state=failed')).toEqual([`/admin/mail/${failed}/`]);
    const list = documentOf(await root.get('/admin/mail/'));
    expect(list('main .notice').text()).toContain('No mail server is configured');
    expect(list('.tabs a[href="/admin/mail/?state=failed"] .count').text()).toBe('1');
    expect(await linksIn('?to=ADA@mail.example')).toEqual([`/admin/mail/${sent}/`, `/admin/mail/${failed}/`]);
    const page = await root.get(`/admin/mail/${failed}/`);
    expect(textOf(page)).toContain('550 no such user');
    expect(textOf(page)).toContain('Subject <b>');
    const waiting = async () => documentOf(await root.get('/'))('.site-nav a[href="/admin/"] .count').text();
    expect(await waiting()).toBe('1');
    await makeJob(app);
    expect(await waiting()).toBe('2');
  });

  it('sends a mail again, but no mail that was sent', async () => {
    const failed = await mail('failed');
    const path = `/admin/mail/${failed}/`;
    const $ = documentOf(await root.get(path));
    const id = $('form input[name=id]').attr('value') ?? '';
    expect((await root.submit(path, 'admin-retry-mail', { id })).headers.location).toBe(
      `${path}?done=admin-retry-mail`,
    );
    const [row] = await app.sql<{ state: string }>('SELECT state FROM outgoing_mail WHERE id = $1', [failed]);
    expect(row?.state).toBe('queued');
    await app.sql("UPDATE outgoing_mail SET state = 'sent', sent = now() WHERE id = $1", [failed]);
    expect((await root.submit(path, 'admin-retry-mail', { id })).status).toBe(422);
    expect((await stranger.submit(path, 'admin-retry-mail', { id })).status).toBe(403);
    await app.sql('DELETE FROM outgoing_mail');
  });

  it('is not found without such a mail, and for others', async () => {
    const sent = await mail('sent');
    expect((await stranger.get(`/admin/mail/${sent}/`)).status).toBe(404);
    for (const id of ['0', 'x', '2000000000']) expect((await root.get(`/admin/mail/${id}/`)).status).toBe(404);
  });
});

describe('in other languages', () => {
  it.each(['de', 'he'])('these pages are translated: %s', async (language) => {
    for (const path of ['/admin/read-only/', '/admin/audit/', '/admin/audit/verify/', '/admin/mail/']) {
      expect((await root.get(`${path}?lang=${language}`)).text).toContain(`<html lang="${language}"`);
    }
  });
});
