import { comparePage } from '../code/compare.ts';
import { filesPage } from '../code/files.ts';
import { sourcePage } from '../code/source.ts';
import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { addonPage } from './addon.ts';
import { categoriesPage, categoryPage, tagPage } from './categories.ts';
import { collectForm, collectNewForm, collectPage } from './collect.ts';
import { homePage } from './home.ts';
import { languageToolsPage } from './language-tools.ts';
import { latestPage } from './latest.ts';
import { policyPages } from './policies.ts';
import { previewPage } from './preview.ts';
import { ratingForms, ratingPage } from './rating.ts';
import {
  reportAccountForm,
  reportAccountPage,
  reportAddonForm,
  reportAddonPage,
  reportCollectionForm,
  reportCollectionPage,
  reportGuidForm,
  reportGuidPage,
  reportRatingForm,
  reportRatingPage,
} from './report.ts';
import { reportStatusPage } from './report-status.ts';
import { rateForm, reviewsPage } from './reviews.ts';
import { searchPage } from './search.ts';
import { signatureEntryPage, signatureLogPage } from './signature-log.ts';
import { signingPage } from './signing.ts';
import { statisticsFile, statisticsPage } from './statistics.ts';
import { suggestPage } from './suggest.ts';
import { userPage } from './user.ts';
import { validationEvents, validationPage } from './validation.ts';
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
  collectPage,
  previewPage,
  ...policyPages,
  categoriesPage,
  categoryPage,
  tagPage,
  languageToolsPage,
];

/** Numbers, records and reports: pages of the catalogue in addition to its listings. */
export const recordPages: readonly PageRow[] = [
  ...[statisticsPage, statisticsFile, reviewsPage, ratingPage, userPage],
  ...[reportAddonPage, reportAccountPage, reportCollectionPage, reportRatingPage, reportGuidPage, reportStatusPage],
  ...[signingPage, signatureLogPage, signatureEntryPage],
  ...[validationPage, validationEvents],
];

export const recordForms: readonly FormRow[] = [
  ...[reportAddonForm, reportAccountForm, reportCollectionForm, reportRatingForm, reportGuidForm],
  ...[collectForm, collectNewForm],
  rateForm,
  ...ratingForms,
];
