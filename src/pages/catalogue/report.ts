import { html } from 'hono/html';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  ReportAccountDocument,
  ReportAccountPageDocument,
  ReportAddonDocument,
  ReportAddonPageDocument,
  ReportCollectionDocument,
  ReportCollectionPageDocument,
  ReportRatingDocument,
  ReportRatingPageDocument,
} from '../../generated/operations/graphql.ts';
import { accountReference, addonReference, ratingId } from '../../graphql/references.ts';
import { labelParam, recordId, segmentParam } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { localText } from '../components/local-text.ts';
import { choice, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { type PageContent, type PageRedirect, page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonBreadcrumbs, addonName, addonNameHtml, addonPath, toCanonical } from './addon-head.ts';
import { collectionPath } from './collections.ts';
import { ratingText } from './rating-parts.ts';
import { ratingPath } from './reviews.ts';

/** Reasons by the word that moderators read in the first line of the message. */
const REASONS = ['malware', 'privacy', 'deceptive', 'spam', 'offensive', 'copyright', 'other'] as const;

/** The first line has the reason, and the service takes 10,000 characters. */
const MAX_MESSAGE = 9_900;

const reasonField = (ui: Ui): FormField => ({
  kind: 'radio',
  name: 'reason',
  label: ui.t('report.reason'),
  isRequired: true,
  options: REASONS.map((reason) => ({ value: reason, text: ui.t(`report.reason.${reason}`) })),
});

const messageField = (ui: Ui): FormField => ({
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

/** Leads to the page with the state of the report. Its address has a secret unless the account that has sent it is signed in. */
function sent(ui: Ui, { report, key }: { report: { databaseId: number }; key: string }): PageRedirect {
  const query = new URLSearchParams(ui.viewer === null ? { key } : {});
  return doneAt(`/report/${report.databaseId}/?${query}`, 'report');
}

interface ReportPage {
  title: PageContent['title'];
  heading?: PageContent['title'];
  canonical?: string;
  crumbs?: Html;
  /** What the report is about. */
  quote?: Html;
  /** Fields before the reason. */
  fields?: readonly FormField[];
}

/** The page with the form of a report. */
function reportContent(
  ui: Ui,
  { title, heading = title, canonical, crumbs, quote, fields = [] }: ReportPage,
): PageContent {
  const parts = [...fields, reasonField(ui), messageField(ui)];
  return {
    title,
    robots: 'noindex',
    // Each response has an id of its own for the form.
    neverStored: true,
    ...(canonical !== undefined && { canonical }),
    main: html`${crumbs}
<div class="prose"><h1>${heading}</h1>
${quote}
<p>${ui.t('report.lead')}</p>
${formElement(ui, { name: FORM.name, parts, submit: ui.t('report.submit') })}</div>`,
  };
}

const FORM = { name: 'report', fields: { reason: choice(...REASONS), message: textField } } as const;

export const reportAddonPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/report/',
  document: ReportAddonPageDocument,
  view: ({ addon }, input, ui) => {
    if (addon === null) return null;
    const { t } = ui;
    return (
      toCanonical(addon, input, 'report/') ??
      reportContent(ui, {
        title: t('report.addon-title', { name: addonName(addon) }),
        heading: t('report.addon-title', { name: addonNameHtml(ui, addon) }),
        canonical: addonPath(addon, 'report/'),
        crumbs: addonBreadcrumbs(ui, addon, t('report.crumb')),
      })
    );
  },
});

export const reportAddonForm = form({
  page: reportAddonPage,
  ...FORM,
  document: ReportAddonDocument,
  variables: (values, { path }) => ({
    input: { addon: addonReference(String(path.ref)), message: withReason(values) },
  }),
  done: ({ reportAddon }, _input, _values, ui) => sent(ui, payloadOf(reportAddon, 'key')),
});

export const reportAccountPage = page({
  path: '/user/:username/report/',
  visitor: 'all',
  params: { username: segmentParam('Username or id of the account.') },
  document: ReportAccountPageDocument,
  variables: ({ path }) => ({ by: accountReference(path.username) }),
  view: ({ account }, { path }, ui) => {
    if (account === null) return null;
    const { t } = ui;
    const profile = `/user/${encodeURIComponent(account.username)}/`;
    if (path.username !== account.username) return redirect(`${profile}report/`, 301);
    const name = html`<bdi>${account.name}</bdi>`;
    return reportContent(ui, {
      title: t('report.account-title', { name: account.name }),
      heading: t('report.account-title', { name }),
      crumbs: breadcrumbs(ui, [
        { text: t('catalogue.home'), href: '/' },
        { text: name, href: profile },
        { text: t('report.crumb') },
      ]),
    });
  },
});

export const reportAccountForm = form({
  page: reportAccountPage,
  ...FORM,
  document: ReportAccountDocument,
  variables: (values, { path }) => ({
    input: { account: accountReference(String(path.username)), message: withReason(values) },
  }),
  done: ({ reportAccount }, _input, _values, ui) => sent(ui, payloadOf(reportAccount, 'key')),
});

export const reportCollectionPage = page({
  path: '/report/collection/:uuid/',
  visitor: 'all',
  hidesRefusals: true,
  params: { uuid: segmentParam('UUID of the collection.') },
  document: ReportCollectionPageDocument,
  variables: ({ path }) => ({ uuid: path.uuid }),
  view: ({ collection }, _input, ui) => {
    if (collection === null) return null;
    const { t } = ui;
    const { path, name } = collection;
    const heading = name?.value == null ? html`<bdi>${path}</bdi>` : localText(ui, name);
    return reportContent(ui, {
      title: t('report.collection-title', { name: name?.value ?? path }),
      heading: t('report.collection-title', { name: heading }),
      crumbs: breadcrumbs(ui, [
        { text: t('catalogue.home'), href: '/' },
        { text: heading, href: collectionPath(path) },
        { text: t('report.crumb') },
      ]),
    });
  },
});

export const reportCollectionForm = form({
  page: reportCollectionPage,
  ...FORM,
  document: ReportCollectionDocument,
  variables: (values, { path }) => ({
    input: { collection: { uuid: String(path.uuid) }, message: withReason(values) },
  }),
  done: ({ reportCollection }, _input, _values, ui) => sent(ui, payloadOf(reportCollection, 'key')),
});

/** A report about a rating or a reply, which the page quotes. */
export const reportRatingPage = page({
  path: '/ratings/:rating/report/',
  visitor: 'all',
  hidesRefusals: true,
  params: { rating: recordId('Id of the rating.') },
  document: ReportRatingPageDocument,
  variables: ({ path }) => ({ id: ratingId(path.rating) }),
  view: ({ rating }, _input, ui) => {
    if (rating === null) return null;
    const { t } = ui;
    const { addon, databaseId, isReply } = rating;
    const key = isReply ? 'report.reply-title' : 'report.rating-title';
    return reportContent(ui, {
      title: t(key, { name: addonName(addon) }),
      heading: t(key, { name: addonNameHtml(ui, addon) }),
      crumbs: breadcrumbs(ui, [
        { text: t('catalogue.home'), href: '/' },
        { text: addonNameHtml(ui, addon), href: addonPath(addon) },
        { text: t('addon.tab.ratings'), href: addonPath(addon, 'reviews/') },
        { text: t('report.crumb') },
      ]),
      quote: html`<blockquote class="rating-item" id="rating-${databaseId}">${ratingText(ui, rating, ratingPath)}</blockquote>`,
    });
  },
});

export const reportRatingForm = form({
  page: reportRatingPage,
  ...FORM,
  document: ReportRatingDocument,
  variables: (values, { path }) => ({
    input: { id: ratingId(Number(path.rating)), message: withReason(values) },
  }),
  done: ({ reportRating }, _input, _values, ui) => sent(ui, payloadOf(reportRating, 'key')),
});

/** A report about an add-on that may not be in the catalogue, by its guid. */
export const reportGuidPage = page({
  path: '/report/',
  visitor: 'all',
  query: { guid: labelParam('Guid of the add-on.') },
  view: (_data, { query }, ui) => {
    const { t } = ui;
    const field: FormField = {
      kind: 'text',
      name: 'addon',
      label: t('report.guid'),
      hint: t('report.guid-hint'),
      isRequired: true,
      value: query.guid,
      maxLength: 255,
      direction: 'ltr',
    };
    return reportContent(ui, { title: t('report.guid-title'), fields: [field] });
  },
});

export const reportGuidForm = form({
  page: reportGuidPage,
  ...FORM,
  fields: { addon: textField, ...FORM.fields },
  document: ReportAddonDocument,
  variables: ({ addon, ...values }) => ({
    input: { addon: addonReference(addon.trim()), message: withReason(values) },
  }),
  done: ({ reportAddon }, _input, _values, ui) => sent(ui, payloadOf(reportAddon, 'key')),
});
