import { html } from 'hono/html';
import {
  ReportAccountDocument,
  ReportAccountPageDocument,
  ReportAddonDocument,
  ReportAddonPageDocument,
} from '../../generated/operations/graphql.ts';
import { label, recordId, segment } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { facts } from '../components/facts.ts';
import { form as formOf } from '../components/form.ts';
import type { Field } from '../components/form-field.ts';
import { choice, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { page, type Redirect, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { addonBreadcrumbs, addonName, addonNameHtml, addonPath, toCanonical } from './addon-head.ts';

/** Reasons by the word that moderators read in the first line of the message. */
const REASONS = ['malware', 'privacy', 'deceptive', 'spam', 'offensive', 'copyright', 'other'] as const;

/** The first line has the reason, and the service takes 10,000 characters. */
const MAX_MESSAGE = 9_900;

/** The number of a report that was just sent. */
const number = { number: recordId('Number of the report that was sent.') };

const reasonField = (ui: Ui): Field => ({
  kind: 'radio',
  name: 'reason',
  label: ui.t('report.reason'),
  isRequired: true,
  options: REASONS.map((reason) => ({ value: reason, text: ui.t(`report.reason.${reason}`) })),
});

const messageField = (ui: Ui): Field => ({
  kind: 'textarea',
  name: 'message',
  label: ui.t('report.message'),
  hint: ui.t('report.message-hint'),
  isRequired: true,
  maxLength: MAX_MESSAGE,
  rows: 8,
});

/** The message for moderators: the reason in the first line. Nothing without words of the reporter, which are required. */
const withReason = ({ reason, message }: { reason: string; message: string }): string =>
  message === '' ? '' : `Reason: ${reason}\n\n${message}`;

/** Leads to the page with the number of the report. */
function sent(ui: { path: string }, databaseId: number): Redirect {
  const url = new URL(withDone(ui.path, 'report'), 'http://localhost');
  url.searchParams.set('number', String(databaseId));
  return redirect(`${url.pathname}${url.search}`, 303);
}

/** The form, or what happens next with the report of this number. */
function formOrNext(ui: Ui, reportNumber: number, fields: readonly Field[]): Html {
  const { t } = ui;
  if (reportNumber > 0) {
    return html`${facts(ui, { items: [{ term: t('report.number'), value: html`<bdi dir="ltr">${reportNumber}</bdi>` }] })}
<h2>${t('report.next')}</h2>
<p>${t('report.next-text')}</p>
<p>${t(ui.viewer === null ? 'report.next-anonymous' : 'report.next-mail')}</p>`;
  }
  return html`<p>${t('report.lead')}</p>
${formOf(ui, { name: 'report', parts: [...fields, reasonField(ui), messageField(ui)], submit: t('report.submit') })}`;
}

export const reportAddonPage = page({
  hidesRefusals: true,
  path: '/addon/:ref/report/',
  visitor: 'all',
  params: { ref: segment('Slug, id or guid of the add-on.') },
  query: number,
  document: ReportAddonPageDocument,
  variables: ({ path }) => path,
  view: ({ addon }, input, ui) => {
    if (addon === null) return null;
    const { t } = ui;
    return (
      toCanonical(addon, input, 'report/') ?? {
        title: t('report.addon-title', { name: addonName(addon) }),
        robots: 'noindex',
        canonical: addonPath(addon, 'report/'),
        main: html`${addonBreadcrumbs(ui, addon, t('report.crumb'))}
<div class="prose"><h1>${t('report.addon-title', { name: addonNameHtml(ui, addon) })}</h1>
${formOrNext(ui, input.query.number, [])}</div>`,
      }
    );
  },
});

export const reportAddonForm = form({
  page: reportAddonPage,
  name: 'report',
  fields: { reason: choice(...REASONS), message: textField },
  document: ReportAddonDocument,
  variables: (values, { path }) => ({ input: { addon: String(path.ref), message: withReason(values) } }),
  done: ({ reportAddon }, _input, _values, ui) =>
    sent(ui, reportAddon.__typename === 'ReportAddonPayload' ? reportAddon.report.databaseId : 0),
});

export const reportAccountPage = page({
  path: '/user/:username/report/',
  visitor: 'all',
  params: { username: segment('Username or id of the account.') },
  query: number,
  document: ReportAccountPageDocument,
  variables: ({ path }) => ({ ref: path.username }),
  view: ({ account }, { path, query }, ui) => {
    if (account === null) return null;
    const { t } = ui;
    const profile = `/user/${encodeURIComponent(account.username)}/`;
    if (path.username !== account.username) return redirect(`${profile}report/`, 301);
    const name = html`<bdi>${account.name}</bdi>`;
    return {
      title: t('report.account-title', { name: account.name }),
      robots: 'noindex',
      main: html`${breadcrumbs(ui, [
        { text: t('record.home'), href: '/' },
        { text: name, href: profile },
        { text: t('report.crumb') },
      ])}
<div class="prose"><h1>${t('report.account-title', { name })}</h1>
${formOrNext(ui, query.number, [])}</div>`,
    };
  },
});

export const reportAccountForm = form({
  page: reportAccountPage,
  name: 'report',
  fields: { reason: choice(...REASONS), message: textField },
  document: ReportAccountDocument,
  variables: (values, { path }) => ({ input: { user: String(path.username), message: withReason(values) } }),
  done: ({ reportAccount }, _input, _values, ui) =>
    sent(ui, reportAccount.__typename === 'ReportAccountPayload' ? reportAccount.report.databaseId : 0),
});

/** A report about an add-on that may not be in the catalogue, by its guid. */
export const reportGuidPage = page({
  path: '/report/',
  visitor: 'all',
  query: { ...number, guid: label('Guid of the add-on.') },
  view: (_data, { query }, ui) => {
    const { t } = ui;
    const field: Field = {
      kind: 'text',
      name: 'addon',
      label: t('report.guid'),
      hint: t('report.guid-hint'),
      isRequired: true,
      value: query.guid,
      maxLength: 255,
      direction: 'ltr',
    };
    return {
      title: t('report.guid-title'),
      robots: 'noindex',
      main: html`<div class="prose"><h1>${t('report.guid-title')}</h1>
${formOrNext(ui, query.number, [field])}</div>`,
    };
  },
});

export const reportGuidForm = form({
  page: reportGuidPage,
  name: 'report',
  fields: { addon: textField, reason: choice(...REASONS), message: textField },
  document: ReportAddonDocument,
  variables: ({ addon, ...values }) => ({ input: { addon, message: withReason(values) } }),
  done: ({ reportAddon }, _input, _values, ui) =>
    sent(ui, reportAddon.__typename === 'ReportAddonPayload' ? reportAddon.report.databaseId : 0),
});
