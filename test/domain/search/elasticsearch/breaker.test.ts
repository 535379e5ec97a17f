import { describe, expect, it } from 'vitest';
import { Breaker, BreakerOpenError } from '../../../../src/infra/search-server/breaker.ts';

class Outage extends Error {}

/** A breaker whose clock the test moves, and what it has told. */
function breaker() {
  const clock = { now: 0 };
  const told: boolean[] = [];
  const tested = new Breaker(
    { failures: 5, withinMs: 10_000, openMs: 15_000 },
    (error) => error instanceof Outage,
    (isOpen) => void told.push(isOpen),
    () => clock.now,
  );
  const fail = () =>
    tested
      .run(async () => {
        throw new Outage();
      })
      .catch((error: unknown) => error);
  const succeed = () => tested.run(async () => 'answer').catch((error: unknown) => error);
  return { tested, clock, told, fail, succeed };
}

async function opened() {
  const all = breaker();
  for (let time = 0; time < 5; time++) await all.fail();
  return all;
}

describe('a breaker', () => {
  it('opens at the fifth failure within ten seconds, and nobody asks then', async () => {
    const { tested, told, fail, succeed } = breaker();
    for (let time = 0; time < 4; time++) await fail();
    expect(tested.isOpen).toBe(false);
    expect(await succeed()).toBe('answer');
    expect(await fail()).toBeInstanceOf(Outage);
    expect([tested.isOpen, tested.secondsLeft]).toEqual([true, 15]);
    expect(await succeed()).toBeInstanceOf(BreakerOpenError);
    expect(told).toEqual([true]);
  });

  it('is asked before its time where somebody knows that it is back, by one', async () => {
    const { tested, told, fail, succeed } = await opened();
    tested.probeNow();
    expect(await fail()).toBeInstanceOf(Outage);
    expect(await succeed()).toBeInstanceOf(BreakerOpenError);
    tested.probeNow();
    expect(await succeed()).toBe('answer');
    expect([tested.isOpen, told]).toEqual([false, [true, false]]);
    tested.probeNow();
    expect(tested.isOpen).toBe(false);
  });

  it('forgets failures that are ten seconds old', async () => {
    const { tested, clock, fail } = breaker();
    for (let time = 0; time < 20; time++) {
      await fail();
      clock.now += 2_500;
    }
    expect(tested.isOpen).toBe(false);
  });

  it('does not count errors that show that the service answers', async () => {
    const { tested } = breaker();
    for (let time = 0; time < 10; time++) {
      await expect(tested.run(() => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours');
    }
    expect(tested.isOpen).toBe(false);
  });

  it('lets one ask after fifteen seconds, and closes when that one is answered', async () => {
    const { tested, clock, told, succeed } = await opened();
    clock.now += 15_000;
    const slow = Promise.withResolvers<string>();
    const probe = tested.run(() => slow.promise);
    expect(await succeed()).toBeInstanceOf(BreakerOpenError);
    slow.resolve('here again');
    expect(await probe).toBe('here again');
    expect(tested.isOpen).toBe(false);
    expect(await succeed()).toBe('answer');
    expect(told).toEqual([true, false]);
  });

  it('stays open for as long again when that one fails', async () => {
    const { tested, clock, told, fail, succeed } = await opened();
    clock.now += 15_000;
    expect(await fail()).toBeInstanceOf(Outage);
    clock.now += 14_999;
    expect(await succeed()).toBeInstanceOf(BreakerOpenError);
    clock.now += 1;
    expect(await succeed()).toBe('answer');
    expect([tested.isOpen, told]).toEqual([false, [true, false]]);
  });

  it('does not listen to those who asked before it opened', async () => {
    const { tested, told, fail } = breaker();
    const slow = Promise.withResolvers<string>();
    const early = tested.run(() => slow.promise);
    for (let time = 0; time < 5; time++) await fail();
    slow.resolve('late');
    expect(await early).toBe('late');
    expect([tested.isOpen, told]).toEqual([true, [true]]);
  });
});
