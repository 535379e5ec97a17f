/*
 * Parser of the tables in this folder: add-ons and the queries that people type for them, by language. A table has one line per row;
 * cells are separated by `|`, and an empty line separates groups.
 *
 * Add-ons:  id | users | name | summary | property=value | …
 *   `type`, `tags` (comma list), `platform`, `app`, `author` (bob), `experimental` and `featured` (yes), `description`; every other
 *   property is the locale of another name: `de=Rezept Amsel`. The default locale is that of the file.
 * Queries:  required or nice | kind | text | expectation | parameter=value | …
 *   The expectation lists conditions on the result: `=1,2` is the whole result (`=` alone: nothing), `^1` comes first, `1>2>3` is an
 *   order, `+1,2` are found, `!1,2` are not. Parameters are those of the search; `lang` is the client's language, by default that of
 *   the file.
 */
import type { SearchValues } from '../../../../src/domain/search/query/read-search-request.ts';
import type { AddonType, Application, Platform } from '../../../../src/package/enums.ts';
import { addon, type CatalogueAddon } from '../catalogue.ts';
import type { Expectation, JudgementCase } from '../judgement-cases.ts';

/** What a query tests. The first group are ways to type a word, the second are rules of the ranking. */
export const KINDS = [
  ...['joined', 'letter', 'category', 'signs', 'umlaut', 'cjk', 'inflection', 'semitic', 'unmixed'],
  ...['exact', 'whole', 'start', 'phrase', 'words', 'prefix', 'loose', 'popularity', 'noise', 'filter', 'language'],
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
  addons: readonly CatalogueAddon[];
  cases: readonly TypedCase[];
}

/**
 * The tables of the file of a language.
 * @throws {Error} naming the line that is not a row.
 */
export function language(locale: string, addons: string, queries: string): TypedLanguage {
  return {
    locale,
    addons: rows(addons).map((line) => readAddon(line, locale)),
    cases: rows(queries).map((line) => readCase(line, locale)),
  };
}

function rows(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());

function properties(line: string, cells: readonly string[]): Map<string, string> {
  return new Map(
    cells.map((cell) => {
      const at = cell.indexOf('=');
      if (at <= 0) throw new Error(`"${cell}" is not property=value in the row: ${line}`);
      return [cell.slice(0, at), cell.slice(at + 1)];
    }),
  );
}

function readAddon(line: string, locale: string): CatalogueAddon {
  const [id = '', users = '', name = '', summary = '', ...others] = cellsOf(line);
  if (!/^\d+$/.test(id) || !/^\d+$/.test(users) || name === '') throw new Error(`Not an add-on: ${line}`);
  const given = properties(line, others);
  const take = (key: string) => {
    const value = given.get(key);
    given.delete(key);
    return value;
  };
  const [type, tags, platform, app, author] = ['type', 'tags', 'platform', 'app', 'author'].map(take);
  const [experimental, featured, description] = ['experimental', 'featured', 'description'].map(take);
  return addon(Number(id), { [locale]: name, ...Object.fromEntries(given) }, Number(users), summary, {
    defaultLocale: locale,
    ...(type && { type: type as AddonType }),
    ...(tags && { tags: tags.split(',') }),
    ...(platform && { platforms: [platform as Platform] }),
    ...(app && { compatibility: { [app as Application]: { min: '42.0', max: '*' } } }),
    ...(author === 'bob' && { authors: [{ id: 22, username: 'bob' }] }),
    ...(experimental && { isExperimental: true }),
    ...(featured && { featured: [{ app: 'desktop_browser' as const, locale: null, category: null }] }),
    ...(description && { description: { [locale]: description } }),
  });
}

function readCase(line: string, locale: string): TypedCase {
  const [mark = '', kind = '', q = '', expectation = '', ...others] = cellsOf(line);
  if (mark !== 'required' && mark !== 'nice') throw new Error(`Neither required nor nice: ${line}`);
  if (!KINDS.some((known) => known === kind)) throw new Error(`Unknown kind "${kind}" in the row: ${line}`);
  const { authors, excludeAddons, ...values } = Object.fromEntries(properties(line, others));
  return {
    kind,
    isRequired: mark === 'required',
    values: {
      lang: locale,
      ...values,
      ...(authors && { authors: { names: authors.split(',') } }),
      ...(excludeAddons && { excludeAddons: { ids: idsOf(excludeAddons, ',') } }),
      q,
    },
    expect: readExpectation(expectation, line),
  };
}

const idsOf = (text: string, separator: string) => (text === '' ? [] : text.split(separator).map(Number));

function readExpectation(text: string, line: string): Expectation {
  const expected: Expectation = {};
  for (const condition of text.split(/\s+/)) {
    const rest = condition.slice(1);
    if (condition.startsWith('=')) expected.whole = idsOf(rest, ',');
    else if (condition.startsWith('^')) expected.first = Number(rest);
    else if (condition.startsWith('+')) expected.contains = idsOf(rest, ',');
    else if (condition.startsWith('!')) expected.absent = idsOf(rest, ',');
    else if (/^\d+(>\d+)+$/.test(condition)) expected.order = idsOf(condition, '>');
    else throw new Error(`Unknown condition "${condition}" in the row: ${line}`);
  }
  return expected;
}

/** The ids that an expectation names. */
export function idsIn({ whole = [], first, order = [], contains = [], absent = [] }: Expectation): number[] {
  return [...whole, ...(first === undefined ? [] : [first]), ...order, ...contains, ...absent];
}
