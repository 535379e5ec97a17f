import type { PageRow } from '../page.ts';
import { accessibilityPage } from './accessibility.ts';
import { agreementPage } from './agreement.ts';
import { applicationVersionsPage } from './application-versions.ts';
import { docsPage } from './article.ts';
import { firstAddonPage } from './first-addon.ts';
import { installHelpPage } from './install.ts';
import { limitsPage } from './limits.ts';
import { moderationHelpPage } from './moderation.ts';
import { apiPage, referencePage } from './reference.ts';
import { reviewHelpPage } from './review.ts';
import { reviewersHelpPage } from './reviewers.ts';
import { tryPage } from './try.ts';
import { verifyPage } from './verify.ts';

/** Help. */
export const docsPages: readonly PageRow[] = [
  docsPage,
  installHelpPage,
  firstAddonPage,
  reviewHelpPage,
  reviewersHelpPage,
  agreementPage,
  moderationHelpPage,
  verifyPage,
  limitsPage,
  applicationVersionsPage,
  apiPage,
  referencePage,
  tryPage,
  accessibilityPage,
];
