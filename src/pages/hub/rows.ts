import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { activityPage, replyToReviewForm } from './activity.ts';
import { invitationForms } from './author-invitations.ts';
import { authorsPage, changeAuthorForm, orderAuthorsForm, removeAuthorForm } from './authors.ts';
import { dangerPage, deleteAddonForm, disableForm, operatorDisableForm } from './danger.ts';
import { editForm, editPage } from './edit.ts';
import { licenseForm, licensePage, policiesForm } from './license.ts';
import {
  addPreviewForm,
  captionForm,
  deletePreviewForm,
  iconForm,
  mediaPage,
  movePreviewForm,
  removeIconForm,
} from './media.ts';
import { overviewPage } from './overview.ts';
import { addPublisherForm, publishingPage, removePublisherForm } from './publishing.ts';
import { hubRootPage } from './root.ts';
import { submissionPage, submitAddonForm, submitVersionForm } from './submission.ts';
import { submitAgreementForm, submitPage, uploadForm, validateForm, validatePage } from './submit.ts';
import { newThemeForm, newThemePage, personaForms } from './theme.ts';
import { deleteVersionForm, filePage, hubVersionPage, sourceFileForm, versionForm } from './version.ts';
import { hubVersionsPage, newVersionForm, newVersionPage, versionAgreementForm } from './versions.ts';
import { addonWebhookForms, webhookPage, webhooksPage } from './webhooks.ts';

/** The developer hub. */
export const hubPages: readonly PageRow[] = [
  ...[hubRootPage, submitPage, submissionPage, validatePage, newThemePage],
  ...[overviewPage, editPage, mediaPage, licensePage, authorsPage, publishingPage, webhooksPage, webhookPage],
  // Before single versions, as "new" is no id.
  ...[newVersionPage, hubVersionsPage, hubVersionPage, activityPage, dangerPage, filePage],
];

export const hubForms: readonly FormRow[] = [
  ...[submitAgreementForm, uploadForm, submitAddonForm, submitVersionForm, validateForm, newThemeForm, editForm],
  ...[iconForm, removeIconForm, addPreviewForm, captionForm, movePreviewForm, deletePreviewForm, ...personaForms],
  ...[licenseForm, policiesForm, ...invitationForms(authorsPage), changeAuthorForm, orderAuthorsForm, removeAuthorForm],
  ...[versionAgreementForm, newVersionForm, versionForm, sourceFileForm, deleteVersionForm],
  ...[addPublisherForm, removePublisherForm, ...addonWebhookForms],
  ...[replyToReviewForm, disableForm, operatorDisableForm, deleteAddonForm],
];
