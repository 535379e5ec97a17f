import type { Texts } from './catalogue-line.ts';
import { german } from './phrases/de.ts';
import { english } from './phrases/en-us.ts';
import { spanish } from './phrases/es.ts';
import { french } from './phrases/fr.ts';
import { japanese } from './phrases/ja.ts';
import { dutch } from './phrases/nl.ts';
import type { PhraseBook } from './phrases/phrase-book.ts';
import type { Random } from './random.ts';

/** The languages of the demo. */
export const BOOKS: readonly PhraseBook[] = [english, german, french, spanish, dutch, japanese];

/** Default language: English for half of the add-ons, else one of the others. */
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

/** Languages of an add-on's texts, the default first. English is always included. */
export function chooseBooks(random: Random): PhraseBook[] {
  const home = random.pick(HOMES);
  const others = BOOKS.filter((book) => book !== home);
  const chosen = random.chance(0.4) ? others : random.some(others, random.between(1, 3));
  const withEnglish = home === english || chosen.includes(english) ? chosen : [english, ...chosen];
  return [home, ...withEnglish];
}

/** A translated field with one text of each book. */
export function inEach(books: readonly PhraseBook[], text: (book: PhraseBook) => string): Texts {
  return Object.fromEntries(books.map((book) => [book.locale, text(book)]));
}

/** Fills the placeholders of a sentence. @throws for a placeholder without a value. */
export function fill(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for {${name}} in: ${sentence}`);
    return value;
  });
}

/** The text with an upper-case first letter. */
export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
