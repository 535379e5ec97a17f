import { describe, expect, it } from 'vitest';
import { NetworkLimit } from '../../src/infra/network.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOON = Date.UTC(2018, 9, 25, 12);

describe('the limit of a network', () => {
  it('holds for each address and IPv6 network', () => {
    const limit = new NetworkLimit(2 ** 16, 'minute');
    const admitted = (address: string) => [1, 2, 3, 4].map(() => limit.tryConsume(address, 0, 3, NOON));
    expect(admitted('192.0.2.1')).toEqual([true, true, true, false]);
    expect(admitted('::ffff:192.0.2.1')).toEqual([false, false, false, false]);
    expect(limit.tryConsume('2001:db8::1', 0, 3, NOON)).toBe(true);
    expect(admitted('2001:db8:0:0:ffff::2')).toEqual([true, true, false, false]);
  });

  it('holds for each subject', () => {
    const limit = new NetworkLimit(2 ** 16, 'day');
    const admitted = (subject: number) => [1, 2, 3].map(() => limit.tryConsume('192.0.2.1', subject, 2, NOON));
    expect([admitted(1), admitted(2), admitted(2 ** 31 - 1)]).toEqual(Array(3).fill([true, true, false]));
  });

  it('holds for its period', () => {
    const perMinute = new NetworkLimit(2 ** 16, 'minute');
    const inMinute = (ms: number) => perMinute.tryConsume('192.0.2.1', 0, 1, NOON + ms);
    expect([0, 1_000, MINUTE - 1, MINUTE, MINUTE + 1].map(inMinute)).toEqual([true, false, false, true, false]);
    const perDay = new NetworkLimit(2 ** 16, 'day');
    const onDay = (ms: number) => perDay.tryConsume('192.0.2.1', 0, 1, NOON + ms);
    expect([0, DAY / 2 - 1, DAY / 2, DAY].map(onDay)).toEqual([true, false, true, false]);
  });

  it('is rarely reached early by networks that share a counter', () => {
    const limit = new NetworkLimit(2 ** 16, 'day');
    let refused = 0;
    for (let network = 0; network < 100_000; network++) {
      const address = `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`;
      if (!limit.tryConsume(address, network % 100, 10, NOON)) refused += 1;
    }
    expect(refused).toBeLessThan(10);
  });
});
