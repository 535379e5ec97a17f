import { german } from '../phrases/de.ts';
import { english } from '../phrases/en-us.ts';
import { spanish } from '../phrases/es.ts';
import { french } from '../phrases/fr.ts';
import { japanese } from '../phrases/ja.ts';
import { dutch } from '../phrases/nl.ts';
import type { PhraseBook } from '../phrases/phrase-book.ts';
import type { Texts } from './catalogue-line.ts';
import type { Random } from './random.ts';

/** The languages of the demo. */
export const BOOKS: readonly PhraseBook[] = [english, german, french, spanish, dutch, japanese];

/** Every second add-on is at home in English, the others in one of the other languages. */
const HOMES: readonly PhraseBook[] = [
  ...Array.from({ length: 10 }, () => english),
  german,
  german,
  german,
  french,
  french,
  french,
  spanish,
  spanish,
  dutch,
  japanese,
  japanese,
];

/** The languages that an add-on has texts in, its default one first. English is always among them. */
export function chooseBooks(random: Random): PhraseBook[] {
  const home = random.pick(HOMES);
  const others = BOOKS.filter((book) => book !== home);
  const chosen = random.chance(0.4) ? others : random.some(others, random.between(1, 3));
  const withEnglish = home === english || chosen.includes(english) ? chosen : [english, ...chosen];
  return [home, ...withEnglish];
}

/** One text of each of these books, as a translated field. */
export function inEach(books: readonly PhraseBook[], text: (book: PhraseBook) => string): Texts {
  return Object.fromEntries(books.map((book) => [book.locale, text(book)]));
}

/** A sentence with its places filled in. @throws when it has a place that nothing is said for. */
export function fill(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing is said for {${name}} in: ${sentence}`);
    return value;
  });
}

/** The same text with its first letter as a capital. */
export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
