import { comparePage } from '../code/compare.ts';
import { filesPage } from '../code/files.ts';
import { sourcePage } from '../code/source.ts';
import type { PageRow } from '../page.ts';
import { addonPage } from './addon.ts';
import { categoriesPage, categoryPage, tagPage } from './categories.ts';
import { homePage } from './home.ts';
import { languageToolsPage } from './language-tools.ts';
import { latestPage } from './latest.ts';
import { policyPages } from './policies.ts';
import { previewPage } from './preview.ts';
import { searchPage } from './search.ts';
import { suggestPage } from './suggest.ts';
import { versionPage } from './version.ts';
import { versionsPage } from './versions.ts';

/** The catalogue: finding, judging and installing add-ons. */
export const cataloguePages: readonly PageRow[] = [
  homePage,
  searchPage,
  suggestPage,
  addonPage,
  versionsPage,
  versionPage,
  filesPage,
  sourcePage,
  comparePage,
  latestPage,
  previewPage,
  ...policyPages,
  categoriesPage,
  categoryPage,
  tagPage,
  languageToolsPage,
];
