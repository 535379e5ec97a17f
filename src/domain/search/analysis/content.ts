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
const MOST_WORDS = 20;

/** Languages that shorten words before a vowel: the `s` of "s'ouvre". Such a letter is never the last word, so it is the start of one. */
const ELIDING: ReadonlySet<Tag> = new Set(['ca', 'fr', 'it']);
const CONSONANT = /^[b-df-hj-np-tv-xz]$/;

function phrasesOf(sequences: Iterable<readonly string[]>): Phrases {
  const all = [...sequences].map((words) => splitWords(words.join(' '), MOST_WORDS).map(({ orig }) => orig));
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
export interface Content {
  /** The words without question phrases and category words. */
  named: readonly Word[];
  /** Of these, the words that must match: without stop words and pairs of characters that belong to no word. */
  content: readonly Word[];
}

/** Selects the words of a query in `language` that count under a tag. When no others remain, ignored words count too. */
export function contentOf(words: readonly Word[], tag: Tag, language: string): Content {
  const questions = tag === DEFAULT_TAG ? phrasesFor([...new Set([ENGLISH, language])]) : phrasesFor([language]);
  const begun = ELIDING.has(tag) && words.length > 1 && CONSONANT.test(words.at(-1)?.orig ?? '') ? words.at(-1) : null;
  const withoutStopWords = (some: readonly Word[]) => {
    const optional = optionalPairs(some, PARTICLES);
    return some.filter((word) => (!isStopWord(tag, word.orig) || word === begun) && !optional.has(word));
  };
  const named = withoutPhrases(words, questions.all);
  const content = withoutStopWords(named);
  if (content.length > 0) return { named, content };
  const others = [withoutStopWords(withoutPhrases(words, questions.questions)), withoutStopWords(words)];
  return { named: words, content: others.find(({ length }) => length > 0) ?? words };
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
