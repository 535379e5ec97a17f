/* How staff come from the page of an add-on to what they may do about it, without a report. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { documentOf, formFields, textOf, type Visitor } from '../../support/pages.ts';
import { makeReportWorld, type ReportWorld } from '../../support/report-world.ts';

const app = setUpApp();
let world: ReportWorld;
let visitors: ReportWorld['visitors'];
beforeAll(async () => {
  world = await makeReportWorld(app);
  visitors = world.visitors;
});

const PAGE = '/addon/reported/';
const DANGER = '/developers/addon/reported/danger/';
const FORM = 'hub-operator-disable';

async function linksFor(visitor: Visitor): Promise<(string | undefined)[]> {
  const $ = documentOf(await visitor.get(PAGE));
  return $('nav[aria-labelledby=staff] a')
    .toArray()
    .map((link) => $(link).attr('href'));
}

describe('the links for staff on the page of an add-on', () => {
  it('lead to what each viewer may open, and are not shown to others', async () => {
    const [review, developers] = ['/reviewers/review/reported/', '/developers/addon/reported/'];
    const reports = `/moderation/?state=all&addon=${world.target.id}`;
    expect(await linksFor(visitors.anonymous)).toEqual([]);
    expect(await linksFor(visitors.stranger)).toEqual([]);
    expect(await linksFor(visitors.moderator)).toEqual([reports]);
    expect(await linksFor(visitors.staff)).toEqual([review, reports, developers, DANGER]);
    const audit = `/admin/audit/?${new URLSearchParams({ about: world.target.guid })}`;
    const all = [review, reports, audit, developers, DANGER];
    expect(await linksFor(visitors.administrator)).toEqual(all);
    for (const path of all) {
      expect((await visitors.administrator.get(String(path))).status, path).toBeLessThan(400);
    }
  });

  it('lead to the form that disables the add-on as the operator, and enables it again', async () => {
    expect((await visitors.moderator.get(DANGER)).status).toBe(403);
    const page = await visitors.staff.get(DANGER);
    expect(textOf(page)).toContain('Compatibility overrides stop installed copies.');
    expect(documentOf(page)('a[href="/admin/overrides/"]')).toHaveLength(0);
    const $ = documentOf(await visitors.administrator.get(DANGER));
    expect($('main a[href="/admin/overrides/"]').text()).toBe('Compatibility overrides');
    // Only its developers disable it as such.
    expect($('#hub-disable')).toHaveLength(0);

    const fields = await formFields(visitors.staff, DANGER, FORM);
    expect((await visitors.moderator.submit(DANGER, FORM, { ...fields, reason: 'Spyware.' })).status).toBe(403);
    const disabled = await visitors.staff.submit(DANGER, FORM, { ...fields, reason: 'Spyware.' });
    expect([disabled.status, disabled.headers.location]).toEqual([303, `${DANGER}?done=moderation-addon`]);
    expect((await visitors.anonymous.get(PAGE)).status).toBe(404);
    const staffPage = await visitors.staff.get(PAGE);
    expect(textOf(staffPage)).toContain('Enable it as the operator');
    const again = await formFields(visitors.staff, DANGER, FORM);
    expect((await visitors.staff.submit(DANGER, FORM, again)).status).toBe(303);
    expect((await visitors.anonymous.get(PAGE)).status).toBe(200);
  });
});
