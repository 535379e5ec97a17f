import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { addon } from '../../support/factories.ts';

const database = await createTestDatabase();
const { closeDatabase } = await import('../../../src/infra/db.ts');
const { listFeatured } = await import('../../../src/domain/discovery/featured.ts');

const PERIOD_MS = 600_000;
const START = Date.UTC(2018, 9, 25);
const order = async (now: number) =>
  (await listFeatured({ app: 'desktop_browser' }, now)).map(({ id }) => id).join(' ');

beforeAll(async () => {
  for (let count = 0; count < 20; count++) await addon({ featured: [{ app: 'desktop_browser' }] });
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('the order of featured add-ons', () => {
  it('stays the same for ten minutes', async () => {
    const first = await order(START);
    for (const later of [1, 60_000, PERIOD_MS - 1]) expect(await order(START + later)).toBe(first);
  });

  it('changes every ten minutes and contains the same add-ons', async () => {
    const orders = [];
    for (let period = 0; period < 5; period++) orders.push(await order(START + period * PERIOD_MS));
    expect(new Set(orders).size).toBe(5);
    expect(new Set(orders.map((ids) => ids.split(' ').sort().join(' '))).size).toBe(1);
  });
});
