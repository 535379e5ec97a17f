import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import {
  reportAccountForm,
  reportAccountPage,
  reportAddonForm,
  reportAddonPage,
  reportGuidForm,
  reportGuidPage,
} from './report.ts';
import { reportStatusPage } from './report-status.ts';
import { reviewsPage } from './reviews.ts';
import { signatureEntryPage, signatureLogPage } from './signature-log.ts';
import { signingPage } from './signing.ts';
import { statisticsFile, statisticsPage } from './statistics.ts';
import { userPage } from './user.ts';
import { validationEvents, validationPage } from './validation.ts';

/** Numbers, records and reports: pages of the catalogue in addition to its listings. */
export const recordPages: readonly PageRow[] = [
  ...[statisticsPage, statisticsFile, reviewsPage, userPage],
  ...[reportAddonPage, reportAccountPage, reportGuidPage, reportStatusPage],
  ...[signingPage, signatureLogPage, signatureEntryPage],
  ...[validationPage, validationEvents],
];

export const recordForms: readonly FormRow[] = [reportAddonForm, reportAccountForm, reportGuidForm];
