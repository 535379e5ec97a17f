/*
 * A second judgement set, `typed-queries.jsonl`: what people type in many languages, in one catalogue. The expectations follow from the
 * rules of relevance and from what a person who searches expects, never from a result of the code. Each line is a JSON object:
 *   `language` starts the part of a language; its add-ons and queries follow.
 *   `addon` is the id of an add-on. Its name and texts are in the language of the part, unless they are objects by locale.
 *   `query` is a typed text with the expected result. `lang` is the language of the client, by default that of the part.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  readSearchRequest,
  type SearchRequest,
  type SearchValues,
} from '../../../src/domain/search/query/search-request.ts';
import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../../src/package/enums.ts';
import { addon, type CatalogueAddon } from './catalogue.ts';
import type { Expectation, JudgementCase } from './judgement-cases.ts';

/** What a query tests. The first group are ways to type a word, the second are rules of the ranking. */
export const KINDS = [
  ...(['joined', 'letter', 'category', 'signs', 'umlaut', 'cjk', 'inflection', 'semitic', 'unmixed'] as const),
  ...(['exact', 'whole', 'start', 'phrase', 'words', 'prefix', 'loose', 'popularity', 'noise'] as const),
  ...(['filter', 'language'] as const),
] as const;

/** A typed query with the expected result. */
export interface TypedCase extends JudgementCase {
  kind: string;
  /** Whether the rules of relevance promise the result; otherwise it is desirable. */
  isRequired: boolean;
  values: SearchValues & { q: string; lang: string };
}

/** The add-ons of one language and their queries. */
export interface TypedLanguage {
  locale: string;
  addons: CatalogueAddon[];
  cases: TypedCase[];
}

const id = z.int().positive();
const text = z.string().min(1);

const languageLine = z.strictObject({ language: text, about: text });

const addonLine = z.strictObject({
  addon: id,
  users: z.int().nonnegative(),
  name: z.union([text, z.record(text, text)]),
  summary: text.optional(),
  type: z.enum(ADDON_TYPES).optional(),
  tags: z.array(text).optional(),
  authors: z.array(z.strictObject({ id, username: text })).optional(),
  platforms: z.array(z.enum(PLATFORMS)).optional(),
  compatibility: z.partialRecord(z.enum(APPLICATIONS), z.strictObject({ min: text, max: text })).optional(),
  isExperimental: z.boolean().optional(),
});

const queryLine = z.strictObject({
  query: text,
  kind: z.enum(KINDS),
  /** Absent for required queries. */
  isDesirable: z.literal(true).optional(),
  expect: z.strictObject({
    whole: z.array(id).optional(),
    first: id.optional(),
    order: z.array(id).min(2).optional(),
    contains: z.array(id).optional(),
    absent: z.array(id).optional(),
  }),
  lang: text.optional(),
  types: text.optional(),
  tags: text.optional(),
  app: text.optional(),
  platform: text.optional(),
  authors: z.strictObject({ names: z.array(text) }).optional(),
  excludeAddons: z.strictObject({ ids: z.array(id) }).optional(),
});

/**
 * Parses the lines of the file.
 * @throws {Error} with the line that has another form.
 */
export function readTypedQueries(lines: string): TypedLanguage[] {
  const languages: TypedLanguage[] = [];
  for (const line of lines.trimEnd().split('\n')) {
    const value: unknown = JSON.parse(line);
    const parse = <Line>(schema: z.ZodType<Line>): Line => {
      const { data, error } = schema.safeParse(value);
      if (error) throw new Error(`${line}: ${z.prettifyError(error)}`);
      return data;
    };
    const [kind] = Object.keys(value as object);
    const current = languages.at(-1);
    if (kind === 'language') languages.push({ locale: parse(languageLine).language, addons: [], cases: [] });
    else if (kind === 'addon') current?.addons.push(toAddon(parse(addonLine), current.locale));
    else current?.cases.push(toCase(parse(queryLine), current.locale));
  }
  return languages;
}

function toAddon({ addon: addonId, users, name, summary, ...rest }: z.infer<typeof addonLine>, locale: string) {
  const names = typeof name === 'string' ? { [locale]: name } : name;
  return addon(addonId, names, users, summary, { defaultLocale: locale, ...(rest as Partial<CatalogueAddon>) });
}

function toCase({ query, kind, isDesirable, expect, ...values }: z.infer<typeof queryLine>, locale: string): TypedCase {
  return {
    kind,
    isRequired: !isDesirable,
    values: { lang: locale, ...(values as SearchValues), q: query } as TypedCase['values'],
    expect: expect as Expectation,
  };
}

export const TYPED_LANGUAGES: readonly TypedLanguage[] = readTypedQueries(
  readFileSync(join(import.meta.dirname, 'typed-queries.jsonl'), 'utf8'),
);

/** The add-ons of all languages. */
export const TYPED_CATALOGUE: readonly CatalogueAddon[] = TYPED_LANGUAGES.flatMap(({ addons }) => addons);

/** The queries of all languages. */
export const TYPED_CASES: readonly TypedCase[] = TYPED_LANGUAGES.flatMap(({ cases }) => cases);

/** The ids that an expectation names. */
export function idsIn({ whole = [], first, order = [], contains = [], absent = [] }: Expectation): number[] {
  return [...whole, ...(first === undefined ? [] : [first]), ...order, ...contains, ...absent];
}

/** The name of an add-on in the language of the client that types it. */
export interface TypedName {
  addon: CatalogueAddon;
  locale: string;
  name: string;
}

const ENGLISH_NAMES = 30;
const OTHER_NAMES = 10;
const NAMES = 200;

/** 200 names to type letter by letter: the first ones of each language. */
export const NAMES_TO_TYPE: readonly TypedName[] = TYPED_LANGUAGES.flatMap(({ locale, addons }) =>
  addons
    .slice(0, locale === 'en-US' ? ENGLISH_NAMES : OTHER_NAMES)
    .map((each) => ({ addon: each, locale, name: each.name[locale] as string })),
).slice(0, NAMES);

/** What is in the search field while a name is typed: from the second letter on, without the spaces at the end. */
export function beginningsOf({ name }: TypedName): string[] {
  const letters = Array.from(name);
  const texts = letters.map((_letter, index) => letters.slice(0, index + 1).join('')).slice(1);
  return [...new Set(texts.map((each) => each.trim()))];
}

/** The search of a client. */
export function searchOf(q: string, locale: string): SearchRequest {
  return readSearchRequest({ q, lang: locale }, { locale, except: [] });
}
