/*
 * The relevance model implemented from its rules without lexemes or an index: every query checks every add-on. The engines must
 * return the same.
 */
import { createHash } from 'node:crypto';
import { isStopWord, stemmerOf, type Tag, tagsOf, tagsOfQuery } from '../../../src/domain/search/analysis/languages.ts';
import { type Analysis, analyse, splitWords, type Word } from '../../../src/domain/search/analysis/words.ts';
import type { Hit } from '../../../src/domain/search/engine/engine.ts';
import { isNearly, wordsNeeded } from '../../../src/domain/search/query/loose-match.ts';
import type { SearchRequest, SortKey } from '../../../src/domain/search/query/search-request.ts';
import { NAME_TIERS, TIERS, type Tier } from '../../../src/domain/search/query/tiers.ts';
import type { CatalogueAddon, Texts } from './catalogue.ts';
import { passes } from './reference-filters.ts';

const QUERY_WORDS = 20;
const NAME_WORDS = 50;

/** The analysed texts of an add-on under one language tag. */
interface AnalysedTexts {
  names: Analysis[];
  summary: Set<string>;
  description: Set<string>;
  everything: Set<string>;
}

const asText = (html: string) => html.replace(/<[^>]*>/g, ' ');

function stems(texts: readonly string[], tag: Tag): Set<string> {
  const stem = stemmerOf(tag);
  const words = texts.flatMap((text) => splitWords(text, 20_000));
  return new Set(words.flatMap(({ orig, parts }) => [stem(orig), ...parts.map(stem)]));
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
  return {
    names: names.map((name) => analyse(name, NAME_WORDS)),
    summary: stems(summaries, tag),
    description: stems(plain, tag),
    everything: stems([...names, ...summaries, ...plain, ...addon.tags], tag),
  };
}

const sequencesOf = (words: readonly Word[]) => [words.map(({ orig }) => orig), words.flatMap(({ parts }) => parts)];

function contentOf(words: readonly Word[], tag: Tag): readonly Word[] {
  const content = words.filter(({ orig }) => !isStopWord(tag, orig));
  return content.length === 0 ? words : content;
}

function nameTiers(query: Analysis, tag: Tag, names: readonly Analysis[]): Tier[] {
  const stem = stemmerOf(tag);
  const terms = new Set(
    names.flatMap(({ words, squash, singles }) => [
      ...words.flatMap(({ orig, parts }) => [orig, stem(orig), ...parts, ...parts.map(stem)]),
      ...singles,
      squash,
    ]),
  );
  const has = (word: string) => terms.has(word) || terms.has(stem(word));
  const hasWord = ({ orig, parts }: Word) => has(orig) || (parts.length > 1 && parts.every(has));
  const content = contentOf(query.words, tag);
  const joined = (words: readonly Word[]) => words.map(({ orig }) => stem(orig)).join('');
  const nameSequences = names.flatMap(({ words }) => sequencesOf(words));
  const adjacent = (one: string, two: string) =>
    nameSequences.some((sequence) => sequence.some((word, index) => word === one && sequence[index + 1] === two));
  const starts = (words: readonly string[]) =>
    words.length <= QUERY_WORDS &&
    nameSequences.some((sequence) => words.every((word, index) => sequence[index] === word));
  const all = content.every(hasWord);
  const last = query.words.at(-1) as Word;
  const begins = (text: string) => [...text].length >= 2 && [...terms].some((term) => term.startsWith(text));
  const beginsParts = last.parts.slice(0, -1).every(has) && begins(last.parts.at(-1) as string);
  const rules: Record<(typeof NAME_TIERS)[number], boolean> = {
    exact: names.some(({ raw }) => raw === query.raw),
    whole: names.some(
      ({ squash, words }) =>
        squash === query.squash || [query.words, content].some((some) => joined(some) === joined(words)),
    ),
    start: sequencesOf(query.words).some(starts),
    phrase:
      query.words.length === 1
        ? all
        : sequencesOf(query.words).some((words) =>
            words.slice(1).every((word, index) => adjacent(words[index] as string, word)),
          ),
    all,
    prefix:
      (content.filter((word) => word !== last).every(hasWord) && (begins(last.orig) || beginsParts)) ||
      ([...query.squash].length >= 3 && names.some(({ squash }) => squash.startsWith(query.squash))),
  };
  return NAME_TIERS.filter((tier) => rules[tier]);
}

