/*
 * Changes of a typed name after which people expect the same add-on. Each change has the tier that the name keeps; `pick` chooses a
 * place, from 0 up to its argument, exclusive.
 */
import type { NameTier } from '../../../src/domain/search/query/query-plan.ts';

type Pick = (limit: number) => number;

export interface Change {
  /** The changed text; the text itself where the change does not apply. */
  change: (text: string, pick: Pick, locale: string) => string;
  /** The name still matches in this tier or a better one. */
  keeps: NameTier;
}

const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  ar: 'إضافة',
  cs: 'doplněk',
  de: 'Erweiterung',
  es: 'complemento',
  fi: 'lisäosa',
  fr: 'extension',
  he: 'תוסף',
  it: 'estensione',
  ja: '拡張機能',
  ko: '확장 기능',
  nl: 'uitbreiding',
  pl: 'dodatek',
  'pt-BR': 'extensão',
  ru: 'расширение',
  'sv-SE': 'tillägg',
  tr: 'eklenti',
  uk: 'розширення',
  'zh-CN': '扩展',
};

const insert = (text: string, at: number, inserted: string) => text.slice(0, at) + inserted + text.slice(at);
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Places between two letters of a word. */
function insideWords(text: string): number[] {
  return [...text.matchAll(/(?<=[\p{L}\p{M}])(?=\p{L})/gu)].map(({ index }) => index);
}

function within(text: string, pick: Pick, inserted: string): string {
  const places = insideWords(text);
  return places.length === 0 ? text : insert(text, places[pick(places.length)] as number, inserted);
}

/** In other scripts a mark makes another letter. */
function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1')
    .normalize('NFC');
}

/** Vowel points after Hebrew and Arabic letters. */
function pointed(text: string, pick: Pick): string {
  return text
    .replace(/\p{Script=Hebrew}/gu, (letter) => letter + (pick(2) === 0 ? '\u05B7' : ''))
    .replace(/[\u0628-\u064A]/gu, (letter) => letter + (pick(2) === 0 ? '\u064E' : ''));
}

function permuted(text: string, pick: Pick): string {
  const words = wordsOf(text);
  for (let left = words.length; left > 1; left--) words.push(...words.splice(pick(left), 1));
  return words.join(' ');
}

/** The changes by what a person does. */
export const CHANGES: Readonly<Record<string, Change>> = {
  'lower case': { change: (text) => text.toLowerCase(), keeps: 'exact' },
  'upper case': { change: (text) => text.toUpperCase(), keeps: 'whole' },
  'full-width letters': {
    change: (text) => text.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) as number) + 0xfee0)),
    keeps: 'exact',
  },
  'an invisible character inside a word': {
    change: (text, pick) => within(text, pick, ['\u00AD', '\u200B', '\u2060', '\uFEFF'][pick(4)] as string),
    keeps: 'exact',
  },
  'no accents': { change: withoutAccents, keeps: 'whole' },
  'vowel points': { change: pointed, keeps: 'whole' },
  'a longer Arabic word': {
    change: (text, pick) => (/\p{Script=Arabic}/u.test(text) ? within(text, pick, '\u0640') : text),
    keeps: 'whole',
  },
  'words joined': {
    change: (text, pick) => {
      const words = wordsOf(text);
      const at = pick(words.length);
      return [...words.slice(0, at), words.slice(at, at + 2).join(''), ...words.slice(at + 2)].join(' ');
    },
    keeps: 'whole',
  },
  'a word split': { change: (text, pick) => within(text, pick, ' '), keeps: 'whole' },
  'words in another order': { change: permuted, keeps: 'all' },
  'a category word': {
    change: (text, pick, locale) => {
      const word = CATEGORY_WORDS[locale] ?? 'extension';
      return pick(2) === 0 ? `${text} ${word}` : `${word} ${text}`;
    },
    keeps: 'whole',
  },
};
