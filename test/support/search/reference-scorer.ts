/*
 * The relevance model implemented from its rules without lexemes or an index: every query checks every add-on. The engines must
 * return the same.
 */
import { createHash } from 'node:crypto';
import { stemsOf } from '../../../src/domain/search/analysis/forms.ts';
import { type Tag, tagsOf, tagsOfQuery } from '../../../src/domain/search/analysis/languages.ts';
import {
  type Analysis,
  analyse,
  splitWords,
  type Word,
  type WordForm,
} from '../../../src/domain/search/analysis/words.ts';
import type { SearchHit } from '../../../src/domain/search/query/engine.ts';
import { isNearly, wordsNeeded } from '../../../src/domain/search/query/partial-match.ts';
import type { SearchRequest, SortKey } from '../../../src/domain/search/query/search-request.ts';
import { TIERS, type Tier } from '../../../src/domain/search/query/tiers.ts';
import type { CatalogueAddon, Texts } from './catalogue.ts';
import { passes } from './reference-filters.ts';
import {
  joinedWord,
  joinedWords,
  nameTiers,
  type ReadNames,
  readNames,
  readQuery,
  type Wanted,
} from './reference-names.ts';

const QUERY_WORDS = 20;
const NAME_WORDS = 50;

/** The analysed texts of an add-on under one language tag. */
interface AnalysedTexts {
  names: ReadNames;
  summary: Set<string>;
  description: Set<string>;
  everything: Set<string>;
}

/** A function whose results are kept: every query checks the words of every add-on. */
function remembered<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = of(key);
    known.set(key, value);
    return value;
  };
}

/** Whether a word may be a misspelling of a term. */
const nearnessOf = remembered((word: string) => remembered((term: string) => isNearly(word, term)));
const rawTag = remembered((tag: string) => analyse(tag, 1).raw);
const timeOf = remembered((date: string) => Date.parse(date));

const asText = (html: string) => html.replace(/<[^>]*>/g, ' ');

function stems(texts: readonly string[], tag: Tag, more: readonly WordForm[] = []): Set<string> {
  const words = texts.flatMap((text) => splitWords(text, 20_000));
  const forms = [...words.flatMap((word) => [word, ...word.parts]), ...more];
  return new Set(forms.flatMap((form) => stemsOf(form, tag)));
}

const cache = new WeakMap<CatalogueAddon, Map<Tag, AnalysedTexts | null>>();

/** The analysed texts of an add-on under `tag`; null without a text. */
function textsUnder(addon: CatalogueAddon, tag: Tag): AnalysedTexts | null {
  const known = cache.get(addon) ?? new Map<Tag, AnalysedTexts | null>();
  cache.set(addon, known);
  const texts = known.get(tag);
  if (texts !== undefined) return texts;
  const read = readTexts(addon, tag);
  known.set(tag, read);
  return read;
}

/** The names of an add-on under `tag`; null without a text. */
export const namesUnder = (addon: CatalogueAddon, tag: Tag): ReadNames | null => textsUnder(addon, tag)?.names ?? null;

function readTexts(addon: CatalogueAddon, tag: Tag): AnalysedTexts | null {
  const under = (texts: Texts) => {
    const fallback = addon.defaultLocale in texts ? addon.defaultLocale : Object.keys(texts).sort()[0];
    return Object.entries(texts).flatMap(([locale, text]) =>
      tagsOf(locale, locale === fallback).includes(tag) ? [text] : [],
    );
  };
  const [names, summaries, descriptions] = [addon.name, addon.summary, addon.description].map(under) as [
    string[],
    string[],
    string[],
  ];
  if (names.length + summaries.length + descriptions.length === 0) return null;
  const plain = descriptions.map(asText);
  const analysed = names.map((name) => analyse(name, NAME_WORDS));
  const joined = analysed.flatMap(({ words }) => joinedWords(words));
  return {
    names: readNames(analysed, tag),
    summary: stems(summaries, tag),
    description: stems(plain, tag),
    everything: stems([...names, ...summaries, ...plain, ...addon.tags], tag, joined),
  };
}

