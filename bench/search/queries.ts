/*
 * What is searched for: a mix that is harder than real traffic, with many words that a large part of all add-ons has. The same
 * catalogue gives the same queries.
 */
import { wordOf } from '../../prisma/demo/world/words.ts';
import { readSearchRequest, type SearchValues } from '../../src/domain/search/read-search-request.ts';
import type { SearchRequest } from '../../src/domain/search/search-request.ts';
import { drawByRank } from '../draw.ts';

/** The name of an add-on in its default language, and one of its tags. */
export interface Sample {
  name: string;
  tag: string | null;
}

type Random = () => number;

export const requestOf = (values: SearchValues): SearchRequest =>
  readSearchRequest(values, { locale: 'en-US', except: [] });

/** Ranks of usual words; those of less use are in names. */
const USUAL = [...Array(400).keys()];

const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)] as Item;
const wordsOf = (name: string): string[] => name.split(/[\s-]+/).filter((word) => word.length > 1);
const times = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make);

/** Usual words, the most usual ones most often. */
const usualWords = (count: number, random: Random): string => drawByRank(USUAL, count, random).map(wordOf).join(' ');

/** The mix of 534 queries: names, their words, usual words alone and together, with filters and with other orders. */
export function mixedQueries(samples: readonly Sample[], random: Random): SearchRequest[] {
  const name = () => pick(samples, random).name.slice(0, 100);
  const wordOfName = () => pick(wordsOf(name()), random) ?? 'tab';
  const filter = (): SearchValues =>
    pick<SearchValues>(
      [
        { app: 'desktop_browser' },
        { app: 'desktop_browser', appversion: '57.0' },
        { type: 'extension' },
        { type: 'persona' },
        { type: 'extension,statictheme', app: 'mobile_browser' },
        { platform: 'linux' },
        { tag: pick(samples, random).tag },
      ],
      random,
    );
  const anyWord = () => (random() < 0.5 ? wordOfName() : usualWords(1, random));
  const values: SearchValues[] = [
    ...times(120, () => ({ q: name() })),
    ...times(110, () => ({ q: wordOfName() })),
    ...times(50, () => ({ q: usualWords(1, random) })),
    ...times(70, () => ({ q: usualWords(2, random) })),
    ...times(34, () => ({ q: usualWords(3, random) })),
    ...times(75, () => ({ q: anyWord(), ...filter() })),
    ...times(75, () => ({ q: anyWord(), sort: pick(['users', 'created', 'rating'], random) })),
  ];
  return values.map(requestOf);
}

/** Names as far as somebody has typed them. */
export function typedQueries(samples: readonly Sample[], random: Random): SearchRequest[] {
  return times(200, () => requestOf({ q: pick(samples, random).name.slice(0, 2 + Math.floor(random() * 8)) }));
}

/** Names with a letter too much in each word, which nothing is called. */
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
        { type: 'extension' },
        { type: 'persona' },
        { app: 'desktop_browser' },
        { app: 'desktop_browser', appversion: '57.0', type: 'extension' },
        { platform: 'windows', type: 'extension' },
      ],
      random,
    );
    return requestOf({ ...filter, sort: pick(['users', 'users', 'downloads', 'created', 'updated'], random) });
  });
}

/** Usual words, the most usual first: they have pages that lie deep. */
export const usualQueries = (): SearchRequest[] =>
  [2, 4, 6, 8, 11, 16, 20, 25, 30, 40, 50, 60, 80, 100].map((rank) => requestOf({ q: wordOf(rank) }));
