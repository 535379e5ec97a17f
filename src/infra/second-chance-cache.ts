interface Entry<Value> {
  value: Value;
  size: number;
  /** Whether it was read since it was added or last spared from eviction. */
  isUsed: boolean;
}

/**
 * A cache with a limit on total size. The oldest entries are evicted first, but an entry that was read is spared once per
 * read, so entries in use survive a scan of many keys that are read once.
 */
export class SecondChanceCache<Key, Value> {
  readonly #maxSize: number;
  /** In order of age, the oldest first. */
  readonly #entries = new Map<Key, Entry<Value>>();
  #size = 0;

  /** `maxSize` is in the unit of the sizes given to `set`. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The value of a key, without counting as a read. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** Adds or replaces a value. A value larger than the cache is not kept. */
  set(key: Key, value: Value, size: number): void {
    const isUsed = this.#remove(key);
    this.#entries.set(key, { value, size, isUsed });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#maxSize) return;
      if (this.#remove(oldest)) this.#spare(oldest, entry);
    }
  }

  /** Returns whether the removed entry was in use. */
  #remove(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    this.#size -= entry.size;
    return entry.isUsed;
  }

  #spare(key: Key, entry: Entry<Value>): void {
    entry.isUsed = false;
    this.#entries.set(key, entry);
    this.#size += entry.size;
  }
}
