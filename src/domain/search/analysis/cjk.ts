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

/** The pairs that need not match because their run has other pairs: over a change of the script, or with a particle. */
export function optionalPairs(words: readonly Word[], particles: readonly string[]): ReadonlySet<Word> {
  const optional = new Set<Word>();
  for (const run of runsOf(words)) {
    const ending = finalParticle(textOf(run), particles);
    const some = run.filter(({ orig }, index) => isBetweenWords(orig) || index >= run.length - ending);
    if (some.length < run.length) for (const word of some) optional.add(word);
  }
  return optional;
}

/** The text of words joined without spaces; `textOfWord` spells a word. Neighbouring pairs share a character. */
export function joinWords(words: readonly Word[], texts: readonly string[]): string {
  return words
    .map(({ pair }, index) => {
      const before = words[index - 1]?.pair;
      const text = texts[index] ?? '';
      const isNext = pair !== null && before != null && before.run === pair.run && before.at === pair.at - 1;
      return isNext ? (Array.from(text).at(-1) ?? '') : text;
    })
    .join('');
}
