/* Which tabs of the administration a viewer gets. Who may open which page is in test/authorization/service.txt. */
import { beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { SERVICE } from '../../support/authorization/coverage.ts';
import type { StaffRole } from '../../support/authorization/world.ts';
import { documentOf, type Visitor, visitorOf } from '../../support/pages.ts';

/** Roles by the rule that they hold. */
const ROLES: Readonly<Record<string, readonly StaffRole[]>> = {
  'Admin:Service': ['operator'],
  'Admin:Curation': ['curator'],
  'Admin:Catalogue': ['catalogueKeeper'],
  'Admin:Groups': ['groupAdmin'],
  'Admin:Audit': ['auditor'],
  'Admin:Mail': ['mailKeeper'],
  'Users:Edit': ['accountAdmin'],
  'Admin:*': ['operator', 'curator', 'catalogueKeeper', 'groupAdmin', 'auditor', 'mailKeeper'],
  '*:*': ['root'],
};

const app = setUpApp();
const visitors: Record<string, Visitor> = {};
beforeAll(async () => {
  for (const rule of Object.keys(ROLES)) visitors[rule] = await visitorOf(app, await app.memberWith(rule));
});

const TABS = [...SERVICE.actions.keys()].filter((path) => /^\/admin\/(?:[\w-]+\/)?$/.test(path));

it('every page of the administration has the tabs that the viewer may open', async () => {
  for (const [rule, roles] of Object.entries(ROLES)) {
    const own = TABS.filter((path) => roles.some((role) => SERVICE.actions.get(path)?.get('any')?.[role] === 200));
    for (const path of own) {
      const $ = documentOf(await (visitors[rule] as Visitor).get(path));
      const links = $('.tabs').first().find('a').toArray();
      const shown = links.map((link) => String($(link).attr('href'))).sort();
      expect([rule, path, ...shown]).toEqual([rule, path, ...own.toSorted()]);
      // Only areas with pages for the viewer have a heading.
      const headings = $('.tabs.grouped > div > span').length;
      expect([rule, headings]).toEqual([rule, rule.endsWith(':*') ? 3 : 1]);
      // On small screens they are folded.
      expect($('details.area-tabs > .tabs.grouped')).toHaveLength(1);
    }
  }
});
