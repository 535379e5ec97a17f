/* Who may open which page of the administration, and which tabs they get. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { makeJob } from '../../support/jobs.ts';
import { documentOf, type Visitor, visitorOf } from '../../support/pages.ts';

const { pages } = await import('../../../src/pages/table.ts');

/** The rules of the administration, and one of others. */
const RULES = [
  ...['Admin:Service', 'Admin:Curation', 'Admin:Catalogue', 'Admin:Groups', 'Admin:Audit', 'Admin:Mail'],
  ...['Users:Edit', 'Admin:*', '*:*', 'Addons:Review'],
];

/** By the path of the page: the rule that opens it. */
const NEEDS: Readonly<Record<string, string>> = {
  '/admin/': 'Admin:Service',
  '/admin/jobs/': 'Admin:Service',
  '/admin/jobs/:job/': 'Admin:Service',
  '/admin/featured/': 'Admin:Curation',
  '/admin/collections/': 'Admin:Curation',
  '/admin/collections/edit/': 'Admin:Curation',
  '/admin/replacements/': 'Admin:Curation',
  '/admin/replacements/edit/': 'Admin:Curation',
  '/admin/recommendations/': 'Admin:Curation',
  '/admin/overrides/': 'Admin:Curation',
  '/admin/overrides/edit/': 'Admin:Curation',
  '/admin/applications/': 'Admin:Catalogue',
  '/admin/categories/': 'Admin:Catalogue',
  '/admin/categories/edit/': 'Admin:Catalogue',
  '/admin/licenses/': 'Admin:Catalogue',
  '/admin/licenses/edit/': 'Admin:Catalogue',
  '/admin/users/': 'Users:Edit',
  '/admin/groups/': 'Admin:Groups',
  '/admin/read-only/': 'Admin:Service',
  '/admin/audit/': 'Admin:Audit',
  '/admin/audit/verify/': 'Admin:Audit',
  '/admin/audit/export.csv': 'Admin:Audit',
  '/admin/mail/': 'Admin:Mail',
};

/** Pages below that of a tab. */
const BELOW = /^\/admin\/[\w-]+\/./;

const app = setUpApp();
const visitors: Record<string, Visitor> = {};
/** The parameters of paths, by name. */
const values: Record<string, string> = {};
beforeAll(async () => {
  for (const rule of RULES) visitors[rule] = await visitorOf(app, await app.memberWith(rule));
  values.job = await makeJob(app);
  await app.sql("INSERT INTO collection (path, guids) VALUES ('of-roles', '{x@example}')");
  await app.sql("INSERT INTO compat_override (guid) VALUES ('of-roles@legacy')");
  await app.sql("INSERT INTO replacement (guid, path) VALUES ('of-roles@legacy', '/addon/x/')");
  visitors.stranger = await visitorOf(app, await app.developer());
});

const grants = (rule: string, needed: string): boolean =>
  rule === needed || rule === '*:*' || (rule === 'Admin:*' && needed.startsWith('Admin:'));

/** The queries of pages that need one. */
const QUERIES: Readonly<Record<string, string>> = {
  '/admin/categories/edit/': '?app=desktop_browser&type=extension&slug=other',
  '/admin/licenses/edit/': '?builtin=MIT',
  '/admin/collections/edit/': '?path=of-roles',
  '/admin/overrides/edit/': '?guid=of-roles%40legacy',
  '/admin/replacements/edit/': '?guid=of-roles%40legacy',
};

const addressOf = (path: string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? name) + (QUERIES[path] ?? '');

const ADMIN_PATHS = pages.map(({ path }) => path).filter((path) => path.startsWith('/admin/') && !path.includes(':id'));

describe('the pages of the administration', () => {
  it('are in the table of this test', () => {
    expect(Object.keys(NEEDS).sort()).toEqual([...ADMIN_PATHS].sort());
  });

  it('open for holders of their rule alone', async () => {
    const wrong: string[] = [];
    for (const [path, needed] of Object.entries(NEEDS)) {
      for (const [role, visitor] of Object.entries(visitors)) {
        const { status } = await visitor.get(addressOf(path));
        // The start page leads others to the first page that they may open.
        const refusal = path === '/admin/' && Object.values(NEEDS).some((each) => grants(role, each)) ? 302 : 403;
        const expected = grants(role, needed) ? 200 : refusal;
        if (status !== expected) wrong.push(`${path}, ${role}: ${status}; expected: ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('have the tabs that the viewer may open', async () => {
    for (const [role, visitor] of Object.entries(visitors)) {
      const own = Object.entries(NEEDS).filter(([, needed]) => grants(role, needed));
      for (const [path] of own.filter(([each]) => !each.endsWith('.csv'))) {
        const $ = documentOf(await visitor.get(addressOf(path)));
        const links = $('.tabs').first().find('a').toArray();
        expect([role, ...links.map((link) => String($(link).attr('href'))).sort()]).toEqual([
          role,
          ...own.flatMap(([each]) => (BELOW.test(each) ? [] : [each])).sort(),
        ]);
      }
    }
  });
});
