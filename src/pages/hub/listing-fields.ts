/* Fields that several forms of a listing have: categories, licence, texts in several languages. */
import { html } from 'hono/html';
import type { HubListingChoicesQuery } from '../../generated/operations/graphql.ts';
import type { FormPart } from '../components/form.ts';
import type { Field } from '../components/form-field.ts';
import { localText } from '../components/local-text.ts';
import type { TextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

type Category = HubListingChoicesQuery['categories'][number];
type License = HubListingChoicesQuery['licenses'][number];

/** The name of an application. */
export const applicationName = (ui: Ui, app: string) =>
  ui.t(`hub.app.${app.toLowerCase().replaceAll('_', '-')}` as TextKey);

/** All categories of a type as check boxes; the application is said where there are several. */
export function categoryField(ui: Ui, categories: readonly Category[], chosen: readonly string[]): Field {
  const apps = new Set(categories.map(({ app }) => app));
  return {
    kind: 'checkboxes',
    name: 'categories',
    label: ui.t('hub.field.categories'),
    hint: ui.t('hub.field.categories-hint'),
    values: chosen,
    options: categories.map(({ id, app, name }) => ({
      value: id,
      text: apps.size > 1 ? html`${localText(ui, name)} (${applicationName(ui, app)})` : localText(ui, name),
    })),
  };
}

/** The built-in licences. `chosen` is null without one. */
export function licenseField(ui: Ui, licenses: readonly License[], chosen: string | null, isRequired: boolean): Field {
  return {
    kind: 'select',
    name: 'license',
    label: ui.t('hub.field.license'),
    isRequired,
    value: chosen,
    options: [
      { value: '', text: ui.t('hub.field.license-none') },
      // Options contain no elements.
      ...licenses.map(({ id, name }) => ({ value: id, text: name?.value ?? id })),
    ],
  };
}

/** A text in all its languages. */
type Texts = { all: readonly { locale: string; value: string }[] } | null | undefined;

/** The languages of texts: the default one first, then the others in alphabetical order, with `added` among them. */
export function languagesOf(texts: readonly Texts[], defaultLocale: string, added: string | null): string[] {
  const found = texts.flatMap((text) => text?.all.map(({ locale }) => locale) ?? []);
  const others = new Set([...found, ...(added === null ? [] : [added])]);
  others.delete(defaultLocale);
  return [defaultLocale, ...[...others].sort()];
}

/** A text in one language; empty without one. */
export const textIn = (texts: Texts, locale: string): string =>
  texts?.all.find((text) => text.locale === locale)?.value ?? '';

/** The parts of a form with all texts of one language. */
export const languagePart = (language: string, defaultLocale: string, parts: readonly FormPart[]): FormPart => ({
  kind: 'language',
  language,
  isDefault: language === defaultLocale,
  parts,
});
