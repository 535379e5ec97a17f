import { accountForms, accountPages } from './account/rows.ts';
import { feedPages } from './catalogue/feeds.ts';
import { recordForms, recordPages } from './catalogue/record-rows.ts';
import { crawlerPages } from './catalogue/robots.ts';
import { sitemapPages } from './catalogue/sitemap.ts';
import type { FormRow } from './form.ts';
import type { PageRow } from './page.ts';
import { siteForms, sitePages } from './site/rows.ts';

/** Every page. The first match wins. */
export const pages: readonly PageRow[] = [
  ...sitePages,
  ...recordPages,
  ...accountPages,
  ...feedPages,
  ...crawlerPages,
  ...sitemapPages,
];

/** Every form. */
export const forms: readonly FormRow[] = [...siteForms, ...recordForms, ...accountForms];
