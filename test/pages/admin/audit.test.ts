/* The audit log on the pages of the administration. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { documentOf, textOf, type Visitor, visitorOf } from '../../support/pages.ts';
import { areConstant, statementsDuring } from '../../support/statements.ts';

const app = setUpApp();
let root: Visitor;
let stranger: Visitor;
beforeAll(async () => {
  root = await visitorOf(app, await app.admin());
  stranger = await visitorOf(app, await app.developer());
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
    for (const query of ['?actor=%00', '?from=x&to=9999-99-99', '?after=x', '?object=%25', '?about=%00']) {
      expect((await root.get(`${PATH}${query}`)).status).toBeLessThan(500);
    }
  });

  it('keeps the other filters behind the links of an entry, and says what is saved', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const $ = documentOf(await root.get(`${PATH}?action=second-tested&from=${today}&done=x`));
    const hrefs = $('tbody a')
      .toArray()
      .map((link) => $(link).attr('href'));
    expect(hrefs).toEqual([
      `${PATH}?action=second-tested&from=${today}&actor=test+program`,
      `${PATH}?action=second-tested&from=${today}`,
    ]);
    const saving = (query: string) =>
      root.get(`${PATH}${query}`).then((page) => documentOf(page)('a[download]').text());
    expect(await saving('?action=second-tested')).toBe('Save the entries found as CSV');
    expect(await saving('')).toBe('Save all entries as CSV');
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
      const made = await addon({
        slug: `${mark}-${index}`,
        guid: `${mark}-${index}`,
        versions: [{ version: `7.${index}` }],
      });
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
        `/admin/audit/?about=${mark}-0`,
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
    const others = 'tbody li a[href^="/admin/"]:not([href^="/admin/audit/"]), tbody li a[href^="/moderation/"]';
    expect(seen(others)).toHaveLength(0);
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

  it('is folded until a filter is set, and has times with seconds', async () => {
    const filter = async (query: string) => documentOf(await root.get(`${PATH}${query}`))('details.folded-form');
    expect((await filter('')).attr('open')).toBeUndefined();
    expect((await filter('?actor=test+program')).attr('open')).toBe('open');
    expect((await filter('?about=x')).attr('open')).toBe('open');
    expect(textOf(await root.get(PATH))).toMatch(/\d:\d\d:\d\d [AP]M UTC/);
  });

  describe('about an account or an add-on', () => {
    const mark = 'Lantern Keeper';
    let addonId: number;
    let accountId: number;
    beforeAll(async () => {
      const made = await addon({ slug: 'lantern', guid: 'lantern@about.example', name: { 'en-US': mark } });
      addonId = made.id;
      accountId = Number((await app.developer()).accountId);
      await app.sql("UPDATE account SET username = 'wick', display_name = 'Wick & Co' WHERE id = $1", [accountId]);
      await record('addon-marked', { addonId });
      await record('account-marked', { accountId });
      for (const key of ['groupId', 'reportId', 'versionId', 'tokenId', 'id', 'job']) {
        for (const id of [addonId, accountId]) await record('other-marked', { [key]: key === 'job' ? String(id) : id });
      }
    });
    const shown = async (about: string, visitor = root) => {
      const $ = documentOf(await visitor.get(`${PATH}?${new URLSearchParams({ about })}`));
      const actions = $('tbody tr')
        .map((_, row) => $(row).find('td').eq(2).text())
        .get()
        // The test environment makes accounts by commands, which have entries, too.
        .filter((action) => action !== 'account-created');
      return { $, actions, text: $('main').text().replaceAll(/\s+/g, ' ') };
    };

    it('finds entries by the names that pages show, and says what it found', async () => {
      for (const about of ['wick', 'WICK', 'wick & co']) {
        const { $, actions, text } = await shown(about);
        expect([about, actions]).toEqual([about, ['account-marked']]);
        expect(text).toContain('Entries about account wick.');
        expect($(`main p a[href="/admin/users/${accountId}/"]`)).toHaveLength(1);
      }
      for (const about of [mark, 'lantern', 'lantern@about.example']) {
        const { actions, text } = await shown(about);
        expect([about, actions]).toEqual([about, ['addon-marked']]);
        expect(text).toContain(`Entries about add-on ${mark}.`);
      }
      const { text } = await root.get(`${PATH}export.csv?about=lantern`);
      expect(text.trim().split('\r\n')).toHaveLength(2);
    });

    it('takes a number as that of an account or add-on, and of nothing else', async () => {
      for (const [id, action] of [
        [addonId, 'addon-marked'],
        [accountId, 'account-marked'],
      ] as const) {
        const { actions } = await shown(String(id));
        expect(actions).toContain(action);
        expect(actions).not.toContain('other-marked');
      }
    });

    it('names similar add-ons for a text that names nothing, and explains the exact filter', async () => {
      await app.runJobs();
      const { $, actions, text } = await shown('Lantern Kee');
      expect(actions).toEqual([]);
      expect(text).toContain('There is no account or add-on “Lantern Kee”. Did you mean Lantern Keeper?');
      expect($('main p a[href="/admin/audit/?about=lantern%40about.example"]')).toHaveLength(1);
      const unknown = (await shown('there is none')).text;
      expect(unknown).toContain('There is no account or add-on “there is none”.');
      expect(unknown).not.toContain('no such entries');
      expect(textOf(await root.get(`${PATH}?object=wick`))).toContain(
        'There are no such entries. A stored value is compared as a whole.',
      );
    });

    it('is led to from the page of the add-on for reviewers, for those who may read the log', async () => {
      const links = async (visitor: Visitor) =>
        documentOf(await visitor.get('/reviewers/review/lantern/?version=1.0'))(
          'main a[href="/admin/audit/?about=lantern%40about.example"]',
        ).length;
      expect(await links(root)).toBe(1);
      expect(await links(await visitorOf(app, await app.reviewer()))).toBe(0);
    });

    it('does not name an add-on to auditors who may not see it', async () => {
      const hidden = await addon({ slug: 'snuffed', isDisabledByDeveloper: true, name: { 'en-US': 'Snuffed Candle' } });
      await record('hidden-marked', { addonId: hidden.id });
      const auditor = await visitorOf(app, await app.memberWith('Admin:Audit'));
      const { actions, text } = await shown('Snuffed Candle', auditor);
      expect(actions).toEqual(['hidden-marked']);
      expect(text).not.toContain('Entries about');
      expect((await shown('Snuffed Candle')).text).toContain('Entries about add-on Snuffed Candle.');
    });
  });
});

describe('in other languages', () => {
  it.each(['de', 'he'])('these pages are translated: %s', async (language) => {
    for (const path of ['/admin/audit/', '/admin/audit/?about=x', '/admin/audit/verify/']) {
      expect((await root.get(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`)).text).toContain(
        `<html lang="${language}"`,
      );
    }
  });
});
