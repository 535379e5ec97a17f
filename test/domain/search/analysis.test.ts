import { describe, expect, it } from 'vitest';
import { contentOf } from '../../../src/domain/search/analysis/content.ts';
import { fold, rawText } from '../../../src/domain/search/analysis/fold.ts';
import { formsOf, stemsOf } from '../../../src/domain/search/analysis/forms.ts';
import { isStopWord, stemmerOf, tagsOf, tagsOfQuery } from '../../../src/domain/search/analysis/languages.ts';
import { analyseName, nameLexemes, textLexemes } from '../../../src/domain/search/analysis/lexemes.ts';
import { analyse, splitWords, type Word } from '../../../src/domain/search/analysis/words.ts';
import { plainText } from '../../../src/domain/search/index/addon-row.ts';

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
    ['Tab™ ®Guard ©2018 ℠', ['tab', 'guard', '2018']],
    ['ta\u00adb gar\u200bden \ufeffto\u2060ol', ['tab', 'garden', 'tool']],
    ['می\u200cخواهم', ['ميخواهم=مي+خواهم']],
    ['日本\u200d語 \u200d', ['日本', '語']],
    ['تَرْجَمـــة إضافات أعلى كلمة', ['ترجمه', 'اضافات', 'اعلي', 'كلمه']],
    ['שָׁלוֹם', ['שלום']],
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
    expect(rawText('Tab™ Gar\u00adden®')).toBe('tab garden');
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

describe('the forms of a word', () => {
  const formOf = (text: string) => splitWords(text, 1)[0] as Word;

  it.each([
    ['*', 'Müller', ['muller', 'mueller']],
    ['de', 'Müller', ['muller', 'mueller']],
    ['de', 'Mueller', ['mueller', 'muller']],
    ['de', 'Neue', ['neue']],
    ['de', 'Quelle', ['quelle']],
    ['fr', 'Mueller', ['mueller']],
    ['*', 'الإضافة', ['الاضافه', 'الإضافة', 'اضافه']],
    ['*', 'והספר', ['והספר']],
    ['*', 'הספר', ['הספר', 'ספר']],
    ['*', 'garden', ['garden']],
  ])('under %s, those of %s are %j', (tag, word, expected) => {
    expect(formsOf(formOf(word), tag)).toEqual(expected);
  });

  it('keep the last letters of the start of a word', () => {
    expect([formsOf(formOf('mue'), 'de', true), formsOf(formOf('muell'), 'de', true)]).toEqual([
      ['mue'],
      ['muell', 'mull'],
    ]);
  });

  it.each([
    ['pt', 'extensões', 'extensão'],
    ['pt', 'extensoes', 'extensão'],
    ['es', 'canciones', 'canción'],
    ['tr', 'sözlükler', 'sözlük'],
    ['tr', 'sozlukler', 'sözlük'],
    ['tr', 'isiklar', 'ışık'],
    ['ru', 'ёлки', 'елка'],
  ])('under %s, %s and %s have a term in common', (tag, one, other) => {
    const terms = (word: string) => [...formsOf(formOf(word), tag), ...stemsOf(formOf(word), tag)];
    expect(terms(one).some((term) => terms(other).includes(term))).toBe(true);
  });

  it('are words of a name also when neighbours are joined', () => {
    const terms = [...nameLexemes(analyseName('Note Pad für Ab C 日本 語'), 'de')].filter((each) =>
      each.startsWith('t'),
    );
    expect(terms).toEqual(expect.arrayContaining(['tde:notepad', 'tde:padfur', 'tde:padfuer']));
    expect(terms.filter((each) => /:(?:abc|c日.*|本語)$/.test(each))).toEqual([]);
  });
});

describe('the content of a query', () => {
  const content = (query: string, tag = '*', language = 'en') =>
    contentOf(splitWords(query, 20), tag, language)
      .content.map(({ orig }) => orig)
      .join(' ');

  it.each([
    ['how do I block ads', 'block ads'],
    ['dark theme', 'dark'],
    ['Erweiterung tab manager', 'tab manager'],
    ['add-on manager', 'manager'],
    ['the theme', 'theme'],
    ['theme', 'theme'],
    ['how do I', 'how do i'],
    ['to be', 'to be'],
    ['タブ管理', 'タブ 管理'],
    ['タブの拡張機能', 'タブ'],
    ['お気に入り', 'お気 気に に入 入り'],
    ['网页的翻译', '网页 翻译'],
    ['북마크를', '북마 마크'],
  ])('%s is %s', (query, expected) => {
    expect(content(query)).toBe(expected);
  });

  it('has shorter readings in which some category words are kept', () => {
    const parts = (query: string) =>
      contentOf(splitWords(query, 20), '*', 'en').partial.map(({ words, isLongest }) => [
        words.map(({ orig }) => orig).join(' '),
        isLongest,
      ]);
    expect(parts('dark theme')).toEqual([]);
    expect(parts('dark theme addon')).toEqual([['dark theme', true]]);
    expect(parts('theme addon')).toEqual([
      ['theme', true],
      ['addon', true],
    ]);
    expect(parts('plugin extension manager')).toEqual([['extension manager', true]]);
    expect(parts('theme '.repeat(20)).length).toBeLessThan(10);
  });

  it('depends on the language', () => {
    expect(content('wie kann ich tabs speichern', 'de', 'de')).toBe('tabs speichern');
    expect(content('onglets s', 'fr', 'fr')).toBe('onglets s');
    expect(content('onglets s', '*', 'fr')).toBe('onglets s');
    expect(content('Erweiterung für Screenshots', '*', 'de')).toBe('screenshots');
    expect(content('白い背景')).toBe('白い 背景');
    expect(content('вкладки с', 'ru', 'ru')).toBe('вкладки');
  });
});

describe('the analysis of texts', () => {
  it('assigns one kind to each stem', () => {
    const texts = { names: ['Tabs'], summaries: ['Move tabs around'], descriptions: ['moving things'], tags: ['fun'] };
    expect([...textLexemes(texts, '*')].sort()).toEqual(['a*:fun', 'b*:move', 'd*:thing', 's*:around', 's*:tab']);
    const joined = { names: ['Note Pad'], summaries: ['Color picker'], descriptions: [], tags: [] };
    expect([...textLexemes(joined, '*')].sort()).toEqual(['a*:note', 'a*:notepad', 'a*:pad', 's*:color', 's*:picker']);
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
