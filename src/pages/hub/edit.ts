import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import {
  HubCategoriesDocument,
  type HubCategoriesQuery,
  HubEditDocument,
  type HubEditQuery,
  HubUpdateAddonDocument,
} from '../../generated/operations/graphql.ts';
import { label } from '../../http/params.ts';
import { type FormPart, form as formBox } from '../components/form.ts';
import type { Field as FieldPart } from '../components/form-field.ts';
import { notice } from '../components/notice.ts';
import { checkbox, type Field, listField, optionalText, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { TextKey } from '../texts.ts';
import type { RefusedForm, Ui } from '../ui.ts';
import { addLanguage, readLocale } from './add-language.ts';
import { ADDON_PARAMS, addonContent, hidden, hubAddon, hubHref } from './addon-frame.ts';
import { categoryField, languagePart, languagesOf } from './listing-fields.ts';

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

interface ChangedText {
  locale: string;
  value: string | null;
  replaces: string;
}

/** As `Translation.digest` of the schema. */
const digestOf = (text: string): string => (text === '' ? '' : createHash('sha256').update(text).digest('hex'));

/**
 * The texts `<name>.<locale>` that differ from those that the form was made with: the digests in `replaces.<name>.<locale>`. Unchanged
 * texts are not sent, so that editors of different texts do not disturb each other.
 */
const changedTexts: Field<ChangedText[]> = {
  read: (typed, name) =>
    [...typed.keys()]
      .filter((key) => key.startsWith(`${name}.`))
      .flatMap((key) => {
        const text = (typed.get(key)?.at(-1) ?? '').replaceAll('\r\n', '\n').replaceAll('\0', '').trim();
        const replaces = typed.get(`replaces.${key}`)?.at(-1) ?? '';
        return digestOf(text) === replaces
          ? []
          : [{ locale: key.slice(name.length + 1), value: text || null, replaces }];
      }),
};

/** The chosen categories; null for those that the form was made with. An imported add-on may lack categories that changes need. */
const changedCategories: Field<string[] | null> = {
  read: (typed, name) => {
    const chosen = listField.read(typed, name);
    return [...chosen].sort().join(' ') === (typed.get(`replaces.${name}`)?.at(-1) ?? '') ? null : chosen;
  },
};

/** The listing of an add-on in all its languages. */
export const editPage = hidden(
  page({
    path: '/developers/addon/:ref/edit/',
    visitor: 'account',
    params: ADDON_PARAMS,
    query: { add: label('A language to add.') },
    document: HubEditDocument,
    variables: ({ path }) => path,
    more: { document: HubCategoriesDocument, variables: ({ addon }) => addon && { type: addon.type } },
    view: (data, { query }, ui, choices) => {
      const addon = hubAddon(data.addon, 'EDIT');
      const added = readLocale(query.add) ?? typedLanguage(ui.form('hub-edit'));
      const languages = languagesOf(
        TEXTS.map((name) => textsOf(addon, name)),
        addon.defaultLocale,
        added,
      );
      const inForm = languagesIn(ui.form('hub-edit'), languages);
      return {
        ...addonContent(ui, {
          addon,
          tab: 'edit',
          body: html`${changes(ui, addon)}
${addLanguage(ui, inForm)}
${formBox(ui, {
  name: 'hub-edit',
  hidden: { id: addon.id, ...digests(addon, inForm) },
  parts: [...inForm.map((language) => languageTexts(ui, addon, language)), ...ownFields(ui, addon, choices)],
  submit: ui.t('hub.save'),
})}`,
        }),
        scripts: ['focus-errors.js'],
      };
    },
  }),
);

const textsOf = (addon: Addon, name: TextName) => (name === 'name' ? addon.nameTexts : addon[name]);

const storedText = (addon: Addon, name: TextName, language: string) =>
  textsOf(addon, name)?.all.find(({ locale }) => locale === language);

/** A language of a refused form that is not stored yet. */
const typedLanguage = (refused: RefusedForm | null): string | null =>
  [...(refused?.values.keys() ?? [])].findLast((key) => key.startsWith('name.'))?.slice('name.'.length) ?? null;

/** The languages of the form: also all those that a refused form had. */
function languagesIn(refused: RefusedForm | null, languages: readonly string[]): string[] {
  const typed = [...(refused?.values.keys() ?? [])].flatMap((key) =>
    key.startsWith('name.') ? [key.slice('name.'.length)] : [],
  );
  return [...new Set([...languages, ...typed.filter((each) => readLocale(each) !== null)])];
}

/** What the texts of the form replace: of a refused form too, the texts as they are stored now. */
const digests = (addon: Addon, languages: readonly string[]): Record<string, string> => ({
  'replaces.categories': addon.categories
    .map(({ id }) => id)
    .sort()
    .join(' '),
  ...Object.fromEntries(
    languages.flatMap((language) =>
      TEXTS.map((name) => [`replaces.${name}.${language}`, storedText(addon, name, language)?.digest ?? '']),
    ),
  ),
});

function languageTexts(ui: Ui, addon: Addon, language: string): FormPart {
  const parts = TEXTS.map((name): FieldPart => {
    const isRequired = language === addon.defaultLocale && (name === 'name' || name === 'summary');
    return {
      ...KINDS[name],
      name: `${name}.${language}`,
      label: ui.t(`hub.field.${name}` as TextKey),
      isRequired,
      language,
      value: storedText(addon, name, language)?.value ?? '',
    };
  });
  return languagePart(language, addon.defaultLocale, parts);
}

function ownFields(ui: Ui, addon: Addon, choices: HubCategoriesQuery | null): FormPart[] {
  const { t } = ui;
  const box = (name: 'isExperimental' | 'isSourcePublic' | 'publicStats' | 'requiresPayment'): FieldPart => ({
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
    box('isExperimental'),
    box('isSourcePublic'),
    box('publicStats'),
    box('requiresPayment'),
  ];
  return [{ kind: 'group', legend: t('hub.edit.all-languages'), parts: own }];
}

/** For a refused form: each text that was changed by others since, as typed and as it is stored now. */
function changes(ui: Ui, addon: Addon): Html {
  const { t } = ui;
  const refused = ui.form('hub-edit');
  const changed = Object.keys(refused?.errors ?? {}).flatMap((key) => {
    const [name = '', ...rest] = key.split('.');
    const language = rest.join('.');
    return language !== '' && TEXTS.some((each) => each === name) ? [{ key, name: name as TextName, language }] : [];
  });
  if (changed.length === 0) return html``;
  return notice(ui, {
    kind: 'warning',
    title: t('hub.edit.changed'),
    text: html`<p>${t('hub.edit.changed-how')}</p>
${changed.map(
  ({ key, name, language }) => html`<h2>${t(`hub.field.${name}` as TextKey)} – ${ui.format.languageName(language)}</h2>
<div class="hub-versions" lang="${language}" dir="auto">
<div><p class="muted">${t('hub.edit.typed')}</p><pre>${refused?.values.get(key)?.[0] ?? ''}</pre></div>
<div><p class="muted">${t('hub.edit.stored')}</p><pre>${storedText(addon, name, language)?.value ?? ''}</pre></div>
</div>
`,
)}`,
  });
}

export const editForm = form({
  page: editPage,
  name: 'hub-edit',
  fields: {
    id: textField,
    ...{ name: changedTexts, summary: changedTexts, description: changedTexts, developerComments: changedTexts },
    ...{ homepage: changedTexts, supportEmail: changedTexts, supportUrl: changedTexts },
    slug: textField,
    categories: changedCategories,
    tags: textField,
    contributionsUrl: optionalText,
    ...{ isExperimental: checkbox, isSourcePublic: checkbox, publicStats: checkbox, requiresPayment: checkbox },
  },
  document: HubUpdateAddonDocument,
  variables: ({ tags, categories, ...values }) => ({
    input: {
      ...values,
      ...(categories !== null && { categories }),
      tags: tags
        .split(/[,\n]/)
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    },
  }),
  done: ({ updateAddon }) =>
    redirect(withDone('addon' in updateAddon ? hubHref(updateAddon.addon, 'edit') : '/developers/', 'hub-edit'), 303),
});
