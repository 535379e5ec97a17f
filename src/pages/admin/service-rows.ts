import type { FormRow } from '../form.ts';
import type { PageRow } from '../page.ts';
import { auditExportPage, auditPage, auditVerificationPage } from './audit.ts';
import { mailPage, mailTextPage, retryMailForm } from './mail.ts';
import { noticeForm, readOnlyForm, readOnlyPage, readOnlyTextForm } from './read-only.ts';
import { serviceWebhookForms, serviceWebhookPage, serviceWebhooksPage } from './webhooks.ts';

/** Read-only mode, the audit log, the outbox and webhooks. */
export const servicePages: readonly PageRow[] = [
  readOnlyPage,
  ...[auditPage, auditVerificationPage, auditExportPage],
  ...[mailPage, mailTextPage],
  ...[serviceWebhooksPage, serviceWebhookPage],
];

export const serviceForms: readonly FormRow[] = [
  readOnlyForm,
  readOnlyTextForm,
  noticeForm,
  retryMailForm,
  ...serviceWebhookForms,
];
