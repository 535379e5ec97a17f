/*
 * The queries: a mix that is harder than real traffic, with many words that a large part of all add-ons contains. They are
 * deterministic for a catalogue.
 */

import {
  readSearchRequest,
  type SearchRequest,
  type SearchValues,
} from '../../src/domain/search/query/search-request.ts';
import { drawByRank } from '../draw.ts';
import { wordOf } from '../world/words.ts';

/** The name of an add-on in its default language, and one of its tags. */
export interface Sample {
  name: string;
  tag: string | null;
}

type Random = () => number;

export const requestOf = (values: SearchValues): SearchRequest =>
  readSearchRequest(values, { locale: 'en-US', except: [] });

/** Ranks of frequent words; names contain less frequent ones. */
const USUAL = [...Array(400).keys()];

const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)] as Item;
const wordsOf = (name: string): string[] => name.split(/[\s-]+/).filter((word) => word.length > 1);
const times = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make);

/** Frequent words, drawn by their frequency. */
const usualWords = (count: number, random: Random): string => drawByRank(USUAL, count, random).map(wordOf).join(' ');

/** Boundaries of the mix's classes, in numbers of results. */
export const MANY_RESULTS = [10_000, 50_000, 100_000] as const;

/** Queries of one kind: their number in the mix, and the numbers of them with more results than each of `MANY_RESULTS`. */
interface Kind {
  make: () => SearchValues;
  queries: number;
  many: readonly [number, number, number];
}

function kinds(samples: readonly Sample[], random: Random): Kind[] {
  const name = () => pick(samples, random).name.slice(0, 100);
  const wordOfName = () => pick(wordsOf(name()), random) ?? 'tab';
  const filter = (): SearchValues =>
    pick<SearchValues>(
      [
        { app: 'desktop_browser' },
        { app: 'desktop_browser', appVersion: '57.0' },
        { types: 'extension' },
        { types: 'persona' },
        { types: 'extension,statictheme', app: 'mobile_browser' },
        { platform: 'linux' },
        { tags: pick(samples, random).tag },
      ],
      random,
    );
  const anyWord = () => (random() < 0.5 ? wordOfName() : usualWords(1, random));
  const sorted = () => ({ q: anyWord(), sort: pick(['users', 'created', 'rating'], random) });
  return [
    { make: () => ({ q: name() }), queries: 120, many: [0, 0, 0] },
    { make: () => ({ q: wordOfName() }), queries: 110, many: [20, 11, 3] },
    { make: () => ({ q: usualWords(1, random) }), queries: 50, many: [10, 6, 2] },
    { make: () => ({ q: usualWords(2, random) }), queries: 70, many: [13, 7, 2] },
    { make: () => ({ q: usualWords(3, random) }), queries: 34, many: [6, 4, 1] },
    { make: () => ({ q: anyWord(), ...filter() }), queries: 75, many: [14, 8, 2] },
    { make: sorted, queries: 75, many: [14, 7, 2] },
  ];
}

/** Maximum draws per query to find one with the wanted number of results. */
const MOST_DRAWS = 40;

/**
 * The mix of 534 queries: names, words of names, frequent words alone and combined, with filters and with other orders. 77 of them
 * have more than 10,000 results, 43 more than 50,000 and 12 more than 100,000, which is more than in real traffic. `countOf`
 * returns the number of results of a query.
 */
export async function mixedQueries(
  samples: readonly Sample[],
  random: Random,
  countOf: (request: SearchRequest) => Promise<number>,
): Promise<SearchRequest[]> {
  const counted = new Map<string, number>();
  const mix: SearchRequest[] = [];
  for (const { make, queries, many } of kinds(samples, random)) {
    // The wanted numbers of queries with results up to each limit, and above the last.
    const left = [queries, ...many].map((wanted, index) => wanted - (many[index] ?? 0));
    for (let draws = queries * MOST_DRAWS; draws > 0 && left.some((wanted) => wanted > 0); draws--) {
      const request = requestOf(make());
      const key = JSON.stringify(request);
      const count = counted.get(key) ?? (await countOf(request));
      counted.set(key, count);
      const step = MANY_RESULTS.filter((limit) => count > limit).length;
      if ((left[step] ?? 0) <= 0) continue;
      left[step] = (left[step] ?? 0) - 1;
      mix.push(request);
    }
  }
  return mix;
}

/** Frequent words and pairs of them, each in about a third of a catalogue of 300,000; most are rare in real searches. */
export function heavyQueries(random: Random): SearchRequest[] {
  const all = [...times(100, () => usualWords(1, random)), ...times(100, () => usualWords(2, random))];
  return [...new Set(all)].map((q) => requestOf({ q }));
}

/** Prefixes of names. */
export function typedQueries(samples: readonly Sample[], random: Random): SearchRequest[] {
  return times(200, () => requestOf({ q: pick(samples, random).name.slice(0, 2 + Math.floor(random() * 8)) }));
}

/** The first word of a name or a frequent word, and the first letter of another one. */
export function begunQueries(samples: readonly Sample[], random: Random): SearchRequest[] {
  return times(200, () => {
    const [first = 'tab', second = 'q'] = wordsOf(pick(samples, random).name);
    return requestOf({ q: `${random() < 0.5 ? first : usualWords(1, random)} ${second.slice(0, 1)}`.slice(0, 100) });
  });
}

/** Names with an additional letter in each word, which match no name exactly. */
export function misspeltQueries(samples: readonly Sample[], random: Random): SearchRequest[] {
  const misspelt = (word: string) => {
    const place = 1 + Math.floor(random() * (word.length - 1));
    return `${word.slice(0, place)}q${word.slice(place)}`;
  };
  return times(150, () => {
    const words = wordsOf(pick(samples, random).name).filter((word) => word.length > 4);
    return requestOf({ q: words.slice(0, 3).map(misspelt).join(' ').slice(0, 100) || 'qtabqs' });
  });
}

/** Lists without a query. */
export function listings(random: Random): SearchRequest[] {
  return times(100, () => {
    const filter = pick<SearchValues>(
      [
        {},
        { types: 'extension' },
        { types: 'persona' },
        { app: 'desktop_browser' },
        { app: 'desktop_browser', appVersion: '57.0', types: 'extension' },
        { platform: 'windows', types: 'extension' },
      ],
      random,
    );
    return requestOf({ ...filter, sort: pick(['users', 'users', 'downloads', 'created', 'updated'], random) });
  });
}

/** Frequent words, the most frequent first: they have deep pages. */
export const usualQueries = (): SearchRequest[] =>
  [2, 4, 6, 8, 11, 16, 20, 25, 30, 40, 50, 60, 80, 100].map((rank) => requestOf({ q: wordOf(rank) }));
