/* The names of categories and licences and the terms of licences, a field for each language. */
import { config } from '../../config.ts';
import type { AdminNamesFragment } from '../../generated/operations/graphql.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { expectedTexts } from '../changes.ts';
import type { FormPart } from '../components/form.ts';
import { textInLanguage } from '../components/local-text.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

const MAX_NAME = 200;

/** The languages of the interface, the default one, and those that have a name. */
const languagesOf = (name: AdminNamesFragment | null): string[] => [
  ...new Set([
    config.DEFAULT_LOCALE,
    ...LANGUAGES.filter((each) => each !== 'en'),
    ...(name?.all ?? []).map(({ locale }) => locale),
  ]),
];

/** The fields of a name; null for a new object. */
export const nameParts = (ui: Ui, name: AdminNamesFragment | null): FormPart[] =>
  languagesOf(name).map((locale) => ({
    kind: 'text',
    name: `name.${locale}`,
    label: ui.t('admin.name-in', { language: ui.format.languageName(locale) }),
    value: textInLanguage(name, locale),
    isRequired: name === null && locale === config.DEFAULT_LOCALE,
    maxLength: MAX_NAME,
    language: locale,
  }));

/** The names that the form was made with. */
export const expectedNames = (name: AdminNamesFragment | null) => expectedTexts({ name }, languagesOf(name));

/** A text in several languages among the fields of a form. */
export interface NamedText {
  name: string;
  label: Html | string;
  texts: AdminNamesFragment | null;
  maxLength: number;
  /** Of a text of several lines. */
  rows?: number;
}

/** The language of the default locale: its texts are those of the locale where it has none. */
const BASE = config.DEFAULT_LOCALE.replace(/-.*/, '');

/** The languages of texts, and `further`, that of the list that they are in. */
function languagesOfAll(fields: readonly NamedText[], further: string | null): string[] {
  const stored = new Set(fields.flatMap(({ texts }) => (texts?.all ?? []).map(({ locale }) => locale)));
  const found = fields.flatMap(({ texts }) => languagesOf(texts));
  const hasBase = stored.has(BASE) && !stored.has(config.DEFAULT_LOCALE);
  const all = [...(hasBase ? [BASE] : []), ...found, ...(further === null ? [] : [further])];
  return [...new Set(all)].filter((each) => !(hasBase && BASE !== each && each === config.DEFAULT_LOCALE));
}

interface Places {
  /** The language of the list that the texts are in. */
  further?: string | null;
  /** Of a form that has several groups of a language: the prefix of their ids. */
  scope?: string;
}

/** The fields of texts, a group for each language, the default one first. */
export const textParts = (fields: readonly NamedText[], { further = null, scope = '' }: Places = {}): FormPart[] =>
  languagesOfAll(fields, further).map((language, index) => ({
    ...{ kind: 'language', language, scope, isDefault: index === 0 },
    parts: fields.map(({ name, label, texts, maxLength, rows }) => ({
      ...(rows === undefined ? { kind: 'text' as const } : { kind: 'textarea' as const, rows }),
      ...{ name: `${name}.${language}`, label, maxLength, language },
      value: textInLanguage(texts, language),
    })),
  }));

/** The texts that the form was made with. */
export const expectedIn = (fields: readonly NamedText[], further: string | null = null) =>
  expectedTexts(Object.fromEntries(fields.map(({ name, texts }) => [name, texts])), languagesOfAll(fields, further));

const MAX_TERMS = 100_000;

/** The fields of the terms of a licence. Terms of a licence in use stay, so that only further languages have fields. */
export const termsParts = (ui: Ui, terms: AdminNamesFragment | null, isUsed: boolean): FormPart[] =>
  termsLanguages(terms, isUsed).map((locale) => ({
    kind: 'textarea',
    name: `text.${locale}`,
    label: ui.t('admin.licenses.terms-in', { language: ui.format.languageName(locale) }),
    hint: ui.t('hub.field.html-hint'),
    value: textInLanguage(terms, locale),
    maxLength: MAX_TERMS,
    rows: 6,
    language: locale,
  }));

/** The terms that the form was made with. */
export const expectedTerms = (terms: AdminNamesFragment | null, isUsed: boolean) =>
  expectedTexts({ text: terms }, termsLanguages(terms, isUsed));

const termsLanguages = (terms: AdminNamesFragment | null, isUsed: boolean): string[] =>
  languagesOf(terms).filter((locale) => !(isUsed && terms?.all.some((each) => each.locale === locale)));
