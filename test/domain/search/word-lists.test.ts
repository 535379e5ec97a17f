import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stemmerOf } from '../../../src/domain/search/analysis/languages.ts';
import {
  allCategoryWords,
  categoryWords,
  decodeWords,
  parseLists,
  particles,
  questionPhrases,
  stopWords,
} from '../../../src/domain/search/analysis/word-lists.ts';
import { SUPPORTED_LOCALES } from '../../../src/texts/locales.ts';
import { ROOT } from '../../support/sources.ts';

const FOLDER = join(ROOT, 'src/domain/search/analysis/lists');
const files = readdirSync(FOLDER).map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }));

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const stemmed = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (language) => stemmerOf(language) !== stemmerOf('none'),
);

/** Distinct stop words of each language in the first release. */
const FIRST_STOP_WORDS = {
  ...{ en: 33, de: 40, fr: 44, es: 34, it: 40, pt: 33, nl: 36, sv: 24, da: 24, nb: 23, nn: 23 },
  ...{ fi: 11, pl: 27, cs: 24, ru: 30, uk: 26, tr: 9, hu: 10, ro: 16, ca: 15 },
};
/** The languages with lists. */
const LANGUAGES = files.map(({ file }) => file.replace('.txt', ''));
const UNSPACED = ['ja', 'ko', 'th', 'zh'];

describe('the files of word lists', () => {
  it.each(files)('$file states its language, its source and what it leaves out', ({ file, text }) => {
    const language = file.replace('.txt', '');
    expect(text).toMatch(new RegExp(`^# Language: .+ \\(${language}\\)\\n# Source: .{20}[^]*\\n# Left out: .{20}`));
    const lists = Object.values(parseLists(file, text)).flat();
    expect(lists.filter((entry) => entry !== entry.trim().normalize('NFC') || /\p{N}/u.test(entry))).toEqual([]);
  });

  it('cover every supported language and every language with a stemmer', () => {
    expect(stemmed.length).toBeGreaterThan(20);
    expect(stemmed.filter((language) => stopWords(language).size === 0)).toEqual([]);
    const supported = SUPPORTED_LOCALES.map((locale) => locale.split('-', 1)[0] ?? '');
    expect([...supported, ...stemmed].filter((language) => categoryWords(language).length === 0)).toEqual([]);
  });

  it('have category words and questions in every language, and stop words where words have spaces between them', () => {
    const all = LANGUAGES;
    expect(all.filter((language) => categoryWords(language).length < 5)).toEqual([]);
    expect(all.filter((language) => questionPhrases(language).length < 5)).toEqual([]);
    expect(all.filter((language) => stopWords(language).size === 0)).toEqual(UNSPACED);
  });

  it('keep the stop words of the first release', () => {
    const fewer = Object.entries(FIRST_STOP_WORDS).filter(([language, count]) => stopWords(language).size < count);
    expect(fewer).toEqual([]);
  });
});

describe('word lists', () => {
  it('are folded and split into words as queries are', () => {
    expect(stopWords('de')).toContain('fur');
    expect(questionPhrases('en')).toContainEqual(['how', 'do', 'i']);
    expect(categoryWords('en')).toContainEqual(['add', 'on']);
    expect(categoryWords('fr')).toContainEqual(['complement', 'de', 'navigateur']);
    expect(categoryWords('ja')).toContainEqual(['拡張機能']);
    expect(particles('ja')).toContain('の');
    expect(allCategoryWords()).toEqual(expect.arrayContaining([['plugin'], ['расширение'], ['확장', '기능']]));
  });

  it('have the longest phrases first, each once', () => {
    for (const all of [allCategoryWords(), ...LANGUAGES.map(questionPhrases)]) {
      const lengths = all.map((words) => words.length);
      expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
      expect(new Set(all.map((words) => words.join(' '))).size).toBe(all.length);
    }
  });

  it('of Norwegian are those of Bokmål; unknown languages have none', () => {
    expect(stopWords('no')).toBe(stopWords('nb'));
    expect([stopWords('xx').size, questionPhrases('xx'), categoryWords('xx'), particles('xx')]).toEqual([
      0,
      [],
      [],
      [],
    ]);
  });
});

describe('parseLists', () => {
  it('reads comments, CRLF, commas of several keyboards and several words in an entry', () => {
    const text =
      '# de\r\n[stop words]\r\nder, die, # articles\r\ndas\r\n\r\n[category words]\r\nAdd-on、拡張機能，扩展، web extension';
    expect(parseLists('x.txt', text)).toEqual({
      'stop words': ['der', 'die', 'das'],
      'question words': [],
      'category words': ['Add-on', '拡張機能', '扩展', 'web extension'],
      particles: [],
    });
  });

  it.each([
    ['[verbs]\n', 'x.txt, line 1: unknown section [verbs]'],
    ['# x\nder\n', 'x.txt, line 2: "der" is not in a section'],
    ['[stop words]\nder\n[stop words]\n', 'x.txt, line 3: a second section [stop words]'],
    ['[stop words]\nder die\n', 'x.txt, line 2: "der die" is not a single word'],
    ["[particles]\n's\n", 'x.txt, line 2: "\'s" is not a single word'],
    ['[stop words]\nder\ndie, der\n', 'x.txt, line 3: "der" is already in [stop words]'],
    ['[stop words]\nder,, die\n', 'x.txt, line 2: an empty entry'],
    ['[stop words]\nder, ,\n', 'x.txt, line 2: an empty entry'],
    ['[question words]\ntop 10\n', 'x.txt, line 2: "top 10" contains a digit'],
    ['[question words]\n???\n', 'x.txt, line 2: "???" contains no letter'],
    ['[stop words]\nfu\u0308r\n', 'x.txt, line 2: "fu\u0308r" is not in Unicode normal form C'],
  ])('refuses %j', (text, message) => {
    expect(() => parseLists('x.txt', text)).toThrow(message);
  });

  it('refuses a file in another encoding and accepts a byte order mark', () => {
    expect(() => decodeWords('x.txt', Buffer.from('für', 'latin1'))).toThrow('x.txt: not in UTF-8');
    expect(decodeWords('x.txt', Buffer.from('\ufefffür'))).toBe('für');
  });
});
