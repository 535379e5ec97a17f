/*
 * Tokeniser. A word is a run of letters, digits and marks; scripts without spaces between words are split into overlapping pairs of
 * characters (bigrams). Zero-width joiners and non-joiners inside a word separate its parts.
 */
import { compatibilityForm, cutTerm, fold, lowerCase, rawText } from './fold.ts';

/** A folded word, and as written in lower case: languages are stemmed with their accents. */
export interface WordForm {
  orig: string;
  written: string;
}

/** A word and its parts: `DownloadHelper` is `downloadhelper` with the parts `download` and `helper`. */
export interface Word extends WordForm {
  /** At least one: the word itself when it has no parts. */
  parts: readonly WordForm[];
  /** Number of the run of characters that a bigram belongs to, and its place there; null for other words. */
  pair: { run: number; at: number } | null;
}

/** The analysis of a name or a query. */
export interface Analysis {
  /** The text for exact comparison. */
  raw: string;
  /** All folded words joined, independent of spacing and hyphens. Empty without words. */
  squash: string;
  words: readonly Word[];
  /** Single characters of scripts that are split into pairs. */
  singles: readonly string[];
}

const JOINERS = /[\u200c\u200d]+/gu;
/** A run of letters, digits and marks, with joiners inside. */
export const LETTER_RUN = /[\p{L}\p{N}\p{M}]+(?:[\u200c\u200d]+[\p{L}\p{N}\p{M}]+)*/gu;
const PAIRED = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}';
const SCRIPTS = new RegExp(`[${PAIRED}]+|[^${PAIRED}]+`, 'gu');
const IS_PAIRED = new RegExp(`^[${PAIRED}]`, 'u');

/** Whether a word is of a script that is split into pairs. */
export const isPaired = (word: string): boolean => IS_PAIRED.test(word);

// tabManager: before M; SQLite: before Li; mp3, 3d: between letter and digit.
const PART_BORDER =
  /[\u200c\u200d]+|(?=\p{Lu})(?<=\p{Ll}\p{M}*)|(?=\p{Lu}\p{M}*\p{Ll})(?<=\p{Lu}\p{M}*)|(?=\p{N})(?<=[\p{L}\p{M}])|(?=\p{L})(?<=\p{N})/u;

// Fast path for most words: one script, no parts.
const SIMPLE = /^[A-Z]?[a-z]+$/;

/** The folded runs of letters, digits and marks of `text`, with scripts without spaces unsplit: `add-on 拡張機能` has three. */
export function foldedRuns(text: string): string[] {
  return (compatibilityForm(text).match(LETTER_RUN) ?? []).map((run) => fold(run.replace(JOINERS, '')));
}

/** The words of `text`, at most `limit`, in order. */
export function splitWords(text: string, limit: number): Word[] {
  return takeWords(text, limit).map(({ word }) => word);
}

/** Analyses a name or query; words beyond `limit` count only in `raw` and `squash`. */
export function analyse(text: string, limit: number): Analysis {
  const taken = takeWords(text, limit);
  return {
    raw: cutTerm(rawText(text)),
    squash: cutTerm(foldedRuns(text).join('')),
    words: taken.map(({ word }) => word),
    singles: [...new Set(taken.flatMap(({ singles }) => singles))],
  };
}

interface Taken {
  word: Word;
  singles: readonly string[];
}

function takeWords(text: string, limit: number): Taken[] {
  const taken: Taken[] = [];
  let paired = 0;
  for (const run of compatibilityForm(text).match(LETTER_RUN) ?? []) {
    for (const piece of SIMPLE.test(run) ? [run] : (run.match(SCRIPTS) ?? [])) {
      for (const each of isPaired(piece) ? pairs(piece, paired++) : spelled(piece)) {
        if (taken.length === limit) return taken;
        taken.push(each);
      }
    }
  }
  return taken;
}

const formOf = (text: string): WordForm => ({ orig: fold(text), written: lowerCase(text) });

function spelled(piece: string): Taken[] {
  const whole = cutTerm(piece);
  const form = formOf(whole.replace(JOINERS, ''));
  if (form.orig === '') return [];
  if (SIMPLE.test(whole)) return [{ word: { ...form, parts: [form], pair: null }, singles: [] }];
  const parts = whole
    .split(PART_BORDER)
    .map(formOf)
    .filter(({ orig }) => orig !== '');
  return [{ word: { ...form, parts: parts.length > 1 ? parts : [form], pair: null }, singles: [] }];
}

function* pairs(piece: string, run: number): Generator<Taken> {
  const characters = Array.from(piece, fold);
  const last = characters.length - 1;
  for (let at = 0; at < Math.max(1, last); at++) {
    const singles = characters.slice(at, at + 2);
    const form = { orig: singles.join(''), written: singles.join('') };
    yield { word: { ...form, parts: [form], pair: { run, at } }, singles };
  }
}
