import { html } from 'hono/html';
import {
  HubListingChoicesDocument,
  type HubListingChoicesQuery,
  HubSubmissionDocument,
  type HubSubmissionQuery,
  HubSubmitAddonDocument,
  HubSubmitVersionDocument,
} from '../../generated/operations/graphql.ts';
import { segment } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { facts } from '../components/facts.ts';
import { type FormPart, form as formBox } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { listField, optionalText, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { hubHref, hubName } from './addon-frame.ts';
import { categoryField, licenseField, notesField } from './listing-fields.ts';
import { channelName } from './states.ts';

type Upload = NonNullable<HubSubmissionQuery['upload']>;

/** Making a version of a valid package: of a new add-on with its listing, or of an existing one. */
export const submissionPage = page({
  path: '/developers/submit/:pk/',
  visitor: 'account',
  params: { pk: segment('Identifier of the upload.') },
  document: HubSubmissionDocument,
  variables: ({ path }) => path,
  more: {
    document: HubListingChoicesDocument,
    variables: ({ upload }) => (upload === null || upload.addon !== null ? null : { type: upload.type }),
  },
  view: ({ upload }, _input, ui, choices) => {
    if (upload === null || !upload.isOwn) return null;
    const { t } = ui;
    if (upload.submitted) return redirect(upload.addon === null ? '/developers/' : hubHref(upload.addon), 303);
    if (!upload.valid) return redirect(`/validation/${upload.pk}/`, 303);
    return {
      title: t('hub.submission.title'),
      robots: 'noindex',
      section: 'developers',
      main: html`${breadcrumbs(ui, [{ text: t('hub.title'), href: '/developers/' }, { text: t('hub.submit.title'), href: '/developers/submit/' }, { text: t('hub.submission.title') }])}
<h1>${t('hub.submission.title')}</h1>
${facts(ui, {
  items: [
    { term: t('hub.waiting.package'), value: html`<bdi dir="ltr">${upload.guid ?? t('hub.waiting.no-id')}</bdi>` },
    { term: t('hub.uploads.version'), value: html`<bdi dir="ltr">${upload.version}</bdi>` },
    { term: t('hub.channel'), value: channelName(ui, upload.channel) },
    { term: t('hub.waiting.expires'), value: upload.expires === null ? null : ui.format.date(upload.expires) },
  ],
})}
${upload.addon === null ? newAddon(ui, upload, choices) : newVersion(ui, upload, upload.addon)}`,
    };
  },
});

function newAddon(ui: Ui, upload: Upload, choices: HubListingChoicesQuery | null): Html {
  const { t } = ui;
  const isListed = upload.channel === 'LISTED';
  const listing: FormPart[] = [
    {
      kind: 'textarea',
      name: 'summary',
      label: t('hub.field.summary'),
      hint: t('hub.submission.summary-hint'),
      maxLength: 250,
      rows: 3,
    },
    categoryField(ui, choices?.categories ?? [], []),
    licenseField(ui, choices?.licenses ?? [], { chosen: null, isRequired: isListed }),
  ];
  return html`<p>${t(isListed ? 'hub.submission.listed' : 'hub.submission.unlisted')}</p>
${formBox(ui, {
  name: 'hub-submit-addon',
  hidden: { upload: upload.id, locale: upload.defaultLocale ?? '' },
  parts: [...(isListed ? listing : []), notesField(ui)],
  submit: t(isListed ? 'hub.submission.send-listed' : 'hub.submission.send-unlisted'),
})}`;
}

function newVersion(ui: Ui, upload: Upload, addon: NonNullable<Upload['addon']>): Html {
  const { t } = ui;
  const name = html`<a href="${hubHref(addon)}">${hubName(ui, addon)}</a>`;
  return html`${notice(ui, { kind: 'info', text: t('hub.submission.version-of', { name }) })}
${formBox(ui, {
  name: 'hub-submit-version',
  hidden: { upload: upload.id, addon: addon.id },
  parts: [notesField(ui)],
  submit: t(upload.channel === 'LISTED' ? 'hub.submission.send-listed' : 'hub.submission.send-unlisted'),
})}`;
}

export const submitAddonForm = form({
  page: submissionPage,
  name: 'hub-submit-addon',
  fields: {
    upload: optionalText,
    locale: textField,
    summary: optionalText,
    categories: listField,
    license: optionalText,
    approvalNotes: optionalText,
  },
  document: HubSubmitAddonDocument,
  variables: ({ upload, locale, summary, categories, license, approvalNotes }) => ({
    input: {
      upload,
      ...(categories.length > 0 && { categories }),
      ...(license !== null && { license }),
      ...(approvalNotes !== null && { approvalNotes }),
      ...(summary !== null && { summary: [{ locale, value: summary }] }),
    },
  }),
  done: ({ submitAddon }) =>
    redirect('addon' in submitAddon ? withDone(hubHref(submitAddon.addon), 'hub-submitted') : '/developers/', 303),
});

export const submitVersionForm = form({
  page: submissionPage,
  name: 'hub-submit-version',
  fields: { upload: optionalText, addon: optionalText, approvalNotes: optionalText },
  document: HubSubmitVersionDocument,
  variables: ({ upload, addon, approvalNotes }) => ({
    input: { upload, addon, ...(approvalNotes !== null && { approvalNotes }) },
  }),
  done: ({ submitVersion }) =>
    redirect('addon' in submitVersion ? withDone(hubHref(submitVersion.addon), 'hub-submitted') : '/developers/', 303),
});
