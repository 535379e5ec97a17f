import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../../src/infra/db.ts');
const { recommendAddons: recommend } = await import('../../../src/domain/discovery/recommendations.ts');
const { computeRecommendations } = await import('../../../src/domain/discovery/renew-recommendations.ts');
const { isDue, renewRecommendations } = await import('../../../src/domain/discovery/renew-recommendations.ts');
const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');

const make = (name: string, facts: AddonFacts) => addon({ guid: `${name}@example`, ...facts });
const recommendFor = async (name: string) => {
  const { outcome, fallbackReason, addons } = await recommend(`${name}@example`, []);
  return [outcome, fallbackReason, addons.map(({ guid }) => guid.replace('@example', '')).join(' ')];
};
const clocks = { app: 'desktop_browser', slug: 'clocks' };
let alarm: MadeAddon;

beforeAll(async () => {
  await make('clock', { tags: ['time', 'zones'], categories: [clocks] });
  await make('zones', { tags: ['Time', 'zones'] });
  alarm = await make('alarm', { tags: ['time'], categories: [clocks], averageDailyUsers: 1000 });
  await make('timer', { tags: ['time'], averageDailyUsers: 10 });
  await make('tea', { tags: ['time'] });
  await make('cake', { tags: ['time'] });
  await make('dial', { type: 'theme', tags: ['time', 'zones'] });
  await make('hidden', { status: 'nominated', tags: ['time', 'zones'], categories: [clocks] });
  await make('unrelated', { tags: ['alone'] });
  await make('bare', {});
  await make('curated', {});
  await db.recommendationFallback.create({ data: { position: 1, guid: 'curated@example' } });
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('the reference recommender', () => {
  const fallback = ['recommended_fallback', 'no_results', 'curated'];

  it('returns the fallback before the first computation', async () => {
    expect(await recommendFor('clock')).toEqual(fallback);
  });

  it('ranks public add-ons of the same type by shared tags and categories, rare ones higher, and by popularity', async () => {
    await computeRecommendations();
    expect(await recommendFor('clock')).toEqual(['recommended', null, 'zones alarm timer tea']);
    expect(await recommendFor('CLOCK')).toEqual(['recommended', null, 'zones alarm timer tea']);
  });

  it('returns the fallback for add-ons that share nothing with others of their type, hidden ones and unknown ones', async () => {
    for (const name of ['unrelated', 'bare', 'dial', 'hidden', 'unknown']) {
      expect(await recommendFor(name)).toEqual(fallback);
    }
  });

  it('omits add-ons that were disabled after the computation, and removes their rows in the next one', async () => {
    await db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id: alarm.id }, data: { status: 'disabled' } });
      await publishAddons(tx, [alarm.id]);
    });
    expect(await recommendFor('clock')).toEqual(['recommended', null, 'zones timer tea cake']);
    await computeRecommendations();
    expect(await db.recommendation.findUnique({ where: { addonId: alarm.id } })).toBeNull();
    const rows = await db.recommendation.findMany();
    expect(rows.flatMap(({ recommended }) => recommended)).not.toContain(alarm.id);
  });

  it('computes the same rows under concurrent runs', async () => {
    const before = await db.recommendation.findMany({ orderBy: { addonId: 'asc' } });
    await Promise.all([computeRecommendations(), computeRecommendations(), computeRecommendations()]);
    expect(await db.recommendation.findMany({ orderBy: { addonId: 'asc' } })).toEqual(before);
  });

  it('recomputes when due', async () => {
    const now = Date.UTC(2018, 9, 25, 12);
    expect(await renewRecommendations(now)).toBe(true);
    expect(await renewRecommendations(now + 300_000)).toBe(false);
    expect(await renewRecommendations(now + 86_400_000)).toBe(true);
    for (const name of ['new-1', 'new-2', 'new-3']) await make(name, { tags: ['time'] });
    expect(await renewRecommendations(now + 86_400_000)).toBe(true);
  });
});

describe('isDue', () => {
  const noon = Date.UTC(2018, 9, 25, 12);
  const hour = 3_600_000;
  it.each([
    ['true without an earlier run', null, 100, true],
    ['false after a run since the last scheduled time', { at: noon - 8 * hour, addons: 100 }, 100, false],
    ['true after a run before the last scheduled time', { at: noon - 10 * hour, addons: 100 }, 100, true],
    ['false for 10 % more add-ons', { at: noon, addons: 100 }, 110, false],
    ['true for over 10 % more add-ons', { at: noon, addons: 100 }, 111, true],
    ['true for 20 % fewer add-ons', { at: noon, addons: 100 }, 80, true],
    ['true for the first add-ons', { at: noon, addons: 0 }, 1, true],
    ['false without add-ons', { at: noon, addons: 0 }, 0, false],
  ])('is %s', (_title, last, addons, due) => {
    expect(isDue(last, addons, noon)).toBe(due);
  });
});
