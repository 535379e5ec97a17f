import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareVersions } from '../../../src/package/versions/compare-versions.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { statementsDuring } from '../../support/statements.ts';
import { APPS, type App, type Entry, make, pathOf, type Query, queryFor } from '../../support/updates.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const check = (id: string, query: Query = {}): Promise<Reply> => app.anonymous.get(pathOf(queryFor(id, query)));

describe('the newest version that fits', () => {
  it('is that of a brute-force comparison of version texts', async () => {
    const random = (count: number) => Math.floor(Math.random() * count);
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
    const points = ['57.0', '57.0a1', '57.0.1', '78.*', '78.9', '102.0b3', '102.0', '115.0.2.1', '115.*', '140.0'];
    const types = ['extension', 'theme', 'statictheme', 'dictionary', 'language'];
    const apps = Object.keys(APPS) as App[];
    const range = () =>
      [pick(points.filter((point) => !point.includes('*'))), pick([...points, '*'])] as [string, string];
    const randomAddon = async (index: number) => {
      const type = pick(types);
      const facts = Array.from({ length: 1 + random(4) }, () => ({
        isStrictCompatibilityEnabled: random(3) === 0,
        compatibility: Object.fromEntries(apps.filter(() => random(3) > 0).map((name) => [name, range()])),
        files: [{ isStored: true, isWebextension: random(2) === 0 }],
      }));
      const { guid } = await addon({ guid: `random-${index}@example`, type, versions: facts });
      return { guid, type, facts };
    };
    const world: Awaited<ReturnType<typeof randomAddon>>[] = [];
    for (let index = 0; index < 40; index++) world.push(await randomAddon(index));
    const expected = (made: (typeof world)[number], name: App, version: string, mode: string): string | null => {
      const places = made.facts.map((facts, index) => ({ ...facts, number: `${index + 1}.0` })).reverse();
      const fitting = places.find(({ compatibility, isStrictCompatibilityEnabled, files: [file] }) => {
        if (made.type === 'dictionary') return true;
        const found = compatibility[name];
        if (found === undefined || compareVersions(found[0], version) > 0) return false;
        const isStrict = isStrictCompatibilityEnabled || file?.isWebextension === true;
        const hasEnd = mode === 'strict' || (mode === 'normal' && isStrict);
        return !hasEnd || compareVersions(found[1], version) >= 0;
      });
      return fitting?.number ?? null;
    };
    const checks = Array.from({ length: 1_500 }, () => ({
      made: pick(world),
      name: pick(apps),
      version: pick([...points.filter((point) => !point.includes('*')), '78.5', '116.0', '56.0', '1000.0']),
      mode: pick(['strict', 'normal', 'ignore']),
    }));
    const { respondToCheck } = await import('../../../src/domain/updates/respond.ts');
    const found = await Promise.all(
      checks.map(async ({ made: { guid }, name, version, mode }) => {
        const query = queryFor(guid, { appID: APPS[name], appVersion: version, compatMode: mode });
        const { body } = await respondToCheck(String(new URLSearchParams(query)));
        return (
          (JSON.parse(body) as { addons: Record<string, { updates: Entry[] }> }).addons[guid]?.updates[0]?.version ??
          null
        );
      }),
    );
    expect(found).toEqual(checks.map(({ made, name, version, mode }) => expected(made, name, version, mode)));
    expect(new Set(found).size).toBeGreaterThan(3);
  });
});

describe('the statements of update checks', () => {
  it('are one for all concurrent requests', async () => {
    const { guid } = await make();
    const { respondToCheck } = await import('../../../src/domain/updates/respond.ts');
    const ids = [guid, ...Array.from({ length: 99 }, (_, index) => `unknown-${index}@example`)];
    const queries = ids.map((id) => String(new URLSearchParams(queryFor(id))));
    expect(await statementsDuring(() => Promise.all(queries.map((query) => respondToCheck(query))))).toHaveLength(1);
    expect(await statementsDuring(() => check('another@example'))).toHaveLength(1);
    expect(await statementsDuring(() => check('', { appVersion: 'x' }))).toEqual([]);
  });
});
