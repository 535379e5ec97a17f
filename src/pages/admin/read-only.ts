import { html } from 'hono/html';
import {
  AdminReadOnlyDocument,
  type AdminReadOnlyQuery,
  AdminSetNoticeDocument,
  AdminSetReadOnlyDocument,
} from '../../generated/operations/graphql.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { badge } from '../components/badge.ts';
import { facts } from '../components/facts.ts';
import { formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { textInLanguage } from '../components/local-text.ts';
import { moment } from '../components/time.ts';
import { choice, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import { type Html, joined } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { actorLink } from './actor.ts';
import { adminPage } from './admin-page.ts';

type State = AdminReadOnlyQuery['serviceState'];

const MAX_REASON = 500;
const MAX_TEXT = 500;

/** The switch of read-only mode, with what keeps the service in it. */
export const readOnlyPage = page({
  path: '/admin/read-only/',
  visitor: 'account',
  document: AdminReadOnlyDocument,
  view: ({ serviceState }, _input, ui) =>
    adminPage(ui, {
      tab: 'read-only',
      body: html`<p>${ui.t('admin.read-only.lead')}</p>
${stateFacts(ui, serviceState)}
${switchSection(ui, serviceState)}
${isSwitchedOn(serviceState) && textSection(ui, serviceState)}
${noticeSection(ui, serviceState)}`,
    }),
});

function stateFacts(ui: Ui, { isReadOnly, readOnlyCauses, lastSwitch }: State): Html {
  const { t } = ui;
  const causes = readOnlyCauses ?? [];
  return facts(ui, {
    items: [
      {
        term: t('hub.versions.state'),
        value: badge(ui, {
          kind: isReadOnly ? 'warning' : 'ok',
          text: t(isReadOnly ? 'admin.health.frozen' : 'admin.health.writable'),
        }),
      },
      {
        term: t('admin.read-only.causes'),
        value: causes.length === 0 ? null : joined(causes.map((cause) => t(`admin.read-only.cause.${cause}`))),
      },
      {
        term: t('admin.read-only.last'),
        value:
          lastSwitch &&
          t(lastSwitch.isReadOnly ? 'admin.read-only.switched-on' : 'admin.read-only.switched-off', {
            actor: actorLink(ui, lastSwitch.actor),
            time: moment(ui, lastSwitch.created),
          }),
      },
      {
        term: t('moderation.column.reason'),
        value: lastSwitch?.reason ? html`<span dir="auto">${lastSwitch.reason}</span>` : null,
      },
    ],
  });
}

const isSwitchedOn = ({ readOnlyCauses }: State): boolean => (readOnlyCauses ?? []).includes('SWITCHED');

function switchSection(ui: Ui, state: State): Html {
  const { t } = ui;
  const isSwitched = isSwitchedOn(state);
  const title = t(isSwitched ? 'admin.read-only.end' : 'admin.read-only.begin');
  return html`<section aria-labelledby="switch"><h2 id="switch">${title}</h2>
<p>${t(isSwitched ? 'admin.read-only.end-effect' : 'admin.read-only.begin-effect')}</p>
${formElement(ui, {
  name: 'admin-read-only',
  hidden: { on: isSwitched ? 'no' : 'yes' },
  parts: [
    {
      kind: 'text',
      name: 'reason',
      label: t('moderation.column.reason'),
      hint: t('admin.read-only.reason-hint'),
      maxLength: MAX_REASON,
    },
    ...(isSwitched ? [] : textParts(ui, state)),
  ],
  submit: title,
  isDanger: !isSwitched,
})}</section>`;
}

/** What the banner and refusals say, a field for each language of the service. */
const textParts = (ui: Ui, { readOnlyText }: State): FormField[] =>
  LANGUAGES.map((language) => ({
    kind: 'textarea',
    name: `text.${language}`,
    label: ui.t('admin.read-only.text-in', { language: ui.format.languageName(language) }),
    hint: ui.t('admin.read-only.text-hint'),
    value: textInLanguage(readOnlyText, language),
    maxLength: MAX_TEXT,
    rows: 2,
    language,
  }));

const textSection = (
  ui: Ui,
  state: State,
): Html => html`<section aria-labelledby="texts"><h2 id="texts">${ui.t('admin.read-only.texts')}</h2>
${formElement(ui, { name: 'admin-read-only-text', parts: textParts(ui, state), submit: ui.t('admin.read-only.texts-save') })}</section>`;

/** The notice on all pages, a field for each language of the service. Without a text, there is none. */
const noticeSection = (
  ui: Ui,
  { notice }: State,
): Html => html`<section aria-labelledby="notice"><h2 id="notice">${ui.t('admin.notice.title')}</h2>
<p>${ui.t('admin.notice.lead')}</p>
${formElement(ui, {
  name: 'admin-notice',
  parts: LANGUAGES.map((language) => ({
    kind: 'textarea' as const,
    name: `text.${language}`,
    label: ui.t('admin.notice.text-in', { language: ui.format.languageName(language) }),
    hint: ui.t('admin.notice.text-hint'),
    value: textInLanguage(notice, language),
    maxLength: MAX_TEXT,
    rows: 2,
    language,
  })),
  submit: ui.t('admin.notice.save'),
})}</section>`;

const TEXT_FIELDS = { 'text.en': textField, 'text.de': textField, 'text.he': textField } as const;

const textInput = (values: Readonly<Record<keyof typeof TEXT_FIELDS, string>>) =>
  LANGUAGES.map((locale) => ({ locale, value: values[`text.${locale}`] }));

/** Works in read-only mode, too. */
export const readOnlyForm = form({
  page: readOnlyPage,
  name: 'admin-read-only',
  fields: { on: choice('yes', 'no'), reason: textField, ...TEXT_FIELDS },
  document: AdminSetReadOnlyDocument,
  variables: ({ on, reason, ...texts }) => ({ isReadOnly: on === 'yes', reason, text: textInput(texts) }),
  done: (_result, _input, { on }, { path }) =>
    doneAt(path, on === 'yes' ? 'admin-read-only-on' : 'admin-read-only-off'),
});

/** Replaces the texts while the mode is on. */
export const readOnlyTextForm = form({
  page: readOnlyPage,
  name: 'admin-read-only-text',
  fields: TEXT_FIELDS,
  document: AdminSetReadOnlyDocument,
  variables: (texts) => ({ text: textInput(texts) }),
});

/** Replaces the notice on all pages. */
export const noticeForm = form({
  page: readOnlyPage,
  name: 'admin-notice',
  fields: TEXT_FIELDS,
  document: AdminSetNoticeDocument,
  variables: (texts) => ({ text: textInput(texts) }),
});
