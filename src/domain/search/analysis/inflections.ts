/* Spellings that stemmers need to recognise an inflected word. */
import type { Tag } from './languages.ts';
import type { Form } from './words.ts';

/** Portuguese plurals in -ões and -ães, which the stemmer does not relate to their singular in -ão. */
const singular = (word: string) => word.replace(/(?:ões|ães)$/u, 'ão').replace(/(?:oes|aes)$/u, 'ao');

/**
 * Turkish words typed without accents break the vowel harmony that the stemmer checks: `sozlukler` is `sözlükler`, `isiklar` is
 * `ışıklar`.
 */
const frontVowels = (word: string) => word.replaceAll('o', 'ö').replaceAll('u', 'ü');
const backVowels = (word: string) => word.replaceAll('i', 'ı');

const RESPELLED: Readonly<Partial<Record<string, (form: Form) => string[]>>> = {
  pt: ({ orig, written }) => [singular(orig), singular(written)],
  tr: ({ orig, written }) => (orig === written ? [frontVowels(orig), backVowels(orig)] : []),
};

/** Whether words of a tag are stemmed in further spellings. */
export const hasRespellings = (tag: Tag): boolean => tag in RESPELLED;

/** Further spellings to stem of a word. */
export function respelled(form: Form, tag: Tag): string[] {
  return RESPELLED[tag]?.(form) ?? [];
}
