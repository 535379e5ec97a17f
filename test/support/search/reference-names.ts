/* The rules of name tiers, for the reference scorer. */
import { contentOf } from '../../../src/domain/search/analysis/content.ts';
import { formsOf, spellings, stemsOf } from '../../../src/domain/search/analysis/forms.ts';
import { stemmerOf, type Tag } from '../../../src/domain/search/analysis/languages.ts';
import type { Analysis, Word, WordForm } from '../../../src/domain/search/analysis/words.ts';
import { NAME_TIERS, type Tier } from '../../../src/domain/search/query/tiers.ts';

const QUERY_WORDS = 20;
const PAIRED = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
const lengthOf = (text: string) => [...text].length;

/** Two words written as one: at least five characters, none of them of a script that is split into pairs. */
export function joinedWord(one: WordForm | undefined, other: WordForm | undefined): WordForm | null {
  if (one === undefined || other === undefined || PAIRED.test(one.orig) || PAIRED.test(other.orig)) return null;
  const word = { orig: one.orig + other.orig, written: one.written + other.written };
  return lengthOf(word.orig) >= 5 ? word : null;
}

const partsOf = (words: readonly Word[]): WordForm[] => words.flatMap((word) => word.parts);

/** All neighbours as one word. */
export function joinedWords(words: readonly Word[]): WordForm[] {
  return [words, partsOf(words)].flatMap((forms) =>
    forms.flatMap((form, index) => (index === 0 ? [] : (joinedWord(forms[index - 1], form) ?? []))),
  );
}

/** The characters of words without spaces; pairs of one run overlap by a character. */
function withoutSpaces(words: readonly Word[], spelled: readonly string[]): string {
  let text = '';
  for (const [index, { pair }] of words.entries()) {
    const before = words[index - 1]?.pair;
    const overlaps = pair && before && pair.run === before.run && pair.at === before.at + 1;
    text += overlaps ? [...(spelled[index] as string)].slice(-1).join('') : spelled[index];
  }
  return text;
}

function squashesOf({ squash, words }: Pick<Analysis, 'squash' | 'words'>, tag: Tag, isBegun = false): string[] {
  const all = spellings(words, tag, isBegun).map((spelled) => withoutSpaces(words, spelled));
  return all[0] === squash ? all : [squash];
}

function stemmedOf(words: readonly Word[], tag: Tag): string[] {
  const spelled = spellings(words, tag).map((some) => some.map(stemmerOf(tag)).join(''));
  return [...spelled, words.map((word) => stemsOf(word, tag).at(-1)).join('')];
}

const sequencesOf = (words: readonly Word[], tag: Tag, isBegun = false): string[][] =>
  [words, partsOf(words)].flatMap((forms) => spellings(forms, tag, isBegun));

const termsOf = (form: WordForm, tag: Tag): string[] => [...formsOf(form, tag), ...stemsOf(form, tag)];

/** The names of an add-on, read under one language tag. */
export interface ReadNames {
  raw: string[];
  squashes: string[];
  stemmed: string[];
  sequences: string[][];
  /** The words that queries look for. */
  terms: Set<string>;
}

export function readNames(names: readonly Analysis[], tag: Tag): ReadNames {
  const squashes = names.flatMap((name) => squashesOf(name, tag));
  const terms = names.flatMap(({ words, singles }) => [
    ...[...words, ...partsOf(words)].flatMap((form) => termsOf(form, tag)),
    ...joinedWords(words).flatMap((form) => formsOf(form, tag)),
    ...singles,
  ]);
  return {
    raw: names.map(({ raw }) => raw),
    squashes,
    stemmed: names.flatMap(({ words }) => stemmedOf(words, tag)),
    sequences: names.flatMap(({ words }) => sequencesOf(words, tag)),
    terms: new Set([...terms, ...squashes]),
  };
}

/** A word of a query, with the terms of itself, of its parts and of itself joined with its neighbours. */
interface WantedWord {
  word: Word;
  terms: string[];
  parts: string[][];
  isContent: boolean;
}

