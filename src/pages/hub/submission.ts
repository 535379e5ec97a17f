import { html } from 'hono/html';
import { config } from '../../config.ts';
import { refusedField } from '../../errors.ts';
import {
  HubListingChoicesDocument,
  type HubListingChoicesQuery,
  HubSubmissionDocument,
  type HubSubmissionQuery,
  HubSubmitAddonDocument,
  HubSubmitVersionDocument,
} from '../../generated/operations/graphql.ts';
import { segmentParam } from '../../http/params.ts';
import { message } from '../../texts/messages.ts';
import { uploadOfPath } from '../catalogue/validation.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { facts } from '../components/facts.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { checkbox, type FieldValues, integerField, listField, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { hubName, hubUrl } from './hub-addon.ts';
import { categoryField, licenseField, newText, notesField } from './listing-fields.ts';
import { channelName } from './states.ts';

type Upload = NonNullable<HubSubmissionQuery['upload']>;

/** Making a version of a valid package: of a new add-on with its listing, or of an existing one. */
export const submissionPage = page({
  path: '/developers/submit/:pk/',
  visitor: 'account',
  params: { pk: segmentParam('Identifier of the upload.') },
  document: HubSubmissionDocument,
  variables: uploadOfPath,
  more: {
    document: HubListingChoicesDocument,
    variables: ({ upload }) => (upload === null || upload.listingGaps.length === 0 ? null : { type: upload.type }),
  },
  view: ({ upload }, _input, ui, choices) => {
    if (upload === null || !upload.isOwn) return null;
    const { t } = ui;
    if (upload.isSubmitted) return redirect(upload.addon === null ? '/developers/' : hubUrl(upload.addon), 303);
    if (upload.stage !== 'VALID') return redirect(`/validation/${upload.pk}/`, 303);
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
${submissionForm(ui, upload, choices)}`,
    };
  },
});

const FORMS = { new: 'hub-submit-addon', further: 'hub-submit-version' } as const;

/** The form of the submission: what the listing lacks, what users and reviewers read, and what the validator found. */
function submissionForm(ui: Ui, upload: Upload, choices: HubListingChoicesQuery | null): Html {
  const { t } = ui;
  const { addon, channel } = upload;
  const isListed = channel === 'LISTED';
  const locale = (addon?.defaultLocale ?? upload.defaultLocale) || config.DEFAULT_LOCALE;
  const name = addon && html`<a href="${hubUrl(addon)}">${hubName(ui, addon)}</a>`;
  return html`${name && notice(ui, { kind: 'info', text: t('hub.submission.version-of', { name }) })}
<p>${t(isListed ? 'hub.submission.listed' : 'hub.submission.unlisted')}</p>
${formElement(ui, {
  name: addon === null ? FORMS.new : FORMS.further,
  hidden: { upload: upload.id, locale, ...(addon !== null && { addon: addon.id }) },
  parts: [
    ...(isListed ? listingParts(ui, upload, choices, locale) : []),
    {
      kind: 'textarea',
      name: 'releaseNotes',
      label: t('hub.field.releaseNotes'),
      hint: t('hub.submission.notes-hint', { language: ui.format.languageName(locale) }),
      rows: 4,
      language: locale,
    },
    notesField(ui),
    ...warningsPart(ui, upload),
  ],
  submit: t(isListed ? 'hub.submission.send-listed' : 'hub.submission.send-unlisted'),
})}`;
}

/** The fields of the listing: those that are missing are required; a new add-on may replace the summary of its package. */
function listingParts(
  ui: Ui,
  { addon, listingGaps }: Upload,
  choices: HubListingChoicesQuery | null,
  locale: string,
): FormPart[] {
  const { t } = ui;
  const isMissing = (code: Upload['listingGaps'][number]) => listingGaps.includes(code);
  const summaryHint = isMissing('SUMMARY') ? 'hub.submission.summary-required' : 'hub.submission.summary-hint';
  return [
    ...(isMissing('NAME') ? [newText(ui, 'name', locale)] : []),
    ...(isMissing('SUMMARY') || addon === null
      ? [{ ...newText(ui, 'summary', locale), hint: t(summaryHint), isRequired: isMissing('SUMMARY') }]
      : []),
    ...(isMissing('CATEGORIES') ? [categoryField(ui, choices?.categories ?? [], [], true)] : []),
    ...(isMissing('LICENSE') ? [licenseField(ui, choices?.licenses ?? [], { chosen: null, isRequired: true })] : []),
  ];
}

/** Confirmation that the warnings of the validator were read; nothing without warnings. */
function warningsPart(ui: Ui, { pk, validation }: Upload): FormPart[] {
  const count = validation?.warnings ?? 0;
  if (count === 0) return [];
  const link = html`<a href="/validation/${pk}/?severity=warning">${ui.t('hub.submission.warnings-link')}</a>`;
  return [
    { kind: 'html', content: html`<input type="hidden" name="${WARNINGS}" value="${count}">` },
    {
      kind: 'checkbox',
      name: 'warningsSeen',
      label: ui.t('hub.submission.warnings-seen', { count }),
      hint: link,
      isRequired: true,
    },
  ];
}

/** The number of warnings that a form has shown. */
const WARNINGS = 'warnings';

/** @throws {InvalidInputError} unless the warnings that the form has shown were read. */
function requireSeen({ warnings, warningsSeen }: { warnings: number | null; warningsSeen: boolean }): void {
  if ((warnings ?? 0) > 0 && !warningsSeen) throw refusedField('warningsSeen', message('upload.warnings_not_read'));
}

const SHARED = {
  upload: optionalText,
  locale: textField,
  name: optionalText,
  summary: optionalText,
  categories: listField,
  license: optionalText,
  releaseNotes: optionalText,
  approvalNotes: optionalText,
  [WARNINGS]: integerField,
  warningsSeen: checkbox,
};

/** The input of both mutations. */
function inputOf(values: FieldValues<typeof SHARED>) {
  const { upload, locale, name, summary, categories, license, releaseNotes, approvalNotes } = values;
  requireSeen(values);
  const inDefault = (value: string) => [{ locale, value }];
  return {
    upload,
    ...(categories.length > 0 && { categories }),
    ...(license !== null && { license }),
    ...(approvalNotes !== null && { approvalNotes }),
    ...(name !== null && { name: inDefault(name) }),
    ...(summary !== null && { summary: inDefault(summary) }),
    ...(releaseNotes !== null && { releaseNotes: inDefault(releaseNotes) }),
  };
}

const submitted = (addon: Parameters<typeof hubUrl>[0]) => doneAt(hubUrl(addon), 'hub-submitted');

export const submitAddonForm = form({
  page: submissionPage,
  name: FORMS.new,
  fields: SHARED,
  document: HubSubmitAddonDocument,
  variables: (values) => ({ input: inputOf(values) }),
  done: ({ submitAddon }) => ('addon' in submitAddon ? submitted(submitAddon.addon) : redirect('/developers/', 303)),
});

export const submitVersionForm = form({
  page: submissionPage,
  name: FORMS.further,
  fields: { ...SHARED, addon: optionalText },
  document: HubSubmitVersionDocument,
  variables: ({ addon, ...values }) => ({ input: { ...inputOf(values), addon } }),
  done: ({ submitVersion }) =>
    'addon' in submitVersion ? submitted(submitVersion.addon) : redirect('/developers/', 303),
});
