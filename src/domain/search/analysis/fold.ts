/* Folding of letters: compatibility forms, case and accents do not distinguish words. */

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
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');
const ASCII = /^[A-Za-z0-9]*$/;
// Only Latin and Greek letters lose their marks: in other scripts a mark is often a letter.
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu;

/** Text in its compatibility form (NFKC), without lone surrogates. */
export function compatible(text: string): string {
  return text.toWellFormed().normalize('NFKC');
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
  return compatible(text)
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Cuts a term to the maximum compared length. */
export function cutTerm(term: string): string {
  return term.length <= MAX_TERM_LENGTH ? term : term.slice(0, MAX_TERM_LENGTH).toWellFormed();
}
