/*
 * The word lists of `lists/`, one text file for each base language, read once at start. Queries are reduced by them; the lexemes of
 * names and texts do not depend on them. `docs/search-words.md` describes the files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldedRuns } from './words.ts';

const FOLDER = join(import.meta.dirname, 'lists');

const SECTIONS = ['stop words', 'question words', 'category words', 'particles'] as const;
type Section = (typeof SECTIONS)[number];

/** The entries of one file as written, by section. */
type WrittenLists = Readonly<Record<Section, readonly string[]>>;

/** Language codes that use the file of another one. */
const SAME_AS: Readonly<Record<string, string>> = { no: 'nb' };

const COMMENT = /#.*$/u;
const HEADING = /^\[(.*)\]$/u;
/** Commas of Latin, Chinese, Japanese and Arabic keyboards. */
const SEPARATOR = /[,，、،]/u;
const SEVERAL_WORDS = /[^\p{L}\p{M}\u200c\u200d]/u;

type Phrase = readonly string[];

interface FoldedLists {
  stopWords: ReadonlySet<string>;
  questionPhrases: readonly Phrase[];
  categoryWords: readonly Phrase[];
  particles: readonly string[];
}

/**
 * Parses a file of lists. Throws an error with `file` and the line for a heading that is no section, a repeated heading, an entry
 * outside of a section, and an entry that is empty, repeated, not in NFC or contains a digit. Stop words and particles are single words.
 */
export function parseLists(file: string, text: string): WrittenLists {
  const lists = new Map<Section, Set<string>>();
  let current: Section | undefined;
  for (const [index, written] of text.split(/\r?\n/u).entries()) {
    const refuse = (problem: string): never => {
      throw new Error(`${file}, line ${index + 1}: ${problem}`);
    };
    const line = written.replace(COMMENT, '').trim();
    const heading = HEADING.exec(line)?.[1];
    if (line === '') continue;
    if (heading !== undefined) {
      current = SECTIONS.find((known) => known === heading);
      if (current === undefined) return refuse(`unknown section [${heading}]. Sections: ${SECTIONS.join(', ')}`);
      if (lists.has(current)) return refuse(`a second section [${current}]. Add the entries to the first one`);
      lists.set(current, new Set());
    } else {
      if (current === undefined) return refuse(`"${line}" is not in a section. Start with a line such as [stop words]`);
      const entries = lists.get(current) as Set<string>;
      for (const entry of entriesOf(line)) {
        const problem = problemOf(entry, current, entries);
        if (problem !== null) refuse(problem);
        entries.add(entry);
      }
    }
  }
  const of = (section: Section) => [...(lists.get(section) ?? [])];
  return {
    'stop words': of('stop words'),
    'question words': of('question words'),
    'category words': of('category words'),
    particles: of('particles'),
  };
}

/** The entries of a line; a comma at its end is allowed. */
function entriesOf(line: string): string[] {
  const entries = line.split(SEPARATOR).map((entry) => entry.trim());
  if (entries.length > 1 && entries.at(-1) === '') entries.pop();
  return entries;
}

function problemOf(entry: string, section: Section, before: ReadonlySet<string>): string | null {
  if (entry === '') return 'an empty entry between two commas';
  if (entry !== entry.normalize('NFC')) return `"${entry}" is not in Unicode normal form C. Save the file as NFC`;
  if (/\p{N}/u.test(entry)) return `"${entry}" contains a digit`;
  if (!/\p{L}/u.test(entry)) return `"${entry}" contains no letter`;
  const isSingle = section === 'stop words' || section === 'particles';
  if (isSingle && SEVERAL_WORDS.test(entry)) {
    return `"${entry}" is not a single word of letters, as [${section}] requires. Separate entries with commas`;
  }
  return before.has(entry) ? `"${entry}" is already in [${section}]` : null;
}

/** Text of a file, without a byte order mark. Throws an error with `file` if it is not in UTF-8. */
export function decodeWords(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file}: not in UTF-8. Save the file as UTF-8`);
  }
}

/** The lists as written, by language. Throws on a file that is not named after a language, not in UTF-8 or malformed. */
function readAll(): Map<string, WrittenLists> {
  const found = new Map<string, WrittenLists>();
  for (const file of readdirSync(FOLDER).sort()) {
    const language = /^([a-z]{2,3})\.txt$/.exec(file)?.[1];
    if (language === undefined)
      throw new Error(`${join(FOLDER, file)}: name the file after a language, such as de.txt`);
    found.set(language, parseLists(file, decodeWords(file, readFileSync(join(FOLDER, file)))));
  }
  return found;
}

/** Phrases without duplicates, those with most words first, then those with most characters. */
function phrases(all: Iterable<Phrase>): readonly Phrase[] {
  const distinct = new Map([...all].map((words) => [words.join(' '), words]));
  return [...distinct]
    .sort(([a, one], [b, other]) => other.length - one.length || b.length - a.length || (a < b ? -1 : 1))
    .map(([, words]) => words);
}

function folded(lists: WrittenLists): FoldedLists {
  return {
    stopWords: new Set(lists['stop words'].flatMap(foldedRuns)),
    questionPhrases: phrases(lists['question words'].map(foldedRuns)),
    categoryWords: phrases(lists['category words'].map(foldedRuns)),
    particles: phrases(lists.particles.map(foldedRuns)).flat(),
  };
}

const NONE = folded(parseLists('', ''));
// Malformed files fail at start. Entries are folded at the first use of their language, which saves time in processes without searches.
const written = readAll();
const byLanguage = new Map<string, FoldedLists>();
let everyCategoryWord: readonly Phrase[] | undefined;

function listsOf(code: string): FoldedLists {
  const language = SAME_AS[code] ?? code;
  const known = byLanguage.get(language);
  if (known !== undefined) return known;
  const lists = written.get(language);
  if (lists === undefined) return NONE;
  const made = folded(lists);
  byLanguage.set(language, made);
  return made;
}

/** Folded words that are ignored in queries with other words; empty for languages without lists or without spaces between words. */
export function stopWords(language: string): ReadonlySet<string> {
  return listsOf(language).stopWords;
}

/** Questions as sequences of folded words, longest first: `['how', 'do', 'i']`. A run of Chinese, Japanese or Korean is one word. */
export function questionPhrases(language: string): readonly Phrase[] {
  return listsOf(language).questionPhrases;
}

/**
 * Names of the category of every listed thing, such as `['extension']`, as sequences of folded words, longest first. `add-on` is
 * `['add', 'on']`; a run of Chinese, Japanese or Korean is one word.
 */
export function categoryWords(language: string): readonly Phrase[] {
  return listsOf(language).categoryWords;
}

/** The category words of all languages without duplicates, longest first. */
export function allCategoryWords(): readonly Phrase[] {
  everyCategoryWord ??= phrases([...written.values()].flatMap((lists) => lists['category words'].map(foldedRuns)));
  return everyCategoryWord;
}

/** Grammatical particles of languages without spaces between words or before particles, longest first. */
export function particles(language: string): readonly string[] {
  return listsOf(language).particles;
}