interface WantedTexts {
  tag: Tag;
  /** Per content word: the stems of itself and joined with content words next to it, and those of its parts. */
  words: { stems: string[]; parts: (readonly string[])[] }[];
}

function readTextQuery({ tag, content, query }: Wanted): WantedTexts {
  const joinedStems = (one: Word | undefined, other: Word | undefined) => {
    const isContent = one !== undefined && other !== undefined && content.includes(one) && content.includes(other);
    const isBegun = other === query.words.at(-1) && [...(other?.orig ?? '')].length === 1;
    const joined = isContent && !isBegun ? joinedWord(one, other) : null;
    return joined === null ? [] : stemsOf(joined, tag);
  };
  const words = content.map((word) => {
    const index = query.words.indexOf(word);
    const [before, after] = [query.words[index - 1], query.words[index + 1]];
    return {
      stems: [...stemsOf(word, tag), ...joinedStems(before, word), ...joinedStems(word, after)],
      parts: word.parts.map((part) => stemsOf(part, tag)),
    };
  });
  return { tag, words };
}

function textTiers({ words }: WantedTexts, texts: AnalysedTexts): Tier[] {
  const inside = (found: Set<string>) =>
    words.every(
      ({ stems, parts }) =>
        stems.some((stem) => found.has(stem)) || parts.every((part) => part.some((stem) => found.has(stem))),
    );
  const tiers: Tier[] = [];
  if (inside(texts.summary)) tiers.push('summary');
  if (inside(texts.description)) tiers.push('description');
  if (inside(texts.everything)) tiers.push('across');
  return tiers;
}

/** A query under each of its language tags. */
interface ReadQuery {
  raw: string;
  readings: { wanted: Wanted; texts: WantedTexts }[];
}

function readingsOf(query: Analysis, locale: string): ReadQuery {
  const tags = tagsOfQuery(locale);
  const readings = tags.map((tag) => {
    const wanted = readQuery(query, tag, tags[1] as string);
    return { wanted, texts: readTextQuery(wanted) };
  });
  return { raw: query.raw, readings };
}

/** The tiers of a query that an add-on matches. */
function matchedTiers(addon: CatalogueAddon, query: ReadQuery, namesOnly: boolean): Set<Tier> {
  const tiers = new Set<Tier>();
  for (const { wanted, texts: wantedTexts } of query.readings) {
    const texts = textsUnder(addon, wanted.tag);
    if (texts === null) continue;
    for (const tier of nameTiers(wanted, texts.names)) tiers.add(tier);
    if (!namesOnly) for (const tier of textTiers(wantedTexts, texts)) tiers.add(tier);
  }
  if (!namesOnly && addon.tags.some((tag) => rawTag(tag) === query.raw)) tiers.add('tag');
  return tiers;
}

/** The score of matched weights before the factor of popularity. */
export function worth(weights: readonly number[]): number {
  const [best = 0, ...others] = weights.toSorted((one, other) => other - one);
  return best + 0.05 * others.reduce((sum, weight) => sum + weight, 0);
}

function looseWorth(addon: CatalogueAddon, { readings }: ReadQuery): number {
  const weights = new Set<number>();
  for (const { wanted } of readings) {
    const names = textsUnder(addon, wanted.tag)?.names;
    if (names === undefined) continue;
    const { squash } = wanted.query;
    if (names.squashes.some((name) => name !== '' && nearnessOf(squash)(name))) weights.add(2.5);
    const words = [...new Set(wanted.content.map(({ orig }) => orig))];
    const found = words.filter((word) => [...names.terms].some(nearnessOf(word)));
    if (found.length >= wordsNeeded(words.length)) weights.add(1);
  }
  return worth([...weights]);
}

