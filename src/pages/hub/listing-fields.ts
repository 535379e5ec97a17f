/* Fields that several forms of the developer hub have. */
import { html } from 'hono/html';
import { formFields } from '../../domain/listing/fields.ts';
import { VERSION_FIELDS } from '../../domain/versions/fields.ts';
import type { HubListingChoicesQuery } from '../../generated/operations/graphql.ts';
import { categoryName, plainCategoryName } from '../components/category-name.ts';
import { PICTURE_TYPES } from '../components/file-field.ts';
import type { FormPart } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { textInLanguage } from '../components/local-text.ts';
import type { Html } from '../html.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { addedLanguage, readLocale } from './add-language.ts';

type Category = HubListingChoicesQuery['categories'][number];
type License = HubListingChoicesQuery['licenses'][number];

/** A field with its value; one text of a translated field. */
export function listingField(ui: Ui, field: (typeof formFields)[number], value: string | boolean | null): FormField {
  const { name, form: control = 'text', max: maxLength, check, hasHint } = field;
  const label = ui.t(`hub.field.${name}`);
  const common = { name, label, ...(hasHint && { hint: ui.t(`hub.field.${name}-hint` as PageTextKey) }) };
  if (typeof value === 'boolean' || control === 'checkbox') {
    return { ...common, kind: 'checkbox', isChecked: value === true };
  }
  const text = { ...common, value, maxLength };
  if (typeof control === 'object') return { ...text, ...control, kind: 'textarea' };
  return { ...text, kind: control, direction: check === 'language' ? 'ltr' : undefined };
}

/** A text of a new listing, which it must have. */
export function newText(ui: Ui, name: 'name' | 'summary', language: string): FormField {
  const [field] = formFields.filter((each) => each.name === name) as [(typeof formFields)[number]];
  const part = { ...listingField(ui, field, null), language, isRequired: true };
  return part;
}

/** All categories of a type as check boxes; the application is said where there are several. */
export function categoryField(
  ui: Ui,
  categories: readonly Category[],
  chosen: readonly string[],
  isRequired = false,
): FormField {
  const apps = new Set(categories.map(({ app }) => app));
  return {
    kind: 'checkboxes',
    name: 'categories',
    label: ui.t('hub.field.categories'),
    hint: ui.t('hub.field.categories-hint'),
    isRequired,
    values: chosen,
    options: categories.map((category) => {
      const name = categoryName(ui, category);
      return {
        value: category.id,
        text: apps.size > 1 ? html`${name} (${ui.t(`catalogue.app.${category.app}`)})` : name,
      };
    }),
  };
}

/** Categories of a type as options, which contain no elements. */
export function categoryOptions(ui: Ui, categories: readonly Category[]): SelectOption[] {
  const apps = new Set(categories.map(({ app }) => app));
  const options = categories.map((category) => {
    const name = plainCategoryName(ui, category) ?? category.slug;
    const text = apps.size > 1 ? html`${name} (${ui.t(`catalogue.app.${category.app}`)})` : name;
    return { value: category.id, text, detail: category.slug };
  });
  return distinctOptions(options);
}

/** Options that differ: those of the same text get their detail. */
function distinctOptions(options: readonly (SelectOption & { detail: string })[]): SelectOption[] {
  const texts = options.map(({ text }) => String(text));
  return options.map(({ value, text, detail }, index) => {
    const isRepeated = texts.some((other, place) => place !== index && other === texts[index]);
    return { value, text: isRepeated ? html`${text} – ${detail}` : text };
  });
}

interface SelectOption {
  value: string;
  text: Html | string;
}

interface LicenseChoice {
  /** Null without one. */
  chosen: { id: string; isCustom: boolean } | null;
  isRequired: boolean;
}

/** The built-in licences; a licence of the developers is that of the empty value. */
export function licenseField(ui: Ui, licenses: readonly License[], { chosen, isRequired }: LicenseChoice): FormField {
  return {
    kind: 'select',
    name: 'license',
    label: ui.t('hub.field.license'),
    isRequired,
    value: chosen === null || chosen.isCustom ? '' : chosen.id,
    options: [
      { value: '', text: ui.t(chosen?.isCustom ? 'hub.license.own' : 'hub.field.license-none') },
      // Options contain no elements.
      ...distinctOptions(
        licenses.map(({ id, name }, index) => ({ value: id, text: name?.value ?? id, detail: String(index + 1) })),
      ),
    ],
  };
}

/** The notes of a version for its reviewers. */
export const notesField = ({ t }: Ui, value: string | null = null): FormField => ({
  kind: 'textarea',
  name: 'approvalNotes',
  label: t('hub.approval-notes'),
  hint: t('hub.approval-notes.hint'),
  maxLength: VERSION_FIELDS.approval_notes.max,
  rows: 4,
  value,
});

/** A picture to choose. */
export const pictureField = ({ t }: Ui, hint: Html): FormPart => ({
  kind: 'file',
  name: 'file',
  label: t('ui.upload.picture'),
  hint,
  accept: PICTURE_TYPES,
  isRequired: true,
});

/** A text in all its languages. */
type Texts = { all: readonly { locale: string; value: string }[] } | null | undefined;

/** The languages of texts: the default one first, then the others in alphabetical order, with `added` among them. */
function languagesOf(texts: readonly Texts[], defaultLocale: string, added: readonly string[]): string[] {
  const found = texts.flatMap((text) => text?.all.map(({ locale }) => locale) ?? []);
  const others = new Set([...found, ...added]);
  others.delete(defaultLocale);
  return [defaultLocale, ...[...others].sort()];
}

interface TextsOfForm {
  /** The name of the form. */
  form: string;
  /** The stored texts, by the names of the translated fields. */
  fields: Readonly<Record<string, Texts>>;
  defaultLocale: string;
  /** The parameter `add` of the page. */
  add: string | null;
}

/** The languages of a form: those of the stored texts, the one to add, and those that a form which is shown again has. */
export function languagesOfForm(ui: Ui, { form, fields, defaultLocale, add }: TextsOfForm): string[] {
  const typed = [...(ui.form(form)?.values.keys() ?? [])].flatMap((key) => {
    const name = Object.keys(fields).find((each) => key.startsWith(`${each}.`));
    return name === undefined ? [] : [key.slice(name.length + 1)];
  });
  const added = [add, addedLanguage(ui, form), ...typed].map(readLocale).filter((locale) => locale !== null);
  return languagesOf(Object.values(fields), defaultLocale, added);
}

/** A text in one language; empty without one. */
export const writtenIn = (texts: Texts, locale: string): string => textInLanguage(texts, locale) ?? '';

/** The parts of a form with the texts of each language. */
export function languageParts(
  ui: Ui,
  { form, defaultLocale, languages }: Pick<TextsOfForm, 'form' | 'defaultLocale'> & { languages: readonly string[] },
  partsOf: (language: string) => readonly FormPart[],
): FormPart[] {
  const added = addedLanguage(ui, form);
  return languages.map((language) => ({
    kind: 'language',
    language,
    isDefault: language === defaultLocale,
    isNew: language === added,
    parts: partsOf(language),
  }));
}
