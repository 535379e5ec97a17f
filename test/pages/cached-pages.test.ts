/* Pages that are rendered once per revision: what they show to whom, and when they are rendered again. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';
import { textOf, Visitor, visitorOf } from '../support/pages.ts';
import { statementsDuring } from '../support/statements.ts';

const app = setUpApp();
let anonymous: Visitor;
let developer: Client;
let made: MadeAddon;
let count = 0;

beforeAll(async () => {
  anonymous = new Visitor(app);
  developer = await app.developer();
});
beforeEach(async () => {
  count += 1;
  made = await addon({
    slug: `kept-${count}`,
    authors: [Number(developer.accountId)],
    name: { 'en-US': `Kept ${count}`, de: `Bewahrt ${count}` },
    versions: [{ files: [{ status: 5 }] }, { files: [{ isStored: true, permissions: ['tabs'] }] }],
  });
  for (const path of paths()) await anonymous.get(path);
});

const paths = () => [`/addon/kept-${count}/`, `/addon/kept-${count}/reviews/`];

/** Runs a statement and publishes the add-on. */
async function change(sql: string): Promise<void> {
  const { db } = await import('../../src/infra/db.ts');
  const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
  await db.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(sql, made.id);
    await publishAddons(tx, [made.id]);
  });
}

describe('a page that was rendered before', () => {
  it('shows each change at once, and has another ETag then', async () => {
    for (const path of paths()) {
      const before = await anonymous.get(path);
      const etag = String(before.headers.etag);
      expect((await anonymous.get(path, { 'If-None-Match': etag })).status).toBe(304);
      await change(
        `UPDATE addon SET name = jsonb_set(name, '{en-US}', to_jsonb('Renamed ' || md5(random()::text))) WHERE id = $1`,
      );
      const after = await anonymous.get(path, { 'If-None-Match': etag });
      expect([after.status, after.headers.etag === etag]).toEqual([200, false]);
      expect(textOf(after)).toContain('Renamed');
    }
  });

  it('shows changes outside of the document of the add-on', async () => {
    const [path = ''] = paths();
    const authors = [Number(developer.accountId)];
    await addon({ slug: `more-${count}`, authors, averageDailyUsers: 1_000, name: { 'en-US': `More ${count}` } });
    expect(textOf(await anonymous.get(path))).toContain(`More ${count}`);
    const { db } = await import('../../src/infra/db.ts');
    const guid = `advised-${count}@example`;
    await addon({ guid, slug: `advised-${count}`, name: { 'en-US': `Advised ${count}` } });
    await db.recommendationFallback.create({ data: { position: -count, guid } });
    expect(textOf(await anonymous.get(path))).toContain(`Advised ${count}`);
    await change('UPDATE file SET status = 4 WHERE version_id IN (SELECT id FROM version WHERE addon_id = $1)');
    for (const each of paths()) expect(textOf(await anonymous.get(each))).toMatch(/Versions 2\b/);
    expect(textOf(await anonymous.get(path))).toContain('New in this version');
  });

  it('is another one in each language and theme', async () => {
    const [path = ''] = paths();
    expect(textOf(await anonymous.get(path, { 'Accept-Language': 'de' }))).toContain(`Bewahrt ${count}`);
    expect(textOf(await anonymous.get(`${path}?lang=he`))).toContain(`Kept ${count}`);
    expect((await anonymous.get(path, { Cookie: 'addons_theme=dark' })).text).toContain('data-theme="dark"');
    expect((await anonymous.get(path)).text).not.toContain('data-theme');
  });

  it('is never shown to signed-in viewers, nor theirs to others', async () => {
    const owner = await visitorOf(app, developer);
    for (const path of paths()) {
      const before = await anonymous.get(path);
      const own = await owner.get(path);
      expect(own.text).toContain('name="csrf"');
      expect(own.headers['cache-control']).toBe('private, no-store');
      const after = await anonymous.get(path);
      expect(after.text).toBe(before.text);
      expect(after.text).not.toContain('name="csrf"');
    }
  });

  it('returns 404 once the add-on is disabled', async () => {
    await change('UPDATE addon SET is_disabled_by_developer = true WHERE id = $1');
    for (const path of paths()) expect((await anonymous.get(path)).status).toBe(404);
  });

  it('takes no statement more when it is rendered than when it is kept, but the list of ratings', async () => {
    const [path = '', ratings = ''] = paths();
    const visit = (address: string) => statementsDuring(() => anonymous.get(address));
    const [kept, again] = [await visit(path), await visit(`${path}?lang=de`)];
    expect([kept.length, again.length]).toEqual([6, 6]);
    expect([(await visit(ratings)).length, (await visit(`${ratings}?lang=de`)).length]).toEqual([3, 4]);
  });
});
