import { describe, expect, it } from 'vitest';
import { Breaker, BreakerOpenError } from '../../src/infra/breaker.ts';

class Outage extends Error {}

/** A breaker with a clock that the test advances. `changes` receives every reported change of `isOpen`. */
function breaker() {
  const clock = { now: 0 };
  const changes: boolean[] = [];
  const tested = new Breaker(
    { failures: 5, withinMs: 10_000, openMs: 15_000 },
    (error) => error instanceof Outage,
    (isOpen) => void changes.push(isOpen),
    () => clock.now,
  );
  const fail = () =>
    tested
      .run(async () => {
        throw new Outage();
      })
      .catch((error: unknown) => error);
  const succeed = () => tested.run(async () => 'response').catch((error: unknown) => error);
  return { tested, clock, changes, fail, succeed };
}

async function openBreaker() {
  const all = breaker();
  for (let time = 0; time < 5; time++) await all.fail();
  return all;
}

describe('a breaker', () => {
  it('opens at the fifth failure within ten seconds and rejects calls', async () => {
    const { tested, changes, fail, succeed } = breaker();
    for (let time = 0; time < 4; time++) await fail();
    expect(tested.isOpen).toBe(false);
    expect(await succeed()).toBe('response');
    expect(await fail()).toBeInstanceOf(Outage);
    expect([tested.isOpen, tested.secondsLeft]).toEqual([true, 15]);
    expect(await succeed()).toBeInstanceOf(BreakerOpenError);
    expect(changes).toEqual([true]);
  });

  it('makes the next call a probe after probeNow', async () => {
    const { tested, changes, fail, succeed } = await openBreaker();
    tested.probeNow();
    expect(await fail()).toBeInstanceOf(Outage);
    expect(await succeed()).toBeInstanceOf(BreakerOpenError);
    tested.probeNow();
    expect(await succeed()).toBe('response');
    expect([tested.isOpen, changes]).toEqual([false, [true, false]]);
    tested.probeNow();
    expect(tested.isOpen).toBe(false);
  });

  it('ignores failures older than ten seconds', async () => {
    const { tested, clock, fail } = breaker();
    for (let time = 0; time < 20; time++) {
      await fail();
      clock.now += 2_500;
    }
    expect(tested.isOpen).toBe(false);
  });

  it('does not count errors that show that the service responds', async () => {
    const { tested } = breaker();
    for (let time = 0; time < 10; time++) {
      await expect(tested.run(() => Promise.reject(new TypeError('invalid query')))).rejects.toThrow('invalid query');
    }
    expect(tested.isOpen).toBe(false);
  });

  it('admits one probe after fifteen seconds, and closes when it succeeds', async () => {
    const { tested, clock, changes, succeed } = await openBreaker();
    clock.now += 15_000;
    const slow = Promise.withResolvers<string>();
    const probe = tested.run(() => slow.promise);
    expect(await succeed()).toBeInstanceOf(BreakerOpenError);
    slow.resolve('slow response');
    expect(await probe).toBe('slow response');
    expect(tested.isOpen).toBe(false);
    expect(await succeed()).toBe('response');
    expect(changes).toEqual([true, false]);
  });

  it('stays open for another fifteen seconds when the probe fails', async () => {
    const { tested, clock, changes, fail, succeed } = await openBreaker();
    clock.now += 15_000;
    expect(await fail()).toBeInstanceOf(Outage);
    clock.now += 14_999;
    expect(await succeed()).toBeInstanceOf(BreakerOpenError);
    clock.now += 1;
    expect(await succeed()).toBe('response');
    expect([tested.isOpen, changes]).toEqual([false, [true, false]]);
  });

  it('ignores results of calls that started before it opened', async () => {
    const { tested, changes, fail } = breaker();
    const slow = Promise.withResolvers<string>();
    const early = tested.run(() => slow.promise);
    for (let time = 0; time < 5; time++) await fail();
    slow.resolve('late');
    expect(await early).toBe('late');
    expect([tested.isOpen, changes]).toEqual([true, [true]]);
  });
});
