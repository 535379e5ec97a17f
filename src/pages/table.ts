import { accountForms, accountPages } from './account/rows.ts';
import { adminForms, adminPages } from './admin/rows.ts';
import { collectionPages } from './catalogue/collections.ts';
import { feedPages } from './catalogue/feeds.ts';
import { replacementsPage } from './catalogue/replacements.ts';
import { crawlerPages } from './catalogue/robots.ts';
import { cataloguePages, recordForms, recordPages } from './catalogue/rows.ts';
import { sitemapPages } from './catalogue/sitemap.ts';
import { compareCommentForms } from './code/compare.ts';
import { fileCommentForms } from './code/files.ts';
import { docsPages } from './docs/rows.ts';
import type { FormRow } from './form.ts';
import { hubForms, hubPages } from './hub/rows.ts';
import { moderationForms, moderationPages } from './moderation/rows.ts';
import type { PageRow } from './page.ts';
import { reviewerForms, reviewerPages } from './reviewers/rows.ts';
import { siteForms, sitePages } from './site/rows.ts';

/** Every page. The first match wins. */
export const pages: readonly PageRow[] = [
  ...sitePages,
  ...recordPages,
  ...accountPages,
  ...hubPages,
  ...reviewerPages,
  ...adminPages,
  ...moderationPages,
  ...cataloguePages,
  ...feedPages,
  ...crawlerPages,
  ...sitemapPages,
  ...collectionPages,
  replacementsPage,
  ...docsPages,
];

/** Every form. */
export const allForms: readonly FormRow[] = [
  ...siteForms,
  ...recordForms,
  ...accountForms,
  ...hubForms,
  ...fileCommentForms,
  ...compareCommentForms,
  ...reviewerForms,
  ...adminForms,
  ...moderationForms,
];