/** The factor of popularity. */
export function factor({ users, isExperimental, featured }: CatalogueAddon): number {
  const base = 0.5 + (isExperimental ? 0 : 0.5);
  return Math.min(2.125, base + 0.125 * Math.log10(1 + users) + (featured.length > 0 ? 0.25 : 0));
}

interface Scored extends SearchHit {
  addon: CatalogueAddon;
}

/** A query and the weights of add-ons by it, which many searches with other filters, sorts and pages have in common. */
interface WeighedQuery {
  strict(addon: CatalogueAddon): number;
  loose(addon: CatalogueAddon): number;
}

/** The weights of a query, null for one without words. */
const weightsOf = remembered((locale: string) =>
  remembered((text: string) => {
    const query = analyse(text, QUERY_WORDS);
    if (query.words.length === 0) return null;
    const readings = readingsOf(query, locale);
    const strict = (namesOnly: boolean) =>
      remembered((addon: CatalogueAddon) => {
        const tiers = matchedTiers(addon, readings, namesOnly);
        return worth(TIERS.filter(([tier]) => tiers.has(tier)).map(([, weight]) => weight));
      });
    const loose = remembered((addon: CatalogueAddon) => looseWorth(addon, readings));
    return { ofNames: { strict: strict(true), loose }, ofAll: { strict: strict(false), loose } };
  }),
);

function matches(
  catalogue: readonly CatalogueAddon[],
  request: SearchRequest,
  { namesOnly, strictly }: { namesOnly: boolean; strictly: boolean },
): Scored[] {
  const candidates = catalogue.filter((addon) => !addon.hidden && passes(addon, request.filters));
  if (request.query === null) return candidates.map((addon) => ({ addon, id: addon.id, score: 1 }));
  const weights = weightsOf(request.locale)(request.query);
  if (weights === null) return [];
  const { strict, loose }: WeighedQuery = namesOnly ? weights.ofNames : weights.ofAll;
  const weigh = (weight: (addon: CatalogueAddon) => number) =>
    candidates.flatMap((addon) => {
      const lexical = weight(addon);
      return lexical === 0 ? [] : [{ addon, id: addon.id, score: lexical * factor(addon) }];
    });
  const found = weigh(strict);
  return found.length > 0 || strictly ? found : weigh(loose);
}

const KEYS: Record<Exclude<SortKey, 'random'>, (scored: Scored) => number> = {
  created: ({ addon }) => timeOf(addon.created),
  downloads: ({ addon }) => addon.downloads,
  hotness: ({ addon }) => addon.hotness,
  rating: ({ addon }) => addon.rating,
  relevance: ({ score }) => score,
  updated: ({ addon }) => timeOf(addon.lastUpdated),
  users: ({ addon }) => addon.users,
};

function compare(request: SearchRequest, day: string): (one: Scored, other: Scored) => number {
  const drawn = (id: number) => createHash('md5').update(`${day}:${id}`).digest('hex');
  if (request.sort.includes('random')) return (one, other) => (drawn(one.id) < drawn(other.id) ? -1 : 1);
  const ties: SortKey[] = request.sort.at(-1) === 'relevance' ? ['users'] : [];
  return (one, other) => {
    for (const key of [...request.sort, ...ties]) {
      const value = KEYS[key as keyof typeof KEYS];
      const difference = value(other) - value(one);
      if (difference !== 0) return difference;
    }
    return one.id - other.id;
  };
}

/** All results of a request, best first; `strictly` excludes matches by tolerance. `day` (UTC) seeds the order `random`. */
export function referenceSearch(
  catalogue: readonly CatalogueAddon[],
  request: SearchRequest,
  { namesOnly = false, strictly = false, day = new Date().toISOString().slice(0, 10) } = {},
): SearchHit[] {
  const found = matches(catalogue, request, { namesOnly, strictly }).sort(compare(request, day));
  return found.map(({ id, score }) => ({ id, score }));
}
