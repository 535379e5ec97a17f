import { expect, it } from 'vitest';
import { inTurn } from '../../../src/package/zip/in-turn.ts';

const LARGE = 5_000_000;
const SMALL = 1_000;

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

it('work on large archives runs one at a time, and work on small ones does not wait', async () => {
  const order: string[] = [];
  const first = gate();
  const works = [
    inTurn(LARGE, async () => {
      await first.opened;
      order.push('first large');
    }),
    inTurn(LARGE, async () => void order.push('second large')),
    inTurn(SMALL, async () => void order.push('small')),
  ];
  await works[2];
  first.open();
  await Promise.all(works);
  expect(order).toEqual(['small', 'first large', 'second large']);
});

it('failing work rejects for its own caller only', async () => {
  const failing = inTurn(LARGE, () => Promise.reject(new Error('no space')));
  const next = inTurn(LARGE, async () => 'done');
  await expect(failing).rejects.toThrow('no space');
  expect(await next).toBe('done');
});
