import { describe, expect, it } from 'vitest';
import { fold, rawText } from '../../../src/domain/search/analysis/fold.ts';
import { isStopWord, stemmerOf, tagsOf, tagsOfQuery } from '../../../src/domain/search/analysis/languages.ts';
import { analyseName, nameLexemes, textLexemes } from '../../../src/domain/search/analysis/lexemes.ts';
import { analyse, splitWords } from '../../../src/domain/search/analysis/words.ts';
import { plainText } from '../../../src/domain/search/index/plain-text.ts';

const words = (text: string) =>
  splitWords(text, 20).map(({ orig, parts }) =>
    parts.length > 1 ? `${orig}=${parts.map((part) => part.orig).join('+')}` : orig,
  );

describe('splitWords', () => {
  it.each([
    ['Tab Garden', ['tab', 'garden']],
    ['  1-Click: Video & Grab! ', ['1', 'click', 'video', 'grab']],
    ['OneTab', ['onetab=one+tab']],
    ['SQLite', ['sqlite=sq+lite']],
    ['MP3Player', ['mp3player=mp+3+player']],
    ['iOS 12beta2', ['ios=i+os', '12beta2=12+beta+2']],
    ['Müller Straße Ærø', ['muller', 'strasse', 'aero']],
    ['ＴＡＢ Ⅳ ﬁre', ['tab', 'iv', 'fire']],
    ['日本語辞書', ['日本', '本語', '語辞', '辞書']],
    ['字', ['字']],
    ['日本ABC 한국어', ['日本', 'abc', '한국', '국어']],
    ['Мой Ёж', ['мой', 'еж']],
    ['Σίσυφος', ['σισυφοσ']],
    ["don't l'été", ['don', 't', 'l', 'ete']],
    ['&+,', []],
    ['\ud800 a\u0000b', ['a', 'b']],
  ])('splits %j into %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('returns at most the requested number of words', () => {
    expect(splitWords('a b c d', 2)).toHaveLength(2);
  });

  it('splits words of 50,000 combining marks, case changes or digit changes', () => {
    const marks = `a${'\u0301'.repeat(50_000)} ${'aB'.repeat(50_000)} ${'9a'.repeat(50_000)}`;
    expect(splitWords(marks, 10)).toHaveLength(3);
  });
});

describe('the analysis of names', () => {
  it('joins the words to the same term for every spacing', () => {
    for (const name of ['Down Them Everything', 'DownThemEverything!', 'down-them-everything']) {
      expect(analyse(name, 50).squash).toBe('downthemeverything');
    }
  });

  it('normalises only case and whitespace in the raw form', () => {
    expect(rawText(' Tab \t\n Garden! ')).toBe('tab garden!');
  });

  it('produces a lexeme of every kind', () => {
    expect([...nameLexemes(analyseName('OneTab Shelves'), '*')].sort()).toEqual(
      [
        'x*:onetab shelves',
        'q*:onetabshelves',
        'w*:onetabshelv',
        'l*:onetab',
        'l*:onetab shelves',
        'l*:one',
        'l*:one tab',
        'l*:one tab shelves',
        'b*:onetab shelves',
        'b*:one tab',
        'b*:tab shelves',
        't*:onetab',
        't*:one',
        't*:tab',
        't*:shelves',
        't*:shelv',
        't*:onetabshelves',
        't*:tabshelves',
      ].sort(),
    );
  });

  it('produces only the lexeme of the whole name for a name without words', () => {
    expect([...nameLexemes(analyseName('!!!'), '*')]).toEqual(['x*:!!!']);
  });
});

describe('the analysis of texts', () => {
  it('assigns one kind to each stem', () => {
    const texts = { names: ['Tabs'], summaries: ['Move tabs around'], descriptions: ['moving things'], tags: ['fun'] };
    expect([...textLexemes(texts, '*')].sort()).toEqual(['a*:fun', 'b*:move', 'd*:thing', 's*:around', 's*:tab']);
  });

  it('removes markup and decodes entities', () => {
    expect(plainText('<p>Works with <b>Fire</b>&amp;<i>Ice</i> &#233;t&#xe9; &nbsp;<').replace(/\s+/g, ' ')).toBe(
      ' Works with Fire & Ice été <',
    );
  });
});

describe('languages', () => {
  it.each([
    ['*', 'managers', 'manag'],
    ['en', 'privacy', 'privaci'],
    ['fr', 'continuation', 'continu'],
    ['de', 'ubersetzungen', 'ubersetz'],
    ['ja', '日本', '日本'],
    ['xx', 'managers', 'managers'],
  ])('under %s, %s is stemmed to %s', (tag, word, stem) => {
    expect(stemmerOf(tag)(word)).toBe(stem);
  });

  it('return the word itself if its stem is empty', () => {
    expect(stemmerOf('cs')('a')).toBe('a');
  });

  it('have their own stop words', () => {
    expect([isStopWord('*', 'the'), isStopWord('de', 'fur'), isStopWord('de', 'the'), isStopWord('*', 'all')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('determine the tags of texts and queries', () => {
    expect(tagsOf('en-US', true)).toEqual(['*']);
    expect(tagsOf('pt-BR', true)).toEqual(['*', 'pt']);
    expect(tagsOf('ja', true)).toEqual(['*']);
    expect(tagsOf('fr', false)).toEqual(['fr']);
    expect(tagsOfQuery('en-GB')).toEqual(['*', 'en']);
  });

  it('fold case and accents of Latin letters, and keep voiced kana', () => {
    expect(['İ', 'ẞ', 'Ǻ', 'ガ'].map((letter) => fold(letter.normalize('NFKC')))).toEqual(['i', 'ss', 'a', 'ガ']);
  });
});
