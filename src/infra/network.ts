import { randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The key of an address: for IPv6 its /64 network, which one subscriber owns. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip.replace(/^::ffff:/, '');
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const all = [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * Counts events of networks (an IPv4 address, or an IPv6 /64) in each period, in constant memory and without addresses: networks share
 * counters by a hash with a random salt, which each period renews. A network may therefore be limited earlier, but never later.
 */
export class NetworkLimit {
  readonly #counts: Uint16Array;
  readonly #periodMs: number;
  #period = Number.NaN;
  #salt = 0;

  /** `slots` is the number of counters, a power of two; memory is two bytes for each. */
  constructor(slots: number, period: 'minute' | 'day') {
    this.#counts = new Uint16Array(slots);
    this.#periodMs = period === 'day' ? DAY_MS : MINUTE_MS;
  }

  /**
   * Counts one event of an address about a subject, such as the id of an add-on; 0 for events of any kind. `now` is in ms since the
   * epoch; days are those of UTC. Returns whether it is one of the first `most` (0 to `MAX_NETWORK_LIMIT`) of the period.
   */
  tryConsume(address: string, subject: number, most: number, now: number): boolean {
    const period = Math.floor(now / this.#periodMs);
    if (period !== this.#period) this.#start(period);
    const slot = this.#slotOf(address.includes(':') ? networkOf(address) : address, subject);
    const count = (this.#counts[slot] ?? 0) + 1;
    if (count > most) return false;
    this.#counts[slot] = count;
    return true;
  }

  #start(period: number): void {
    this.#period = period;
    this.#salt = randomInt(2 ** 32);
    this.#counts.fill(0);
  }

  /** FNV-1a of salt, network and subject, mixed as in MurmurHash3 so that the low bits depend on all of them. */
  #slotOf(network: string, subject: number): number {
    let hash = this.#salt;
    for (let index = 0; index < network.length; index++) {
      hash = Math.imul(hash ^ network.charCodeAt(index), 0x01000193);
    }
    hash = Math.imul(hash ^ subject, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) & (this.#counts.length - 1);
  }
}
