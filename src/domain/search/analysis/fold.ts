/* Folding of letters: compatibility forms, case, accents, vowel points and variants of letters do not distinguish words. */

/** Maximum length of a compared word, name or query; longer ones are cut in names and queries alike. */
const MAX_TERM_LENGTH = 200;

/** Letters without a Unicode decomposition. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ё: 'е',
  // Arabic, by code point, because editors reorder them: wasla, alef maqsura, teh marbuta; Persian yeh and kaf; tatweel.
  '\u0671': '\u0627',
  '\u0649': '\u064a',
  '\u0629': '\u0647',
  '\u06cc': '\u064a',
  '\u06a9': '\u0643',
  '\u0640': '',
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');
const ASCII = /^[A-Za-z0-9]*$/;
// In other scripts a mark is often a letter. In Arabic, the forms of hamza decompose to a letter and a mark.
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\u0640])\p{Mn}+/gu;

/** ™ ℠ ® ©: signs, which NFKC would make letters. */
const SIGNS = /[\u2122\u2120\u00ae\u00a9]/gu;
/** Soft hyphen, zero-width space, word joiner, byte order mark. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/gu;

/** Text in its compatibility form (NFKC), without lone surrogates, signs of ownership and invisible characters. */
export function compatibilityForm(text: string): string {
  return text.toWellFormed().replace(SIGNS, ' ').replace(INVISIBLE, '').normalize('NFKC');
}

/** A word in lower case, with its accents. `word` is in its compatibility form. */
export function lowerCase(word: string): string {
  const lower = word.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize('NFC');
}

/** A word in lower case and without accents. `word` is in its compatibility form. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = lower.normalize('NFD').replace(ACCENTS, '$1').normalize('NFC');
  return plain.replace(SPECIAL, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/**
 * A name or query for exact comparison: compatibility form, lower case, single spaces. Control characters count as spaces.
 */
export function rawText(text: string): string {
  return compatibilityForm(text)
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Cuts a term to the maximum compared length. */
export function cutTerm(term: string): string {
  return term.length <= MAX_TERM_LENGTH ? term : term.slice(0, MAX_TERM_LENGTH).toWellFormed();
}