/** A query, read under one language tag. */
export interface Wanted {
  query: Analysis;
  tag: Tag;
  words: WantedWord[];
  content: readonly Word[];
  squashes: string[];
  stemmed: string[];
  sequences: string[][];
  /** The same for a query whose last word is the start of a word. */
  begun: { squashes: string[]; sequences: string[][]; word: string[]; part: string[]; joined: string[] };
  /** The query without some question phrases and category words. */
  partial: Wanted[];
  /** Whether only the reading of all words contains this one. */
  isLongest: boolean;
  /** The query without all of them; null if it has none. */
  shortest: Wanted | null;
}

/** Reads a query in `language`: all words, and if it has question phrases and category words, without some and without all of them. */
export function readQuery(query: Analysis, tag: Tag, language: string): Wanted {
  const { named, content, significant, partial } = contentOf(query.words, tag, language);
  const all = readWords(query, tag, content, significant);
  const shorter = (words: readonly Word[], kept: readonly Word[]) => {
    const squash = withoutSpaces(
      words,
      words.map(({ orig }) => orig),
    );
    return readWords({ ...query, words, squash, raw: writtenText(words) }, tag, content, kept);
  };
  return {
    ...all,
    partial: partial.map((part) => ({ ...shorter(part.words, part.significant), isLongest: part.isLongest })),
    shortest: named.length === query.words.length ? null : shorter(named, content),
  };
}

/** Words as written in lower case, with spaces between them but not between pairs of one run. */
function writtenText(words: readonly Word[]): string {
  const written = words.map(({ written, pair }, index) => {
    const before = words[index - 1]?.pair;
    const isNext = pair && before && pair.run === before.run && pair.at === before.at + 1;
    return isNext ? [...written].slice(-1).join('') : ` ${written}`;
  });
  return written.join('').trim();
}

function readWords(query: Analysis, tag: Tag, content: readonly Word[], significant: readonly Word[]): Wanted {
  const { words } = query;
  const joinedTerms = (one: Word | undefined, other: Word | undefined) => {
    const joined = joinedWord(one, other);
    return joined === null ? [] : termsOf(joined, tag);
  };
  const last = words.at(-1) as Word;
  /** Not a last word of one letter, which is the start of a word. */
  const whole = (word: Word | undefined) => (word === last && lengthOf(word.orig) === 1 ? undefined : word);
  const joined = joinedWord(words.at(-2), whole(last));
  return {
    query,
    tag,
    words: words.map((word, index) => ({
      word,
      terms: [
        ...termsOf(word, tag),
        ...joinedTerms(words[index - 1], whole(word)),
        ...joinedTerms(word, whole(words[index + 1])),
      ],
      parts: word.parts.map((part) => termsOf(part, tag)),
      isContent: content.includes(word),
    })),
    content,
    squashes: squashesOf(query, tag),
    stemmed: [words, significant, content].flatMap((some) => stemmedOf(some, tag)),
    sequences: sequencesOf(words, tag),
    begun: {
      squashes: squashesOf(query, tag, true).filter((squash) => lengthOf(squash) >= 3),
      sequences: sequencesOf(words, tag, true).filter((some) => some.length > 1),
      word: [...formsOf(last, tag, true)],
      part: [...formsOf(last.parts.at(-1) as WordForm, tag, true)],
      joined: joined === null ? [] : [...formsOf(joined, tag, true)],
    },
    partial: [],
    isLongest: true,
    shortest: null,
  };
}

const hasWord = ({ terms, parts }: WantedWord, found: Set<string>): boolean =>
  terms.some((term) => found.has(term)) || parts.every((part) => part.some((term) => found.has(term)));

/** Whether a word is in a sequence directly before one that `fits`. */
const isBefore = (sequences: readonly string[][], one: string, fits: (next: string) => boolean) =>
  sequences.some((all) => all.some((word, index) => word === one && fits(all[index + 1] ?? '')));

