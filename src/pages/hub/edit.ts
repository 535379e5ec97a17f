import { html } from 'hono/html';
import {
  HubCategoriesDocument,
  type HubCategoriesQuery,
  HubEditDocument,
  type HubEditQuery,
  HubUpdateAddonDocument,
} from '../../generated/operations/graphql.ts';
import { label } from '../../http/params.ts';
import { changed, changedInput, changedTexts, type Expected, expectedTexts } from '../changes.ts';
import { type FormPart, form as formBox } from '../components/form.ts';
import type { Field as FieldPart } from '../components/form-field.ts';
import { checkbox, type Field, listField, optionalText, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { TextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { addLanguage } from './add-language.ts';
import { ADDON_PARAMS, addonContent, addonOfPath, hidden, hubAddon, hubHref, sentById } from './addon-frame.ts';
import { categoryField, languageParts, languagesOfForm, textIn } from './listing-fields.ts';

type Addon = NonNullable<HubEditQuery['addon']>;

/** The translated fields, in the order of the form. */
const TEXTS = [
  'name',
  'summary',
  'description',
  'developerComments',
  'homepage',
  'supportEmail',
  'supportUrl',
] as const;
type TextName = (typeof TEXTS)[number];

/** How each of them is typed. */
const KINDS: Readonly<
  Record<TextName, { kind: 'text' | 'email' | 'url' | 'textarea'; maxLength?: number; rows?: number }>
> = {
  name: { kind: 'text', maxLength: 50 },
  summary: { kind: 'textarea', maxLength: 250, rows: 3 },
  description: { kind: 'textarea', rows: 10 },
  developerComments: { kind: 'textarea', rows: 4 },
  homepage: { kind: 'url', maxLength: 255 },
  supportEmail: { kind: 'email' },
  supportUrl: { kind: 'url', maxLength: 255 },
};

/** All tags in one line, separated by commas. */
const tagsField: Field<string[]> = {
  read: (typed, name) =>
    textField
      .read(typed, name)
      .split(/[,\n]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
};

/** The listing of an add-on in all its languages. */
export const editPage = hidden(
  page({
    path: '/developers/addon/:ref/edit/',
    visitor: 'account',
    params: ADDON_PARAMS,
    query: { add: label('A language to add.') },
    document: HubEditDocument,
    variables: addonOfPath,
    more: { document: HubCategoriesDocument, variables: ({ addon }) => addon && { type: addon.type } },
    view: (data, { query }, asRequested, choices) => {
      const addon = hubAddon(data.addon, 'EDIT');
      const ui = sentById(asRequested, addon);
      return addonContent(ui, { addon, tab: 'edit', body: listingForm(ui, addon, choices, query.add) });
    },
  }),
);

function listingForm(ui: Ui, addon: Addon, choices: HubCategoriesQuery | null, add: string | null): Html {
  const { defaultLocale } = addon;
  const fields = Object.fromEntries(TEXTS.map((name) => [name, textsOf(addon, name)]));
  const languages = languagesOfForm(ui, { form: 'hub-edit', fields, defaultLocale, add });
  return html`${formBox(ui, {
    name: 'hub-edit',
    hidden: { id: addon.id },
    expected: { ...expectedTexts(fields, languages), ...expectedValues(addon) },
    parts: [
      ...languageParts(ui, { form: 'hub-edit', defaultLocale, languages }, (language) =>
        textParts(ui, addon, language),
      ),
      ...ownFields(ui, addon, choices),
    ],
    submit: ui.t('hub.save'),
  })}
${addLanguage(ui, { form: 'hub-edit', present: languages })}`;
}

/** A path with the language in the address of this page, if it has one. */
function inLanguageOf(ui: Ui, path: string): string {
  const language = new URL(ui.path, 'http://localhost').searchParams.get('lang');
  return language === null ? path : `${path}?${new URLSearchParams({ lang: language })}`;
}

const textsOf = (addon: Addon, name: TextName) => (name === 'name' ? addon.nameTexts : addon[name]);

const isRequired = (name: TextName): boolean => name === 'name' || name === 'summary';

const FAILED = ['INVALID', 'REJECTED', 'ERROR'];

/** Whether it has a listed version, which needs a category, as a persona does. */
const hasListedVersion = ({ type, channelStates }: Addon): boolean =>
  type === 'PERSONA' ||
  channelStates?.some(
    ({ channel, stage, availableVersion }) =>
      channel === 'LISTED' && (availableVersion !== null || !FAILED.includes(stage)),
  ) === true;

const isLanguageTool = ({ type }: Addon): boolean => type === 'DICTIONARY' || type === 'LANGUAGE';

function expectedValues(addon: Addon): Expected {
  const { slug, tags, contributionsUrl, isExperimental, isSourcePublic, hasPublicStatistics, requiresPayment } = addon;
  const { targetLocale, localeDisambiguation } = addon;
  return {
    ...{ slug, contributionsUrl, isExperimental, isSourcePublic, hasPublicStatistics, requiresPayment },
    tags: tags.join(', '),
    categories: addon.categories.map(({ id }) => id),
    ...(isLanguageTool(addon) && { targetLocale, localeDisambiguation }),
  };
}

const textParts = (ui: Ui, addon: Addon, language: string): FieldPart[] =>
  TEXTS.map((name) => ({
    ...KINDS[name],
    name: `${name}.${language}`,
    label: ui.t(`hub.field.${name}` as TextKey),
    // A text that is there cannot be removed.
    isRequired: language === addon.defaultLocale && isRequired(name) && textIn(textsOf(addon, name), language) !== '',
    language,
    value: textIn(textsOf(addon, name), language),
  }));

/** Of dictionaries and language packs. */
const languageToolFields = ({ t }: Ui, { targetLocale, localeDisambiguation }: Addon): FormPart[] => [
  {
    kind: 'text',
    name: 'targetLocale',
    label: t('hub.field.targetLocale'),
    hint: t('hub.field.targetLocale-hint'),
    value: targetLocale,
    maxLength: 255,
    direction: 'ltr',
  },
  {
    kind: 'text',
    name: 'localeDisambiguation',
    label: t('hub.field.localeDisambiguation'),
    hint: t('hub.field.localeDisambiguation-hint'),
    value: localeDisambiguation,
    maxLength: 255,
  },
];

function ownFields(ui: Ui, addon: Addon, choices: HubCategoriesQuery | null): FormPart[] {
  const { t } = ui;
  const box = (name: 'isExperimental' | 'isSourcePublic' | 'hasPublicStatistics' | 'requiresPayment'): FieldPart => ({
    kind: 'checkbox',
    name,
    label: t(`hub.field.${name}` as TextKey),
    isChecked: addon[name],
  });
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
    {
      kind: 'url',
      name: 'contributionsUrl',
      label: t('hub.field.contributionsUrl'),
      value: addon.contributionsUrl,
      maxLength: 255,
    },
    ...(isLanguageTool(addon) ? languageToolFields(ui, addon) : []),
    box('isExperimental'),
    box('isSourcePublic'),
    box('hasPublicStatistics'),
    box('requiresPayment'),
  ];
  return [{ kind: 'group', legend: t('hub.edit.all-languages'), parts: own }];
}

/** The texts with changes: the mutation refuses to leave a needed text empty that it gets. */
const givenTexts = <Texts extends Record<string, readonly unknown[]>>(texts: Texts): Partial<Texts> =>
  Object.fromEntries(Object.entries(texts).filter(([, changes]) => changes.length > 0)) as Partial<Texts>;

export const editForm = form({
  page: editPage,
  name: 'hub-edit',
  isExtensible: true,
  fields: {
    id: textField,
    ...{ name: changedTexts, summary: changedTexts, description: changedTexts, developerComments: changedTexts },
    ...{ homepage: changedTexts, supportEmail: changedTexts, supportUrl: changedTexts },
    slug: changed(textField),
    // An imported add-on may lack categories that changes of them need.
    categories: changed(listField),
    tags: changed(tagsField),
    ...{ contributionsUrl: changed(optionalText), targetLocale: changed(optionalText) },
    localeDisambiguation: changed(optionalText),
    ...{ isExperimental: changed(checkbox), isSourcePublic: changed(checkbox) },
    ...{ hasPublicStatistics: changed(checkbox), requiresPayment: changed(checkbox) },
  },
  document: HubUpdateAddonDocument,
  variables: ({
    id,
    name,
    summary,
    description,
    developerComments,
    homepage,
    supportEmail,
    supportUrl,
    ...values
  }) => ({
    input: {
      ...{ id, ...givenTexts({ name, summary, description, developerComments, homepage, supportEmail, supportUrl }) },
      ...changedInput(values),
    },
  }),
  done: ({ updateAddon }, _input, _values, ui) => {
    const target = 'addon' in updateAddon ? hubHref(updateAddon.addon, 'edit') : '/developers/';
    return redirect(withDone(inLanguageOf(ui, target), 'hub-edit'), 303);
  },
});
