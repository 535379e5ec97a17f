/* What moderators do about the target of a report: disabling and enabling add-ons and accounts, and what the page shows of it. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { addon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { documentOf, formFields, type Visitor } from '../../support/pages.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';

const app = setUpApp();
let world: ReportWorld;
let visitors: ReportWorld['visitors'];
beforeAll(async () => {
  world = await makeReportWorld(app);
  visitors = world.visitors;
});

const audited = async (action: string) =>
  (
    await app.sql<{ details: object }>('SELECT details FROM audit_entry WHERE action = $1 ORDER BY id DESC', [action])
  )[0]?.details;

describe('the target of a report', () => {
  it('shows the reported texts as they are now, with a link to their page', async () => {
    const { db } = await import('../../../src/infra/db.ts');
    const accountId = world.reported.accountId ?? 0;
    await app.sql("UPDATE account SET biography = 'I sell <b>pills</b>.' WHERE id = $1", [accountId]);
    const slug = 'bad-list';
    const texts = { name: { 'en-US': 'Bad list' }, description: { 'en-US': 'Buy here.' } };
    const collection = await db.collection.create({ data: { accountId, slug, path: randomUUID(), ...texts } });
    const shownFor = async (facts: Parameters<ReportWorld['report']>[0]) => {
      const { path } = await world.report(facts);
      const section = documentOf(await visitors.moderator.get(path))('section[aria-labelledby=reported]');
      return [section.find('blockquote').text(), section.find('p.cluster a').last().attr('href')];
    };
    const [{ username = '' } = {}] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
      accountId,
    ]);
    expect(await shownFor({ accountId })).toEqual(['I sell <b>pills</b>.', `/user/${username}/`]);
    expect((await shownFor({}))[1]).toBe('/addon/reported/versions/1.0/');
    const { path } = await world.report({ accountId });
    await app.sql('UPDATE abuse_report SET collection_id = $1, collection_path = $2 WHERE id = $3', [
      ...[collection.id, `${username}/${slug}`, /\d+/.exec(path)?.[0]],
    ]);
    const list = documentOf(await visitors.moderator.get(path))('section[aria-labelledby=reported]');
    expect([list.find('strong').text(), list.find('blockquote').text()]).toEqual(['Bad list', 'Buy here.']);
    const unknown = documentOf(await visitors.moderator.get((await world.report({ addonGuid: 'no@example' })).path));
    expect(unknown('section[aria-labelledby=reported]').text()).toContain('This site does not have it.');
  });
});

describe('what follows from a report', () => {
  it('is disabling the add-on, with a reason that its owners read, and enabling it', async () => {
    const made = await addon({ authors: [world.reported.accountId ?? 0] });
    const { path } = await world.report({ addonId: made.id, addonGuid: made.guid });
    const fields = await formFields(visitors.staff, path, 'moderation-addon');
    expect((await visitors.staff.submit(path, 'moderation-addon', { ...fields, reason: '' })).status).toBe(422);
    const reply = await visitors.staff.submit(path, 'moderation-addon', { ...fields, reason: 'It steals.' });
    expect(reply.headers.location).toBe(`${path}?done=moderation-addon`);
    const statusOf = async () =>
      (await app.sql<{ status: string }>('SELECT status FROM addon WHERE id = $1', [made.id]))[0]?.status;
    expect(await statusOf()).toBe('disabled');
    const again = await formFields(visitors.staff, path, 'moderation-addon');
    expect(again.disabled).toBe('no');
    await visitors.staff.submit(path, 'moderation-addon', again);
    expect(await statusOf()).toBe('public');
  });

  it('is disabling the account, and enabling it', async () => {
    const { path } = await world.report({ accountId: world.reported.accountId ?? 0 });
    const fields = await formFields(visitors.staff, path, 'moderation-account');
    const box = documentOf(await visitors.staff.get(path))('details:has(form#moderation-account)');
    for (const part of ['and its collections are no longer public', 'account holder gets', 'keeps its decision'])
      expect(box.text()).toContain(part);
    expect(box.find('a[data-closes-details]').attr('href')).toBe(`${path}#actions`);
    const kept = await visitors.staff.submit(path, 'moderation-account', { ...fields, reason: ' ' });
    expect(kept.status).toBe(422);
    expect(documentOf(kept)('details:has(form#moderation-account)').attr('open')).toBeDefined();
    await visitors.staff.submit(path, 'moderation-account', { ...fields, reason: 'Spam.' });
    expect(await isDisabled()).toBe(true);
    expect(await audited('account-disabled')).toMatchObject({ accountId: world.reported.accountId, reason: 'Spam.' });
    await visitors.staff.submit(
      path,
      'moderation-account',
      await formFields(visitors.staff, path, 'moderation-account'),
    );
    expect(await isDisabled()).toBe(false);

    async function isDisabled() {
      const rows = await app.sql<{ disabled: boolean }>(
        'SELECT disabled_at IS NOT NULL AS disabled FROM account WHERE id = $1',
        [world.reported.accountId],
      );
      return rows[0]?.disabled;
    }
  });

  it('is offered to those alone who may do it', async () => {
    const about = {
      addon: await world.report(),
      account: await world.report({ accountId: world.reported.accountId ?? 0 }),
    };
    const formsOn = async (visitor: Visitor, path: string) =>
      documentOf(await visitor.get(path))('#actions')
        .parent()
        .find('form').length;
    expect(await formsOn(visitors.moderator, about.addon.path)).toBe(0);
    expect(await formsOn(visitors.moderator, about.account.path)).toBe(0);
    expect(await formsOn(visitors.staff, about.addon.path)).toBe(1);
    expect(await formsOn(visitors.staff, about.account.path)).toBe(1);
    const administrator = await world.report({ accountId: (await app.admin()).accountId ?? 0 });
    expect(await formsOn(visitors.staff, administrator.path)).toBe(0);
    const forced = { id: globalId('Addon', world.target.id), disabled: 'yes', reason: 'x' };
    expect((await visitors.moderator.submit(about.addon.path, 'moderation-addon', forced)).status).toBe(403);
  });

  it('needs a recent sign-in, and keeps what was typed', async () => {
    const { path } = await world.report({ accountId: world.reported.accountId ?? 0 });
    const fields = await formFields(visitors.staff, path, 'moderation-account');
    await app.sql(
      "UPDATE page_session SET created = now() - interval '1 hour' WHERE hash IN (SELECT hash FROM page_session)",
    );
    const reply = await visitors.staff.submit(path, 'moderation-account', { ...fields, reason: 'Typed reason' });
    expect(reply.status).toBe(401);
    expect(reply.text).toContain('Typed reason');
  });
});
