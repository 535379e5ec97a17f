import { randomInt } from 'node:crypto';
import { networkOf } from '../../infra/rate-limits.ts';

const SLOTS = 2 ** 16;
const MINUTE_MS = 60_000;

/**
 * Limits how often a sender (IPv6: a /64 network) counts in a minute, in constant memory and without addresses: senders share
 * counters by a random hash, so that a sender may be limited earlier, but never later.
 */
export class SenderLimit {
  readonly #most: number;
  readonly #counts = new Uint16Array(SLOTS);
  readonly #seed = randomInt(2 ** 32);
  #started = performance.now();

  /** `most` is at most 65,534. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one event of an address at `now`, as `performance.now()`. Returns whether it is within the limit. */
  admits(address: string, now: number): boolean {
    if (now - this.#started >= MINUTE_MS) {
      this.#counts.fill(0);
      this.#started = now;
    }
    const slot = this.#slotOf(address.includes(':') ? networkOf(address) : address);
    const count = (this.#counts[slot] ?? 0) + 1;
    if (count > this.#most) return false;
    this.#counts[slot] = count;
    return true;
  }

  /** FNV-1a, started from a secret seed. */
  #slotOf(network: string): number {
    let hash = this.#seed;
    for (let index = 0; index < network.length; index++) {
      hash = Math.imul(hash ^ network.charCodeAt(index), 0x01000193);
    }
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }
}
