interface Entry<Value> {
  value: Value;
  size: number;
  /** Whether it was used since it came, or since it was spared last. */
  isUsed: boolean;
}

/**
 * Things in memory, up to a size together. The oldest make room for what is new, but those that were used are spared once for
 * it: what is asked for again and again stays, however much passes by that nobody asks for twice.
 */
export class RecentlyUsed<Key, Value> {
  readonly #most: number;
  /** The oldest is the first. */
  readonly #entries = new Map<Key, Entry<Value>>();
  #held = 0;

  /** `most` is in whatever unit sizes are. */
  constructor(most: number) {
    this.#most = most;
  }

  /** What is under a key, as if nobody had asked. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** What is under a key, which is used by that. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** Puts something under a key, in place of what is there. */
  set(key: Key, value: Value, size: number): void {
    const isUsed = this.#remove(key);
    this.#entries.set(key, { value, size, isUsed });
    this.#held += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#held <= this.#most) return;
      if (this.#remove(oldest)) this.#spare(oldest, entry);
    }
  }

  /** Whether what is taken away was used. */
  #remove(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    this.#held -= entry.size;
    return entry.isUsed;
  }

  #spare(key: Key, entry: Entry<Value>): void {
    entry.isUsed = false;
    this.#entries.set(key, entry);
    this.#held += entry.size;
  }
}