/** The name tiers of a query. */
export function nameTiers(wanted: Wanted, names: ReadNames): Tier[] {
  const { words } = wanted;
  const shortest = wanted.shortest === null ? [] : [wanted.shortest];
  const fuller = [wanted, ...wanted.partial.filter(({ isLongest }) => isLongest)];
  const withContent = fuller.filter((each) => wanted.content.every((word) => each.query.words.includes(word)));
  const { sequences } = names;
  const starts = (some: readonly string[], sequence: readonly string[]) =>
    some.length <= QUERY_WORDS && some.every((word, index) => sequence[index] === word);
  const follow = (some: readonly string[]) =>
    some.slice(1).every((word, index) => isBefore(sequences, some[index] as string, (next) => next === word));
  const all = words.every((word) => !word.isContent || hasWord(word, names.terms));
  const rules: Record<(typeof NAME_TIERS)[number], boolean> = {
    exact: fuller.some((each) => names.raw.includes(each.query.raw)),
    whole: [wanted, ...wanted.partial, ...shortest].some(
      ({ squashes, stemmed }) =>
        squashes.some((squash) => names.squashes.includes(squash)) ||
        stemmed.some((text) => names.stemmed.includes(text)),
    ),
    start: withContent.some((each) => each.sequences.some((some) => sequences.some((name) => starts(some, name)))),
    phrase: words.length === 1 ? all : wanted.sequences.some(follow),
    all,
    begun: [...withContent, ...shortest].some(({ begun }) =>
      begun.sequences.some((some) => sequences.some((name) => isBegun(name, some))),
    ),
    prefix: [wanted, ...shortest].some((each) => isPrefix(each, names)),
  };
  return NAME_TIERS.filter((tier) => rules[tier]);
}

/** A name starts with words, of which the last one is the start of a word. */
function isBegun(name: readonly string[], some: readonly string[]): boolean {
  const before = some.slice(0, -1);
  const begun = some.at(-1) ?? '';
  return before.every((word, index) => name[index] === word) && name[before.length]?.startsWith(begun) === true;
}

function isPrefix(wanted: Wanted, names: ReadNames): boolean {
  const { tag, begun } = wanted;
  const words = wanted.words.map(({ word }) => word);
  const last = wanted.words.at(-1) as WantedWord;
  const begins = (starts: readonly string[]) =>
    starts.some((start) => [...names.terms].some((term) => term.startsWith(start)));
  const isCombined = wanted.words.slice(0, -1).some(({ isContent }) => isContent);
  /** A single letter without other words that must match needs the word before it directly before. */
  const beginsAfter = (starts: readonly string[], forms: readonly WordForm[], others = isCombined) => {
    if (others || lengthOf(forms.at(-1)?.orig ?? '') > 1) return begins(starts);
    if (forms.length < 2) return false;
    const pairs = spellings(forms.slice(-2), tag, true);
    return pairs.some(([one = '', start = '']) => isBefore(names.sequences, one, (next) => next.startsWith(start)));
  };
  const isJoined = begins(begun.joined);
  const before = wanted.words
    .slice(0, -1)
    .every((word, index) => !word.isContent || hasWord(word, names.terms) || (isJoined && index === words.length - 2));
  const hasParts = last.parts.slice(0, -1).every((part) => part.some((term) => names.terms.has(term)));
  const isBegunWord = () =>
    isJoined ||
    beginsAfter(begun.word, words) ||
    (hasParts && beginsAfter(begun.part, partsOf(words), isCombined || last.parts.length > 1));
  return (
    (before && isBegunWord()) ||
    begun.squashes.some((squash) => names.squashes.some((name) => name.startsWith(squash))) ||
    lacksOnePair(wanted, names)
  );
}

/**
 * All content words match, but for one inner pair in each run of four characters or more. A run with fewer than three content pairs needs
 * its other pairs too.
 */
function lacksOnePair({ words }: Wanted, names: ReadNames): boolean {
  const runOf = ({ pair }: Word) => words.filter(({ word }) => pair !== null && word.pair?.run === pair.run);
  const isLong = ({ word }: WantedWord) => runOf(word).length >= 3;
  const isCounted = (word: WantedWord) =>
    word.isContent || (isLong(word) && runOf(word.word).filter(({ isContent }) => isContent).length < 3);
  const mayLack = (word: WantedWord) => {
    const run = runOf(word.word);
    return isLong(word) && word !== run[0] && word !== run.at(-1);
  };
  if (!words.some(isLong)) return false;
  const missing = words.filter((word) => isCounted(word) && !hasWord(word, names.terms));
  const runs = missing.map(({ word }) => word.pair?.run);
  return missing.every(mayLack) && new Set(runs).size === runs.length;
}
