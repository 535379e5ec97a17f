/* Texts that reviewers reuse: the list, and their forms for keepers. */
import { html } from 'hono/html';
import {
  type CannedFieldsFragment,
  CannedResponsesPageDocument,
  type CannedResponsesPageQuery,
  CreateCannedResponseDocument,
  DeleteCannedResponseDocument,
  UpdateCannedResponseDocument,
} from '../../generated/operations/graphql.ts';
import { recordId } from '../../http/params.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { languageAttributes } from '../components/local-text.ts';
import { type FieldReader, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { addedLanguage, addLanguage } from '../hub/add-language.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { reviewerPage } from './reviewer-page.ts';

const PATH = '/reviewers/canned/';
/** Languages of texts that a new response has fields for: those of the interface, English by its locale. */
const OFFERED = LANGUAGES.map((language) => (language === 'en' ? 'en-US' : language));
const MAX_NAME = 255;
const MAX_TEXT = 10_000;

const way = ({ t }: Ui) => [{ text: t('review.page.canned'), href: PATH }];

/** All texts by topic, which is the part of the name before a colon. */
export const cannedPage = page({
  ...{ path: PATH, visitor: 'account' },
  document: CannedResponsesPageDocument,
  view: ({ cannedResponses, isCannedResponseKeeper: isEditable }, _input, ui) => {
    const { t } = ui;
    const topics = Map.groupBy(cannedResponses, ({ name }) => /^([^:]+): /.exec(name)?.[1] ?? '');
    return reviewerPage(ui, {
      title: t('review.page.canned'),
      isForOthers: true,
      body: html`${isEditable && html`<p><a class="button" href="${PATH}new/">${t('review.canned.new')}</a></p>`}
${cannedResponses.length === 0 && html`<p>${t('review.canned.none')}</p>`}
${!isEditable && html`<p class="muted">${t('review.canned.keepers', { rule: html`<code>Admin:Review</code>` })}</p>`}
${[...topics].map(([topic, texts]) =>
  topic === ''
    ? html`${texts.map((each) => entry(ui, each, { isEditable, heading: 'h2' }))}`
    : html`<section class="stack"><h2>${topic}</h2>${texts.map((each) => entry(ui, each, { isEditable, heading: 'h3' }))}</section>`,
)}`,
    });
  },
});

function entry(
  ui: Ui,
  { databaseId, name, text }: CannedFieldsFragment,
  { isEditable, heading }: { isEditable: boolean; heading: 'h2' | 'h3' },
): Html {
  const { t, format } = ui;
  const title = html`<span dir="auto">${name}</span>`;
  return html`<article class="card">${heading === 'h2' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
<dl class="facts">${text.all.map(
    ({ locale, value }) =>
      html`<div><dt>${format.languageName(locale)}</dt><dd${languageAttributes(ui, locale)} class="thread-text">${value}</dd></div>`,
  )}</dl>
${isEditable && html`<p><a href="${PATH}${databaseId}/">${t('review.canned.edit')}<span class="visually-hidden"> ${name}</span></a></p>`}
</article>`;
}

/** The texts `text.<locale>` of a form; an empty one deletes the text. */
const textsField: FieldReader<{ locale: string; value: string | null }[]> = {
  read: (typed) =>
    [...typed.keys()]
      .filter((name) => name.startsWith('text.'))
      .map((name) => ({
        locale: name.slice('text.'.length),
        value: textField.read(typed, name) || null,
      })),
};

/** The page of a new text. */
export const newCannedPage = page({
  ...{ path: `${PATH}new/`, visitor: 'account' },
  document: CannedResponsesPageDocument,
  view: ({ isCannedResponseKeeper }, _input, ui) =>
    isCannedResponseKeeper
      ? reviewerPage(ui, {
          ...{ title: ui.t('review.canned.new'), way: way(ui), isForOthers: true },
          body: cannedForm(ui, 'canned-new', null),
        })
      : null,
});

export const newCannedForm = form({
  page: newCannedPage,
  name: 'canned-new',
  isExtensible: true,
  fields: { name: textField, text: textsField },
  document: CreateCannedResponseDocument,
  variables: ({ name, text }) => ({ input: { name, text: text.filter(({ value }) => value !== null) } }),
  done: () => doneAt(PATH, 'canned'),
});

/** The page on which a text is changed or deleted. */
export const editCannedPage = page({
  ...{ path: `${PATH}:id/`, visitor: 'account', params: { id: recordId('Id of the text.') } },
  document: CannedResponsesPageDocument,
  view: (data, { path }, ui) => {
    const found = editable(data, path.id);
    if (found === null) return null;
    return reviewerPage(ui, {
      ...{ title: found.name, way: way(ui), isForOthers: true },
      body: html`${cannedForm(ui, 'canned-edit', found)}
<section>${confirmForm(ui, {
        name: 'canned-delete',
        consequences: [ui.t('review.canned.delete-what')],
        submit: ui.t('review.canned.delete'),
        cancelHref: PATH,
        hidden: { id: found.id },
      })}</section>`,
    });
  },
});

const editable = (
  { cannedResponses, isCannedResponseKeeper }: CannedResponsesPageQuery,
  id: number,
): CannedFieldsFragment | null =>
  (isCannedResponseKeeper && cannedResponses.find(({ databaseId }) => databaseId === id)) || null;

export const editCannedForm = form({
  page: editCannedPage,
  name: 'canned-edit',
  isExtensible: true,
  fields: { id: textField, name: textField, text: textsField },
  document: UpdateCannedResponseDocument,
  variables: (input) => ({ input }),
  done: () => doneAt(PATH, 'canned'),
});

export const deleteCannedForm = form({
  page: editCannedPage,
  name: 'canned-delete',
  fields: { id: textField },
  document: DeleteCannedResponseDocument,
  variables: (input) => input,
  done: () => doneAt(PATH, 'canned'),
});

/** The form of a text; null for a new one. */
function cannedForm(ui: Ui, name: string, response: CannedFieldsFragment | null): Html {
  const { t } = ui;
  const stored = response?.text.all ?? [];
  const typed = [...(ui.form(name)?.values.keys() ?? [])]
    .filter((each) => each.startsWith('text.'))
    .map((each) => each.slice('text.'.length));
  const added = addedLanguage(ui, name);
  const present = [
    ...new Set([...stored.map(({ locale }) => locale), ...OFFERED, ...typed, ...(added === null ? [] : [added])]),
  ];
  const parts: FormPart[] = present.map((language) => ({
    kind: 'language',
    language,
    isDefault: false,
    isNew: language === added,
    parts: [
      {
        ...{ kind: 'textarea', name: `text.${language}`, label: t('review.comments'), maxLength: MAX_TEXT, rows: 5 },
        ...{ language, value: stored.find(({ locale }) => locale === language)?.value ?? '' },
      },
    ],
  }));
  return html`${formElement(ui, {
    name,
    hidden: response === null ? {} : { id: response.id },
    parts: [
      {
        ...{ kind: 'text', name: 'name', label: t('review.canned.name'), hint: t('review.canned.name-hint') },
        ...{ isRequired: true, maxLength: MAX_NAME, value: response?.name ?? '' },
      },
      ...parts,
    ],
    submit: t('review.canned.save'),
    actions: html`<a class="button" href="${PATH}">${t('ui.cancel')}</a>`,
  })}
${addLanguage(ui, { form: name, present })}`;
}
