/* Read-only mode and the outbox on the pages of the administration. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { makeJob } from '../../support/jobs.ts';
import { documentOf, formFields, textOf, Visitor, visitorOf } from '../../support/pages.ts';

const app = setUpApp();
let root: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  root = await visitorOf(app, await app.admin());
  stranger = await visitorOf(app, await app.developer());
});

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
    expect(textOf(page)).toContain('It cannot be sent now. No mail server is configured');
    expect(textOf(page)).toContain('Put it back in the queue');
    expect(documentOf(await root.get(`/admin/mail/${sent}/`))('main .notice, main form')).toHaveLength(0);
    expect(textOf(page)).toContain('Subject <b>');
    const waiting = async () => documentOf(await root.get('/'))('.site-nav a[href="/admin/"] .count').text();
    expect(await waiting()).toBe('1 unsent mail');
    await makeJob(app);
    expect(await waiting()).toBe('1 unsent mail, 1 failed job');
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
    const waiting = documentOf(await root.get(`${path}?done=admin-retry-mail`));
    expect(waiting('#result').text()).toContain('sent as soon as a mail server accepts it');
    expect(waiting('#result').text()).toContain('No mail server is configured');
    expect(waiting('main .notice')).toHaveLength(1);
    expect(waiting('main form')).toHaveLength(0);
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
    for (const path of ['/admin/read-only/', '/admin/mail/']) {
      expect((await root.get(`${path}?lang=${language}`)).text).toContain(`<html lang="${language}"`);
    }
  });
});
