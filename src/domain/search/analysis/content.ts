/*
 * The words of a query that must match. Question phrases ("how do I"), category words ("extension") and stop words drop out as long as other
 * words remain, and so do pairs of characters that belong to no word.
 */
import { optionalPairs } from './cjk.ts';
import { DEFAULT_TAG, isStopWord, type Tag } from './languages.ts';
import { allCategoryWords, particles, questionPhrases } from './word-lists.ts';
import { splitWords, type Word } from './words.ts';

/** Sequences of words, joined by spaces, and the number of words of the longest one. */
interface Phrases {
  texts: ReadonlySet<string>;
  longest: number;
}

const ENGLISH = 'en';
const MAX_WORDS = 20;

/** Languages that shorten words before a vowel: the `s` of "s'ouvre". Such a letter is never the last word, so it is the start of one. */
const ELIDING: ReadonlySet<Tag> = new Set(['ca', 'fr', 'it']);
const CONSONANT = /^[b-df-hj-np-tv-xz]$/;

function phrasesOf(sequences: Iterable<readonly string[]>): Phrases {
  const all = [...sequences].map((words) => splitWords(words.join(' '), MAX_WORDS).map(({ orig }) => orig));
  return {
    texts: new Set(all.map((words) => words.join(' '))),
    longest: Math.max(0, ...all.map((words) => words.length)),
  };
}

const remembered = new Map<string, { questions: Phrases; all: Phrases }>();

/** The question phrases of some languages, and these with the category words of all languages. */
function phrasesFor(languages: readonly string[]): { questions: Phrases; all: Phrases } {
  const key = languages.join();
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const questions = languages.flatMap((language) => [...questionPhrases(language)]);
  const made = { questions: phrasesOf(questions), all: phrasesOf([...questions, ...allCategoryWords()]) };
  remembered.set(key, made);
  return made;
}

const PARTICLES = ['ja', 'ko', 'zh'].flatMap((language) => particles(language));

/** The words of a query under a tag. */
interface Content {
  /** The words without question phrases and category words. */
  named: readonly Word[];
  /** Of these, the words that must match: without stop words and pairs of characters that belong to no word. */
  content: readonly Word[];
  /** The words without stop words, with question phrases and category words. */
  significant: readonly Word[];
  /** Shorter readings, longest first: words at the start and the end of a query may be a part of a name. */
  partial: readonly Part[];
}

/** A query without some of the question phrases and category words at its start and end. It differs from the query and `named`. */
interface Part {
  words: readonly Word[];
  /** The words without stop words. */
  significant: readonly Word[];
  /** Whether no other part has more words, apart from stop words. */
  isLongest: boolean;
}

/** Selects the words of a query in `language` that count under a tag. When no others remain, ignored words count too. */
export function contentOf(words: readonly Word[], tag: Tag, language: string): Content {
  const questions = phrasesFor([...new Set([ENGLISH, language])]);
  const begun =
    ELIDING.has(tag === DEFAULT_TAG ? language : tag) && words.length > 1 && CONSONANT.test(words.at(-1)?.orig ?? '')
      ? words.at(-1)
      : null;
  const withoutStopWords = (some: readonly Word[]) => {
    const optional = optionalPairs(some, PARTICLES);
    return some.filter((word) => (!isIgnored(word) || word === begun) && !optional.has(word));
  };
  // Texts in a default language without lexemes of its own are searched in the client's language too.
  const isIgnored = ({ orig }: Word) => isStopWord(tag, orig) || (tag === DEFAULT_TAG && isStopWord(language, orig));
  const stripped = withoutPhrases(words, questions.all);
  const content = withoutStopWords(stripped);
  const named = content.length > 0 ? stripped : words;
  const parts = partsOf(words, questions.all).filter((some) => some.length < words.length && !isSame(some, named));
  const kept = parts.map(withoutStopWords);
  const isInside = (some: readonly Word[], other: readonly Word[]) =>
    some.length < other.length && some.every((word) => other.includes(word));
  const partial = parts.map((some, index) => ({
    words: some,
    significant: kept[index] ?? [],
    isLongest: !kept.some((other) => isInside(kept[index] ?? [], other)),
  }));
  const significant = withoutStopWords(words);
  if (content.length > 0) return { named, content, significant, partial };
  const others = [withoutStopWords(withoutPhrases(words, questions.questions)), significant];
  return { named, content: others.find(({ length }) => length > 0) ?? words, significant, partial };
}

const isSame = (one: readonly Word[], other: readonly Word[]) =>
  one.length === other.length && one.every((word, index) => word === other[index]);

/** Bounds the cost of queries with many category words. */
const MAX_PARTS = 8;

/** The query from each place that only phrases precede to each place that only phrases follow, longest first. */
function partsOf(words: readonly Word[], phrases: Phrases): (readonly Word[])[] {
  const starts = bordersOf(words, phrases, 1);
  const ends = bordersOf(words, phrases, -1);
  const parts = starts.flatMap((start) => ends.map((end) => words.slice(start, end)));
  return parts
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_PARTS);
}

/** The places that are reached from the start (`step` 1) or the end (-1) of a query over whole phrases. */
function bordersOf(words: readonly Word[], { texts, longest }: Phrases, step: 1 | -1): number[] {
  const borders = [step === 1 ? 0 : words.length];
  for (const border of borders) {
    for (let length = 1; length <= longest; length++) {
      const other = border + step * length;
      const phrase = words.slice(Math.min(border, other), Math.max(border, other));
      if (phrase.length < length || other < 0 || !texts.has(phrase.map(({ orig }) => orig).join(' '))) continue;
      const [outermost, next] = step === 1 ? [phrase.at(-1), words[other]] : [phrase[0], words[other - 1]];
      const left = touching(outermost, next, step) ? other + step : other;
      if (!borders.includes(left)) borders.push(left);
    }
  }
  return borders;
}

/**
 * Words without phrases, the longest phrases first. In a run of characters a phrase counts at its start and its end only, and takes along
 * the pair that it shares a character with.
 */
function withoutPhrases(words: readonly Word[], { texts, longest }: Phrases): readonly Word[] {
  let left = words;
  for (let length = Math.min(longest, words.length); length > 0; length--) {
    for (let start = 0; start + length <= left.length; start++) {
      const phrase = left.slice(start, start + length);
      if (!texts.has(phrase.map(({ orig }) => orig).join(' '))) continue;
      const [before, after] = [
        touching(phrase[0], left[start - 1], -1),
        touching(phrase.at(-1), left[start + length], 1),
      ];
      if (before && after) continue;
      left = [...left.slice(0, before ? start - 1 : start), ...left.slice(start + length + (after ? 1 : 0))];
      // A run may end with several phrases, the shorter one last.
      return withoutPhrases(left, { texts, longest });
    }
  }
  return left;
}

/** Whether a pair and its neighbour in the query share a character. */
function touching(word: Word | undefined, neighbour: Word | undefined, step: number): boolean {
  if (word?.pair == null || neighbour?.pair == null) return false;
  return word.pair.run === neighbour.pair.run && word.pair.at + step === neighbour.pair.at;
}
