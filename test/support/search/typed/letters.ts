/* Names typed letter by letter. */
import { readSearchRequest } from '../../../../src/domain/search/query/read-search-request.ts';
import type { SearchRequest } from '../../../../src/domain/search/query/search-request.ts';
import type { CatalogueAddon } from '../catalogue.ts';
import { TYPED_LANGUAGES } from './index.ts';

/** The name of an add-on in the language of the client that types it. */
export interface TypedName {
  addon: CatalogueAddon;
  locale: string;
  name: string;
}

const ENGLISH_NAMES = 30;
const OTHER_NAMES = 10;
const NAMES = 200;

/** 200 names: the first ones of each language in the tables. */
export const NAMES_TO_TYPE: readonly TypedName[] = TYPED_LANGUAGES.flatMap(({ locale, addons }) =>
  addons
    .slice(0, locale === 'en-US' ? ENGLISH_NAMES : OTHER_NAMES)
    .map((addon) => ({ addon, locale, name: addon.name[locale] as string })),
).slice(0, NAMES);

/** What is in the search field while a name is typed: from the second letter on, without the spaces at the end. */
export function beginningsOf({ name }: TypedName): string[] {
  const letters = Array.from(name);
  const texts = letters.map((_letter, index) => letters.slice(0, index + 1).join('')).slice(1);
  return [...new Set(texts.map((text) => text.trim()))];
}

/** The search of a client. */
export function searchOf(q: string, locale: string): SearchRequest {
  return readSearchRequest({ q, lang: locale }, { locale, except: [] });
}
