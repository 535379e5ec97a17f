/*
 * Tokeniser. A word is a run of letters, digits and marks; scripts without spaces between words are split into overlapping pairs of
 * characters (bigrams).
 */
import { compatible, cutTerm, fold, rawText } from './fold.ts';

/** A folded word and its folded parts: `DownloadHelper` is `downloadhelper` with the parts `download` and `helper`. */
export interface Word {
  orig: string;
  /** At least one: the word itself when it has no parts. */
  parts: readonly string[];
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

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const PAIRED = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}';
const SCRIPTS = new RegExp(`[${PAIRED}]+|[^${PAIRED}]+`, 'gu');
const IS_PAIRED = new RegExp(`^[${PAIRED}]`, 'u');
// tabManager: before M; SQLite: before Li; mp3, 3d: between letter and digit.
const PART_BORDER =
  /(?=\p{Lu})(?<=\p{Ll}\p{M}*)|(?=\p{Lu}\p{M}*\p{Ll})(?<=\p{Lu}\p{M}*)|(?=\p{N})(?<=[\p{L}\p{M}])|(?=\p{L})(?<=\p{N})/u;

// Fast path for most words: one script, no parts.
const SIMPLE = /^[A-Z]?[a-z]+$/;

/** The words of `text`, at most `limit`, in order. */
export function splitWords(text: string, limit: number): Word[] {
  return takeWords(text, limit).map(({ word }) => word);
}

/** Analyses a name or query; words beyond `limit` count only in `raw` and `squash`. */
export function analyse(text: string, limit: number): Analysis {
  const taken = takeWords(text, limit);
  const runs = compatible(text).match(RUN) ?? [];
  return {
    raw: cutTerm(rawText(text)),
    squash: cutTerm(runs.map(fold).join('')),
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
  for (const run of compatible(text).match(RUN) ?? []) {
    for (const piece of SIMPLE.test(run) ? [run] : (run.match(SCRIPTS) ?? [])) {
      for (const each of IS_PAIRED.test(piece) ? pairs(piece) : [spelled(piece)]) {
        if (taken.length === limit) return taken;
        taken.push(each);
      }
    }
  }
  return taken;
}

function spelled(piece: string): Taken {
  const whole = cutTerm(piece);
  const orig = fold(whole);
  if (SIMPLE.test(whole)) return { word: { orig, parts: [orig] }, singles: [] };
  const parts = whole
    .split(PART_BORDER)
    .map(fold)
    .filter((part) => part !== '');
  return { word: { orig, parts: parts.length > 1 ? parts : [orig] }, singles: [] };
}

function* pairs(piece: string): Generator<Taken> {
  const characters = Array.from(piece, fold);
  const last = characters.length - 1;
  for (let index = 0; index < Math.max(1, last); index++) {
    const singles = characters.slice(index, index + 2);
    const orig = singles.join('');
    yield { word: { orig, parts: [orig] }, singles };
  }
}
