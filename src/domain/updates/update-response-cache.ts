import { SecondChanceCache } from '../../infra/second-chance-cache.ts';

/** A response in memory. */
interface CachedValue<Value> {
  value: Value;
  /** When the look-up began, as `performance.now()`. */
  since: number;
}

/** Even without a notification, a response is used no longer than this. */
const MAX_AGE_MS = 600_000;
/** With more changes in this time, all responses are dropped. */
const MAX_CHANGES = 100_000;
/** Bytes that an entry takes in addition to its texts. */
const OVERHEAD = 400;
/** Share of the memory that ids without updates may take. */
const UNKNOWN_SHARE = 1 / 8;

/**
 * Results of update checks in memory, of at most `bytes`. Ids without updates, of which clients can make up any number, have memory of
 * their own. A change makes the results of its add-on outdated that were looked up before it arrived.
 */
export class UpdateResponseCache<Value extends { size: number }> {
  readonly #known: SecondChanceCache<string, CachedValue<Value>>;
  readonly #unknown: SecondChanceCache<string, number>;
  /** When the newest change of an add-on arrived, by guid in lower case, the oldest first. */
  readonly #changes = new Map<string, number>();
  #droppedAt = Number.NEGATIVE_INFINITY;

  constructor(bytes: number) {
    this.#known = new SecondChanceCache(bytes * (1 - UNKNOWN_SHARE));
    this.#unknown = new SecondChanceCache(bytes * UNKNOWN_SHARE);
  }

  /** The result of an add-on for a variant of the check; null when the id is without updates, undefined when none is cached. */
  get(guid: string, variant: string): Value | null | undefined {
    const cached = this.#known.get(`${guid} ${variant}`);
    if (cached !== undefined && this.#isCurrent(guid, cached.since)) return cached.value;
    const since = this.#unknown.get(guid);
    return since !== undefined && this.#isCurrent(guid, since) ? null : undefined;
  }

  /** Holds a result; null for an id without updates. `since` is when the look-up began. */
  set(guid: string, variant: string, value: Value | null, since: number): void {
    if (!this.#isCurrent(guid, since)) return;
    const key = `${guid} ${variant}`;
    if (value === null) this.#unknown.set(guid, since, guid.length + OVERHEAD);
    else this.#known.set(key, { value, since }, key.length + value.size + OVERHEAD);
  }

  #isCurrent(guid: string, since: number): boolean {
    if (since <= this.#droppedAt || performance.now() - since > MAX_AGE_MS) return false;
    const changed = this.#changes.size === 0 ? undefined : this.#changes.get(guid);
    return changed === undefined || since > changed;
  }

  /** Makes the results of an add-on outdated. */
  change(guid: string): void {
    const now = performance.now();
    this.#changes.delete(guid);
    this.#changes.set(guid, now);
    for (const [oldest, changed] of this.#changes) {
      if (now - changed <= MAX_AGE_MS) break;
      this.#changes.delete(oldest);
    }
    if (this.#changes.size > MAX_CHANGES) this.drop();
  }

  /** Makes all results outdated. */
  drop(): void {
    this.#droppedAt = performance.now();
    this.#changes.clear();
  }
}
