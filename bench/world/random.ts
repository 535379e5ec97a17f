/** Pseudo-random choices, deterministic for a seed on every machine. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  share(): number;
  /** A whole number within inclusive bounds. */
  between(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** The given number of entries, in list order. */
  some<T>(list: readonly T[], count: number): T[];
  hex(length: number): string;
}

/** Choices seeded by these words, independent of those of other words. */
export function randomFor(...words: (string | number)[]): Random {
  const next = mulberry32(hash(words.join('\0')));
  const share = (): number => next() / 2 ** 32;
  const between = (least: number, most: number): number => least + Math.floor(share() * (most - least + 1));
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[between(0, list.length - 1)];
    if (chosen === undefined) throw new Error('The list is empty.');
    return chosen;
  };
  const some = <T>(list: readonly T[], count: number): T[] => {
    let missing = Math.min(count, list.length);
    return list.filter((_, index) => {
      const isTaken = share() < missing / (list.length - index);
      if (isTaken) missing -= 1;
      return isTaken;
    });
  };
  const hex = (length: number): string =>
    Array.from({ length: Math.ceil(length / 8) }, () => next().toString(16).padStart(8, '0'))
      .join('')
      .slice(0, length);
  return { share, between, chance: (part) => share() < part, pick, some, hex };
}

/** FNV-1a over the characters, with a final mix. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  return (state ^ (state >>> 13)) >>> 0;
}

/** 32-bit generator with 32 bits of state: enough for a few dozen choices. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
