/*
 * What differs between languages: how words are stemmed, and which are too common to insist on.
 */
import snowball from 'snowball-stemmers';
import { fold } from './fold.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Which words are compared: those of an add-on's own default language, whatever that is, or those of one base language
 * (`fr` for `fr` and `fr-CA`). The default is stemmed as English, the usual language of names.
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

export type Stem = (word: string) => string;

/** What is stemmed: words of usual length; with a digit in it, it is none of any language. */
const STEMMED = /^\P{N}{1,40}$/u;
const REMEMBERED = 50_000;

/** Stemming a word takes about 50 µs and texts repeat their words, so what has been seen is kept, up to a limit. */
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
const stopWords = new Map(
  Object.entries(STOP_WORDS).map(([language, words]) => [language, new Set(words.split(' ').map(fold))]),
);

const languageOf = (tag: Tag): string => (tag === DEFAULT_TAG ? 'en' : tag);

/** The base language of a locale: `pt` of `pt-BR`. */
function baseLanguage(locale: string): string {
  return (locale.split('-', 1)[0] ?? '').toLowerCase();
}

/** How words under `tag` are stemmed; unchanged where no stemmer is known. */
export function stemmerOf(tag: Tag): Stem {
  const language = languageOf(tag);
  const algorithm = ALGORITHMS[language];
  if (algorithm === undefined) return unchanged;
  const stem = stemmers.get(algorithm) ?? remembering(algorithm);
  stemmers.set(algorithm, stem);
  return stem;
}

/** Whether a query need not contain this folded word as long as it has others. */
export function isStopWord(tag: Tag, word: string): boolean {
  return stopWords.get(languageOf(tag))?.has(word) ?? false;
}

/**
 * The tags of a text in `locale`: its base language, and the default one for an add-on's default language. A text
 * that both would read the same way gets the default tag only.
 */
export function tagsOf(locale: string, isDefault: boolean): Tag[] {
  const language = baseLanguage(locale);
  if (!isDefault) return [language];
  const readsDifferently = language !== 'en' && (language in ALGORITHMS || stopWords.has(language));
  return readsDifferently ? [DEFAULT_TAG, language] : [DEFAULT_TAG];
}

/** The tags that a query in `locale` looks under. */
export function tagsOfQuery(locale: string): Tag[] {
  return [DEFAULT_TAG, baseLanguage(locale)];
}
