/*
 * The forms of a word: spellings that count as the same word, and their stems. Names and texts are stored with all forms, and queries
 * look up all forms, so two spellings match when they share one.
 *
 * Forms are the folded word; the word with ae, oe and ue for umlauts, and under German the word without them; Arabic and Hebrew as
 * written, with points, as versions before 3 stored them, and without the article.
 */
import { fold } from './fold.ts';
import { DEFAULT_TAG, readsAccents, stemmerOf, type Tag } from './languages.ts';
import type { WordForm } from './words.ts';

const GERMAN = 'de';
const POINTED = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The spellings of whole texts; each maps every word to one of its forms. */
type Spelling = (form: WordForm, tag: Tag) => string;

const folded: Spelling = ({ orig }) => orig;
const digraphs: Spelling = ({ orig, written }, tag) =>
  (orig !== written && (tag === DEFAULT_TAG || tag === GERMAN) && withDigraphs(written)) || orig;
const noDigraphs: Spelling = ({ orig }, tag) => (tag === GERMAN ? withoutDigraphs(orig) : orig);
const pointed: Spelling = ({ orig, written }) => (orig !== written && POINTED.test(written) ? written : orig);

/** At the start of a word the last letters may go on differently. */
const begunNoDigraphs: Spelling = ({ orig }, tag) => (tag === GERMAN ? beginningWithoutDigraphs(orig) : orig);

const SPELLINGS: readonly Spelling[] = [folded, digraphs, noDigraphs, pointed];
const BEGINNINGS: readonly Spelling[] = [folded, digraphs, begunNoDigraphs, pointed];

/** Whether a word has one form and one stem; most words do. */
const isPlain = ({ orig, written }: WordForm, tag: Tag) =>
  orig === written && tag !== GERMAN && !hasRespellings(tag) && !POINTED.test(orig);

/**
 * The sequence of words in each spelling, without duplicates; the folded words first. `isBegun`: the last word is the start of
 * a word.
 */
export function spellings(forms: readonly WordForm[], tag: Tag, isBegun = false): string[][] {
  if (forms.every((form) => isPlain(form, tag))) return [forms.map(({ orig }) => orig)];
  const last = forms.at(-1);
  const all = SPELLINGS.map((spelling, index) => {
    const lastSpelling = (isBegun && BEGINNINGS[index]) || spelling;
    return forms.map((form) => (form === last ? lastSpelling : spelling)(form, tag));
  });
  return [...new Map(all.map((words) => [words.join(' '), words])).values()];
}

/** The forms of a word under a tag; the folded word first. */
export function formsOf(form: WordForm, tag: Tag, isBegun = false): readonly string[] {
  if (isPlain(form, tag)) return [form.orig];
  const bare = withoutArticle(form.orig);
  const spelled = (isBegun ? BEGINNINGS : SPELLINGS).map((spelling) => spelling(form, tag));
  return [...new Set([...spelled, ...(bare === null ? [] : [bare])])];
}

/**
 * The stems of a word under a tag: those of its forms and, for languages whose stemmer distinguishes accents, of the accented word, folded
 * after.
 */
export function stemsOf(form: WordForm, tag: Tag): readonly string[] {
  const stem = stemmerOf(tag);
  if (isPlain(form, tag)) return [stem(form.orig)];
  const stems = formsOf(form, tag).map(stem);
  if (readsAccents(tag)) stems.push(fold(stem(form.written)));
  stems.push(...respelled(form, tag).map((word) => fold(stem(word))));
  return [...new Set(stems)];
}

// Arabic and Hebrew write the article, and Arabic short words before it, as a part of the next word.

/** Arabic: the article alone and merged with "for", before at least two letters; after "and", "with" and "like", before three. */
const ARABIC = /^(?:(?:\u0627\u0644|\u0644\u0644)(?=.{2})|[\u0648\u0628\u0643]\u0627\u0644(?=.{3}))/u;
/** Hebrew: before at least three letters. */
const HEBREW = /^\u05d4(?=\p{Script=Hebrew}{3})/u;

/** A folded word without its article; null without an article. */
function withoutArticle(folded: string): string | null {
  const rest = folded.replace(ARABIC, '').replace(HEBREW, '');
  return rest === folded ? null : rest;
}

// German writes ä, ö and ü as ae, oe and ue where a keyboard lacks them.

const DIGRAPHS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
const UMLAUT = /[äöü]/gu;
// In "neue", "bauer" and "quelle" the letters are no umlaut.
const DIGRAPH = /(?<![aeiouyq])([aou])e/gu;
const DIGRAPH_INSIDE = /(?<![aeiouyq])([aou])e(?=.)/gu;

/** A word in lower case with its umlauts as two letters, folded; null without umlauts. */
function withDigraphs(written: string): string | null {
  const spelled = written.replace(UMLAUT, (letter) => DIGRAPHS[letter] ?? letter);
  return spelled === written ? null : fold(spelled);
}

/** A folded word with two letters for an umlaut folded as the umlaut is: `uebersetzer` becomes `ubersetzer`. */
function withoutDigraphs(folded: string): string {
  return folded.replace(DIGRAPH, '$1');
}

/** The same for the start of a word, where the last letters may go on differently: `mue` stays, `muell` becomes `mull`. */
function beginningWithoutDigraphs(folded: string): string {
  return folded.replace(DIGRAPH_INSIDE, '$1');
}

// Spellings that stemmers need to recognise an inflected word.

/** Portuguese plurals in -ões and -ães, which the stemmer does not relate to their singular in -ão. */
const singular = (word: string) => word.replace(/(?:ões|ães)$/u, 'ão').replace(/(?:oes|aes)$/u, 'ao');

/**
 * Turkish words typed without accents break the vowel harmony that the stemmer checks: `sozlukler` is `sözlükler`, `isiklar` is
 * `ışıklar`.
 */
const frontVowels = (word: string) => word.replaceAll('o', 'ö').replaceAll('u', 'ü');
const backVowels = (word: string) => word.replaceAll('i', 'ı');

const RESPELLED: Readonly<Partial<Record<string, (form: WordForm) => string[]>>> = {
  pt: ({ orig, written }) => [singular(orig), singular(written)],
  tr: ({ orig, written }) => (orig === written ? [frontVowels(orig), backVowels(orig)] : []),
};

/** Whether words of a tag are stemmed in further spellings. */
const hasRespellings = (tag: Tag): boolean => tag in RESPELLED;

/** Further spellings to stem of a word. */
function respelled(form: WordForm, tag: Tag): string[] {
  return RESPELLED[tag]?.(form) ?? [];
}
