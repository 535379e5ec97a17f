import { html } from 'hono/html';
import { type FormName, formFields, type NamedListingField } from '../../domain/listing/fields.ts';
import {
  HubCategoriesDocument,
  type HubCategoriesQuery,
  HubEditDocument,
  type HubEditQuery,
  HubUpdateAddonDocument,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { changed, changedInput, changedTexts, type Expected, expectedTexts, type FieldChange } from '../changes.ts';
import { type FormPart, formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { checkbox, type FieldReader, listField, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { addLanguage } from './add-language.ts';
import { addonContent, HUB_ADDON_PAGE, hubAddon, hubUrl } from './hub-addon.ts';
import { categoryField, languageParts, languagesOfForm, listingField, writtenIn } from './listing-fields.ts';

type Addon = NonNullable<HubEditQuery['addon']>;

const isPlain = ({ isTranslated }: NamedListingField): boolean => !isTranslated;
const TEXTS = formFields.filter(({ isTranslated }) => isTranslated);

/** All tags in one line, separated by commas. */
const tagsField: FieldReader<string[]> = {
  read: (typed, name) =>
    textField
      .read(typed, name)
      .split(/[,\n]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
};

/** The listing of an add-on in all its languages. */
export const editPage = page({
  path: '/developers/addon/:ref/edit/',
  ...HUB_ADDON_PAGE,
  query: { add: labelParam('A language to add.') },
  document: HubEditDocument,
  more: { document: HubCategoriesDocument, variables: ({ addon }) => addon && { type: addon.type } },
  view: (data, { query }, ui, choices) => {
    const addon = hubAddon(data.addon, 'EDIT');
    return addonContent(ui, { addon, tab: 'edit', body: (own) => listingForm(own, addon, choices, query.add) });
  },
});

function listingForm(ui: Ui, addon: Addon, choices: HubCategoriesQuery | null, add: string | null): Html {
  const { defaultLocale } = addon;
  const fields = Object.fromEntries(TEXTS.map(({ name }) => [name, textsIn(addon, name)]));
  const languages = languagesOfForm(ui, { form: 'hub-edit', fields, defaultLocale, add });
  return html`${formElement(ui, {
    name: 'hub-edit',
    hidden: { id: addon.id },
    expected: { ...expectedTexts(fields, languages), ...expectedValues(addon) },
    parts: [
      ...languageParts(ui, { form: 'hub-edit', defaultLocale, languages }, (language) =>
        textParts(ui, addon, language),
      ),
      ...ownFields(ui, addon, choices),
    ],
    submit: ui.t('ui.save'),
  })}
${addLanguage(ui, { form: 'hub-edit', present: languages })}`;
}

/** A path with the language in the address of this page, if it has one. */
function inLanguageOf(ui: Ui, path: string): string {
  const language = new URL(ui.path, 'http://localhost').searchParams.get('lang');
  return language === null ? path : `${path}?${new URLSearchParams({ lang: language })}`;
}

/** The texts of a translated field by language. */
const textsIn = (addon: Addon, name: FormName) => addon[name] as Addon['summary'];

const FAILED = ['INVALID', 'REJECTED', 'ERROR'];

/** Whether it has a listed version, which needs a category, as a persona does. */
const hasListedVersion = ({ type, channelStates }: Addon): boolean =>
  type === 'PERSONA' ||
  channelStates?.some(
    ({ channel, stage, availableVersion }) =>
      channel === 'LISTED' && (availableVersion !== null || !FAILED.includes(stage)),
  ) === true;

const isLanguageTool = ({ type }: Addon): boolean => type === 'DICTIONARY' || type === 'LANGUAGE';

/** The value of a plain field. */
const valueIn = (addon: Addon, name: FormName) => addon[name] as string | boolean | null;

/** The plain fields that an add-on of this type has. */
const plainFieldsOf = (addon: Addon) =>
  formFields.filter((field) => isPlain(field) && (!field.isOfLanguageTools || isLanguageTool(addon)));

const expectedValues = (addon: Addon): Expected => ({
  slug: addon.slug,
  tags: addon.tags.join(', '),
  categories: addon.categories.map(({ id }) => id),
  ...Object.fromEntries(plainFieldsOf(addon).map(({ name }) => [name, valueIn(addon, name)])),
});

const textParts = (ui: Ui, addon: Addon, language: string): FormField[] =>
  TEXTS.map((field) => {
    const value = writtenIn(textsIn(addon, field.name), language);
    // A text that is there cannot be removed.
    const isRequired = language === addon.defaultLocale && field.isRequired === true && value !== '';
    return { ...listingField(ui, field, value), name: `${field.name}.${language}`, language, isRequired };
  });

function ownFields(ui: Ui, addon: Addon, choices: HubCategoriesQuery | null): FormPart[] {
  const { t } = ui;
  const own: FormPart[] = [
    {
      kind: 'text',
      name: 'slug',
      label: t('hub.field.slug'),
      hint: t('hub.field.slug-hint'),
      value: addon.slug,
      isRequired: true,
      maxLength: 30,
      direction: 'ltr',
    },
    categoryField(
      ui,
      choices?.categories ?? [],
      addon.categories.map(({ id }) => id),
      hasListedVersion(addon) && addon.categories.length > 0,
    ),
    {
      kind: 'text',
      name: 'tags',
      label: t('hub.field.tags'),
      hint: t('hub.field.tags-hint'),
      value: addon.tags.join(', '),
    },
    ...plainFieldsOf(addon)
      .map((field) => listingField(ui, field, valueIn(addon, field.name)))
      .sort((one, other) => Number(one.kind === 'checkbox') - Number(other.kind === 'checkbox')),
  ];
  return [{ kind: 'group', legend: t('hub.edit.all-languages'), parts: own }];
}

type PlainChange = FieldChange<string | boolean | null> | null;

/** Texts of which the form sends the changed ones. */
const textFields = Object.fromEntries(TEXTS.map(({ name }) => [name, changedTexts]));
const plainFields = Object.fromEntries(
  formFields.filter(isPlain).map(({ name, kind }): [string, FieldReader<PlainChange>] => {
    const field: FieldReader<string | boolean | null> = kind === 'flag' ? checkbox : optionalText;
    return [name, changed(field)];
  }),
);

export const editForm = form({
  page: editPage,
  name: 'hub-edit',
  isExtensible: true,
  fields: {
    id: textField,
    ...textFields,
    ...plainFields,
    slug: changed(textField),
    // An imported add-on may lack categories that changes of them need.
    categories: changed(listField),
    tags: changed(tagsField),
  },
  document: HubUpdateAddonDocument,
  variables: ({ id, ...values }) => {
    const all = Object.entries<readonly unknown[] | FieldChange<unknown> | null>(values);
    // The mutation refuses an empty text where one is required.
    const texts = all.filter(([, value]) => Array.isArray(value) && value.length > 0);
    const changes = all.filter((entry): entry is [string, FieldChange<unknown> | null] => !Array.isArray(entry[1]));
    return { input: { id, ...Object.fromEntries(texts), ...changedInput(Object.fromEntries(changes)) } };
  },
  done: ({ updateAddon }, _input, _values, ui) => {
    const target = 'addon' in updateAddon ? hubUrl(updateAddon.addon, 'edit') : '/developers/';
    return doneAt(inLanguageOf(ui, target), 'hub-edit');
  },
});
