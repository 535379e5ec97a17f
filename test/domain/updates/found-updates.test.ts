import { describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { compareVersions } from '../../support/compare-versions.ts';
import { addon } from '../../support/factories.ts';
import { withoutDatabase } from '../../support/outage.ts';
import { statementsDuring } from '../../support/statements.ts';
import { APPS, type App, type Entry, make, pathOf, type Query, queryFor, stored } from '../../support/updates.ts';

const app = setUpApp();

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
    for (let index = 0; index < 25; index++) world.push(await randomAddon(index));
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
    const checks = Array.from({ length: 1_000 }, () => ({
      made: pick(world),
      name: pick(apps),
      version: pick([...points.filter((point) => !point.includes('*')), '78.5', '116.0', '56.0', '1000.0']),
      mode: pick(['strict', 'normal', 'ignore']),
    }));
    const { respondToCheck } = await import('../../../src/domain/updates/respond.ts');
    const found = await Promise.all(
      checks.map(async ({ made: { guid }, name, version, mode }) => {
        const query = queryFor(guid, { appID: APPS[name], appVersion: version, compatMode: mode });
        const { body } = await respondToCheck(String(new URLSearchParams(query)), () => null);
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

/** Ends a test that changed rows without publishing the add-on. */
async function publish(...ids: number[]): Promise<void> {
  const { db } = await import('../../../src/infra/db.ts');
  const { publishAddons } = await import('../../../src/domain/listing/publish-addons.ts');
  await db.$transaction((tx) => publishAddons(tx, ids));
}

/** Repeats a check until its response is held, so that it needs no statement. */
async function hold(id: string, query: Query = {}): Promise<Reply> {
  await expect.poll(() => statementsDuring(() => check(id, query)), { interval: 10 }).toEqual([]);
  return check(id, query);
}

describe('an update check', () => {
  it('needs one statement for all concurrent requests, and none when its response is held', async () => {
    const { guid } = await make();
    const { respondToCheck } = await import('../../../src/domain/updates/respond.ts');
    const ids = [guid, guid.toUpperCase(), ...Array.from({ length: 98 }, (_, index) => `unknown-${index}@example`)];
    const queries = ids.map((id) => String(new URLSearchParams(queryFor(id))));
    expect(
      await statementsDuring(() => Promise.all(queries.map((query) => respondToCheck(query, () => null)))),
    ).toHaveLength(1);
    expect(await statementsDuring(() => check('another@example'))).toHaveLength(1);
    const first = await hold(guid);
    await hold('another@example');
    const others = async () => {
      expect((await check(guid, { compatMode: 'strict', appVersion: '120', locale: 'de' })).text).toBe(first.text);
      expect((await check(guid.toUpperCase())).text).toBe(first.text.replace(guid, guid.toUpperCase()));
      expect((await check('ANOTHER@example', { appVersion: '3.6', appID: APPS.mail_client })).text).toBe('{}');
      await check('', { appVersion: 'x' });
      await check('x'.repeat(256));
    };
    expect(await statementsDuring(others)).toEqual([]);
    expect(await statementsDuring(() => check(guid, { appVersion: '121.0' }))).toHaveLength(1);
    expect(await statementsDuring(() => check(guid, { appVersion: '121.0', compatMode: 'normal' }))).toHaveLength(1);
  });

  it('shows each change that a response depends on', async () => {
    const { guid, id, versions } = await addon({ versions: [stored(), stored()] });
    const [older, newer] = versions.map((version) => version.id);
    const { guid: unlisted, id: unlistedId } = await make({}, { status: 'incomplete' });
    const shows = async (text: RegExp, statement: string, values: unknown[], checked = guid) => {
      const { text: before } = await hold(checked);
      expect(before).not.toMatch(text);
      await app.sql(statement, values);
      await expect.poll(async () => (await check(checked)).text, { timeout: 5_000, interval: 10 }).toMatch(text);
    };
    const empty = /^\{\}$/;
    await shows(empty, 'UPDATE addon SET is_disabled_by_developer = true WHERE id = $1', [id]);
    await shows(/"2\.0"/, 'UPDATE addon SET is_disabled_by_developer = false WHERE id = $1', [id]);
    await shows(empty, `UPDATE addon SET status = 'disabled' WHERE id = $1`, [id]);
    await shows(/"2\.0"/, `UPDATE addon SET status = 'public' WHERE id = $1`, [id]);
    await shows(/"1\.0"/, 'UPDATE version SET deleted_at = now() WHERE id = $1', [newer]);
    await shows(/"2\.0"/, 'UPDATE version SET deleted_at = NULL WHERE id = $1', [newer]);
    await shows(/"1\.0"/, 'UPDATE file SET status = 5 WHERE version_id = $1', [newer]);
    await shows(/"2\.0"/, 'UPDATE file SET status = 4 WHERE version_id = $1', [newer]);
    await shows(/"1\.0"/, `UPDATE version SET stage = 'awaiting_review' WHERE id = $1`, [newer]);
    await shows(/"2\.0"/, `UPDATE version SET stage = 'signed' WHERE id = $1`, [newer]);
    await shows(/"1\.0"/, `UPDATE version SET created = '2031-01-01' WHERE id = $1`, [older]);
    await shows(/info_url/, `UPDATE version SET release_notes = '{"de": "Neu"}' WHERE id = $1`, [older]);
    await shows(/renamed/, `UPDATE addon SET slug = 'renamed' WHERE id = $1`, [id]);
    await shows(/"58\.0"/, `UPDATE version_compatibility SET min = '58.0' WHERE version_id = $1`, [older]);
    await shows(/"2\.0"/, 'DELETE FROM version_compatibility WHERE version_id = $1', [older]);
    await shows(/sha256:f{64}/, `UPDATE file SET sha256 = repeat('f', 64) WHERE version_id = $1`, [newer]);
    await shows(/"1\.0"/, `UPDATE addon SET status = 'public' WHERE id = $1`, [unlistedId], unlisted);
    const bulk = `WITH bulk AS MATERIALIZED (SELECT set_config('addons.bulk_load', 'on', true))`;
    await shows(empty, `${bulk} UPDATE addon SET is_disabled_by_developer = true FROM bulk WHERE id = $1`, [id]);
    const { text: before } = await hold('new@example');
    await make({}, { guid: 'New@example' });
    await expect.poll(async () => (await check('new@example')).text, { timeout: 5_000 }).not.toBe(before);
    await publish(id, unlistedId);
  });

  it('shows changes from while the connection that announces them is lost', async () => {
    const { guid, id } = await make();
    for (const isDisabled of [true, false]) {
      await hold(guid);
      await app.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'addons listen%'`,
      );
      await app.sql('UPDATE addon SET is_disabled_by_developer = $2 WHERE id = $1', [id, isDisabled]);
      await expect.poll(async () => (await check(guid)).text === '{}', { timeout: 5_000 }).toBe(isDisabled);
    }
    await publish(id);
  });

  it('is served from memory during an outage of the database as it was before, and otherwise gets 503', async () => {
    const { guid } = await make();
    const { text } = await hold(guid);
    await withoutDatabase(app, async () => {
      expect((await check(guid)).text).toBe(text);
      const reply = await check('during-an-outage@example');
      expect([reply.status, reply.headers['content-type']]).toEqual([503, 'application/json']);
      expect(reply.json).toHaveProperty('detail');
      const now = performance.now.bind(performance);
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000);
      expect((await check(guid)).text).toBe(text);
      clock.mockRestore();
    });
    await expect.poll(async () => (await check('during-an-outage@example')).text).toBe('{}');
  });
});
