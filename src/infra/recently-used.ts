/** Things in memory, up to a size together: what was used longest ago makes room for what is new. */
export class RecentlyUsed<Key, Value> {
  readonly #most: number;
  /** The one that was used longest ago is the first. */
  readonly #entries = new Map<Key, { value: Value; size: number }>();
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
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Puts something under a key, in place of what is there. */
  set(key: Key, value: Value, size: number): void {
    this.#held += size - (this.#entries.get(key)?.size ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, { value, size });
    for (const [oldest, entry] of this.#entries) {
      if (this.#held <= this.#most) return;
      this.#entries.delete(oldest);
      this.#held -= entry.size;
    }
  }
}