function textTiers(query: Analysis, tag: Tag, texts: AnalysedTexts): Tier[] {
  const stem = stemmerOf(tag);
  const content = contentOf(query.words, tag);
  const inside = (found: Set<string>) =>
    content.every(
      ({ orig, parts }) => found.has(stem(orig)) || (parts.length > 1 && parts.every((part) => found.has(stem(part)))),
    );
  const tiers: Tier[] = [];
  if (inside(texts.summary)) tiers.push('summary');
  if (inside(texts.description)) tiers.push('description');
  if (inside(texts.everything)) tiers.push('across');
  return tiers;
}

/** The tiers of a query that an add-on matches. */
function matchedTiers(addon: CatalogueAddon, query: Analysis, locale: string, namesOnly: boolean): Set<Tier> {
  const tiers = new Set<Tier>();
  for (const tag of tagsOfQuery(locale)) {
    const texts = textsUnder(addon, tag);
    if (texts === null) continue;
    for (const tier of nameTiers(query, tag, texts.names)) tiers.add(tier);
    if (!namesOnly) for (const tier of textTiers(query, tag, texts)) tiers.add(tier);
  }
  if (!namesOnly && addon.tags.some((tag) => analyse(tag, 1).raw === query.raw)) tiers.add('tag');
  return tiers;
}

function worth(weights: readonly number[]): number {
  const [best = 0, ...others] = weights.toSorted((one, other) => other - one);
  return best + 0.05 * others.reduce((sum, weight) => sum + weight, 0);
}

function looseWorth(addon: CatalogueAddon, query: Analysis, locale: string): number {
  const weights = new Set<number>();
  for (const tag of tagsOfQuery(locale)) {
    const stem = stemmerOf(tag);
    const names = textsUnder(addon, tag)?.names ?? [];
    if (names.some(({ squash }) => squash !== '' && isNearly(query.squash, squash))) weights.add(2.5);
    const terms = names.flatMap(({ words, squash, singles }) => [
      ...words.flatMap(({ orig, parts }) => [orig, stem(orig), ...parts, ...parts.map(stem)]),
      ...singles,
      squash,
    ]);
    const words = [...new Set(contentOf(query.words, tag).map(({ orig }) => orig))];
    const found = words.filter((word) => terms.some((term) => isNearly(word, term)));
    if (found.length >= wordsNeeded(words.length)) weights.add(1);
  }
  return worth([...weights]);
}

function factor({ users, isExperimental, featured }: CatalogueAddon): number {
  const base = 0.5 + (isExperimental ? 0 : 0.5);
  return Math.min(2.125, base + 0.125 * Math.log10(1 + users) + (featured.length > 0 ? 0.25 : 0));
}

interface Scored extends Hit {
  addon: CatalogueAddon;
}

function matches(
  catalogue: readonly CatalogueAddon[],
  request: SearchRequest,
  { namesOnly, strictly }: { namesOnly: boolean; strictly: boolean },
): Scored[] {
  const candidates = catalogue.filter((addon) => !addon.hidden && passes(addon, request.filters));
  if (request.query === null) return candidates.map((addon) => ({ addon, id: addon.id, score: 1 }));
  const query = analyse(request.query, QUERY_WORDS);
  if (query.words.length === 0) return [];
  const weigh = (weight: (addon: CatalogueAddon) => number) =>
    candidates.flatMap((addon) => {
      const lexical = weight(addon);
      return lexical === 0 ? [] : [{ addon, id: addon.id, score: lexical * factor(addon) }];
    });
  const strict = weigh((addon) => {
    const tiers = matchedTiers(addon, query, request.locale, namesOnly);
    return worth(TIERS.filter(([tier]) => tiers.has(tier)).map(([, weight]) => weight));
  });
  return strict.length > 0 || strictly ? strict : weigh((addon) => looseWorth(addon, query, request.locale));
}

const KEYS: Record<Exclude<SortKey, 'random'>, (scored: Scored) => number> = {
  created: ({ addon }) => Date.parse(addon.created),
  downloads: ({ addon }) => addon.downloads,
  hotness: ({ addon }) => addon.hotness,
  rating: ({ addon }) => addon.rating,
  relevance: ({ score }) => score,
  updated: ({ addon }) => Date.parse(addon.lastUpdated),
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
): Hit[] {
  const found = matches(catalogue, request, { namesOnly, strictly }).sort(compare(request, day));
  return found.map(({ id, score }) => ({ id, score }));
}
