import snowball from 'snowball-stemmers';
import { stopWords } from './word-lists.ts';

/**
 * Language tag of a lexeme: `*` for texts in an add-on's default language, whichever it is, else a base language (`fr` for `fr` and
 * `fr-CA`). `*` is stemmed as English, the most common language of names.
 */
export type Tag = '*' | (string & {});

export const DEFAULT_TAG: Tag = '*';

const ALGORITHMS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

type Stem = (word: string) => string;

/** Words to stem: up to 40 characters, without digits. */
const STEMMED = /^\P{N}{1,40}$/u;
const REMEMBERED = 50_000;

/** Caches stems: stemming takes about 6 µs a word, and texts repeat their words (docs/benchmarks.md, Caches). */
function remembering(algorithm: string): Stem {
  const stemmer = snowball.newStemmer(algorithm);
  const seen = new Map<string, string>();
  return (word) => {
    const known = seen.get(word);
    if (known !== undefined) return known;
    if (!STEMMED.test(word)) return word;
    if (seen.size >= REMEMBERED) seen.clear();
    const stem = stemmer.stem(word) || word;
    seen.set(word, stem);
    return stem;
  };
}

const unchanged: Stem = (word) => word;
const stemmers = new Map<string, Stem>();

const languageOf = (tag: Tag): string => (tag === DEFAULT_TAG ? 'en' : tag);

/** The base language of a locale: `pt` of `pt-BR`. */
function baseLanguage(locale: string): string {
  return (locale.split('-', 1)[0] ?? '').toLowerCase();
}

/** The stemmer of a tag; the identity for languages without one. */
export function stemmerOf(tag: Tag): Stem {
  const language = languageOf(tag);
  const algorithm = ALGORITHMS[language];
  if (algorithm === undefined) return unchanged;
  const stem = stemmers.get(algorithm) ?? remembering(algorithm);
  stemmers.set(algorithm, stem);
  return stem;
}

/** Whether a tag has a stemmer that distinguishes accents. English words have none. */
export function readsAccents(tag: Tag): boolean {
  const language = languageOf(tag);
  return language !== 'en' && language in ALGORITHMS;
}

/** Whether a folded word is ignored in queries that have other words. */
export function isStopWord(tag: Tag, word: string): boolean {
  return stopWords(languageOf(tag)).has(word);
}

/**
 * The tags under which a text in `locale` is stored: its base language, and `*` for the add-on's default language. A text with the
 * same analysis under both gets only `*`.
 */
export function tagsOf(locale: string, isDefault: boolean): Tag[] {
  const language = baseLanguage(locale);
  if (!isDefault) return [language];
  const readsDifferently = language !== 'en' && (language in ALGORITHMS || stopWords(language).size > 0);
  return readsDifferently ? [DEFAULT_TAG, language] : [DEFAULT_TAG];
}

/** The tags that a query in `locale` searches: the default one, that of its language, and those of further languages. */
export function tagsOfQuery(locale: string, alsoIn: readonly string[] = []): Tag[] {
  return [...new Set([DEFAULT_TAG, baseLanguage(locale), ...alsoIn.map(baseLanguage)])];
}
