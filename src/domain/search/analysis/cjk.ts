/*
 * Pairs of characters that need not match. In scripts without spaces between words some pairs belong to no word: a pair over a change
 * of the script usually spans two words, and a pair with a particle spans a word and its ending.
 */
import type { Word } from './words.ts';

const SCRIPTS: readonly RegExp[] = [
  /[\p{Script=Han}々〆]/u,
  /\p{Script=Hiragana}/u,
  /[\p{Script=Katakana}ー]/u,
  /\p{Script=Hangul}/u,
];
/** Lengthens the vowel before it in Hiragana and Katakana alike. */
const LENGTH_MARK = 'ー';

const scriptOf = (character: string): number => SCRIPTS.findIndex((script) => script.test(character));

/** Whether the two characters of a pair are in different scripts. */
function changesScript(pair: string): boolean {
  const [first = '', second = ''] = Array.from(pair);
  if (second === '' || second === LENGTH_MARK) return false;
  return scriptOf(first) !== scriptOf(second);
}

/** A particle that is rarely a part of a word: the Japanese object marker and Chinese particles. It separates words inside of a run. */
const SEPARATING = /[を的了吗嗎呢吧啊呀]/u;

const IMPLIED = /[\p{Script=Hiragana}的了吗嗎呢吧啊呀]/u;
const isBetweenWords = (pair: string): boolean => changesScript(pair) || SEPARATING.test(pair);

/** The pairs of a query by the run of characters that they belong to, in order. Runs of one character are left out. */
export function runsOf(words: readonly Word[]): Word[][] {
  const runs = new Map<number, Word[]>();
  for (const word of words) {
    if (word.pair === null || Array.from(word.orig).length < 2) continue;
    const run = runs.get(word.pair.run) ?? [];
    runs.set(word.pair.run, [...run, word]);
  }
  return [...runs.values()];
}

/** The characters of neighbouring pairs of a run. */
function textOf(pairs: readonly Word[]): string {
  return pairs.map(({ orig }, index) => (index === 0 ? orig : (Array.from(orig).at(-1) ?? ''))).join('');
}

/** Number of characters of the longest particle that ends a text of more characters; 0 without one. */
function finalParticle(text: string, particles: readonly string[]): number {
  const lengths = particles.flatMap((particle) =>
    text.endsWith(particle) && text !== particle ? [Array.from(particle).length] : [],
  );
  return Math.max(0, ...lengths);
}

/**
 * The pairs that need not match: over a change of the script, or with a particle. A character other than Hiragana and particles must be in
 * a pair that matches, so a pair stays if no other one has its character.
 */
export function optionalPairs(words: readonly Word[], particles: readonly string[]): ReadonlySet<Word> {
  const optional = new Set<Word>();
  for (const run of runsOf(words)) {
    const ending = finalParticle(textOf(run), particles);
    const isFinal = (index: number) => index >= run.length - ending;
    const kept = new Set(run.filter(({ orig }, index) => !isBetweenWords(orig) && !isFinal(index)));
    if (kept.size === 0) continue;
    const characters = Array.from(textOf(run));
    for (const [index, character] of characters.entries()) {
      if (index > run.length - ending || IMPLIED.test(character)) continue;
      const [before, after] = [run[index - 1], run[index]];
      if ((before && kept.has(before)) || (after && kept.has(after))) continue;
      // The word goes on more often than it ends here.
      const only = after ?? before;
      if (only !== undefined) kept.add(only);
    }
    for (const word of run) if (!kept.has(word)) optional.add(word);
  }
  return optional;
}

/** The text of words, spelled as `texts`, with a separator between them. Neighbouring pairs share a character. */
export function joinWords(words: readonly Word[], texts: readonly string[], separator = ''): string {
  return words
    .map(({ pair }, index) => {
      const before = words[index - 1]?.pair;
      const text = texts[index] ?? '';
      const isNext = pair !== null && before != null && before.run === pair.run && before.at === pair.at - 1;
      if (isNext) return Array.from(text).at(-1) ?? '';
      return index === 0 ? text : separator + text;
    })
    .join('');
}
