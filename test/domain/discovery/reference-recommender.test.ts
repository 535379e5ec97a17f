import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../support/factories.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../../src/infra/db.ts');
const { recommend } = await import('../../../src/domain/discovery/recommend.ts');
const { computeRecommendations } = await import('../../../src/domain/discovery/compute-recommendations.ts');
const { isDue, renewRecommendations } = await import('../../../src/domain/discovery/renew-recommendations.ts');
const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');

const make = (name: string, facts: AddonFacts) => addon({ guid: `${name}@go`, ...facts });
const goingWith = async (name: string) => {
  const { outcome, fallbackReason, addons } = await recommend({ guid: `${name}@go`, recommended: true });
  return [outcome, fallbackReason, addons.map(({ guid }) => guid.replace('@go', '')).join(' ')];
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
  await make('lonely', { tags: ['alone'] });
  await make('bare', {});
  await make('curated', {});
  await db.recommendationFallback.create({ data: { position: 1, guid: 'curated@go' } });
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

describe('the reference recommender', () => {
  const nothing = ['recommended_fallback', 'no_results', 'curated'];

  it('knows nothing before its first night', async () => {
    expect(await goingWith('clock')).toEqual(nothing);
  });

  it('recommends public add-ons of the same type that share tags and categories, the rarer and the more popular first', async () => {
    await computeRecommendations();
    expect(await goingWith('clock')).toEqual(['recommended', null, 'zones alarm timer tea']);
    expect(await goingWith('CLOCK')).toEqual(['recommended', null, 'zones alarm timer tea']);
  });

  it('knows nothing of what shares nothing, is hidden or unknown', async () => {
    for (const name of ['lonely', 'bare', 'dial', 'hidden', 'unknown']) {
      expect(await goingWith(name)).toEqual(nothing);
    }
  });

  it('shows nothing that has left the catalogue since, and learns of it the next night', async () => {
    await db.$transaction(async (tx) => {
      await tx.addon.update({ where: { id: alarm.id }, data: { status: 'disabled' } });
      await publishAddons(tx, [alarm.id]);
    });
    expect(await goingWith('clock')).toEqual(['recommended', null, 'zones timer tea cake']);
    await computeRecommendations();
    expect(await db.recommendation.findUnique({ where: { addonId: alarm.id } })).toBeNull();
    const rows = await db.recommendation.findMany();
    expect(rows.flatMap(({ recommended }) => recommended)).not.toContain(alarm.id);
  });

  it('works once when several processes want to', async () => {
    const before = await db.recommendation.findMany({ orderBy: { addonId: 'asc' } });
    await Promise.all([computeRecommendations(), computeRecommendations(), computeRecommendations()]);
    expect(await db.recommendation.findMany({ orderBy: { addonId: 'asc' } })).toEqual(before);
  });

  it('goes to work when it is due', async () => {
    const now = Date.UTC(2018, 9, 25, 12);
    expect(await renewRecommendations(now)).toBe(true);
    expect(await renewRecommendations(now + 300_000)).toBe(false);
    expect(await renewRecommendations(now + 86_400_000)).toBe(true);
    for (const name of ['new-1', 'new-2', 'new-3']) await make(name, { tags: ['time'] });
    expect(await renewRecommendations(now + 86_400_000)).toBe(true);
  });
});

describe('recommendations are due', () => {
  const noon = Date.UTC(2018, 9, 25, 12);
  const hour = 3_600_000;
  it.each([
    ['when they were never made', null, 100, true],
    ['not when they were made this morning', { at: noon - 8 * hour, addons: 100 }, 100, false],
    ['when a night has begun since', { at: noon - 10 * hour, addons: 100 }, 100, true],
    ['not for a few more add-ons', { at: noon, addons: 100 }, 110, false],
    ['for many more', { at: noon, addons: 100 }, 111, true],
    ['for many fewer', { at: noon, addons: 100 }, 80, true],
    ['for the first ones', { at: noon, addons: 0 }, 1, true],
    ['not for none', { at: noon, addons: 0 }, 0, false],
  ])('%s', (_when, last, addons, due) => {
    expect(isDue(last, addons, noon)).toBe(due);
  });
});
