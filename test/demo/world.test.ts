import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddonLine } from '../../bench/world/addon-line.ts';
import { DEMO_DEVELOPER } from '../../bench/world/authors.ts';
import type { CatalogueLine } from '../../bench/world/catalogue-line.ts';
import { BOOKS } from '../../bench/world/phrase-books.ts';
import type { FileLine } from '../../bench/world/versions.ts';
import { writeDemoCatalogue } from '../../bench/world/write-world.ts';
import { DEMO_CATALOGUE, movedToDay, WRITTEN_UNTIL } from '../../src/demo/demo-catalogue.ts';
import { withCatalogueFile } from '../../src/domain/transfer/catalogue-archive.ts';
import { ADDON_TYPES } from '../../src/package/enums.ts';
import { isGuid } from '../../src/package/manifest/identity.ts';
import { readPackage } from '../../src/package/manifest/read-package.ts';
import { canonicalLocale } from '../../src/texts/locales.ts';

let folder: string;
let lines: CatalogueLine[];
let addons: AddonLine[];
/** Ends the use of the unpacked file. */
let close: () => void;
let closed: Promise<void>;

beforeAll(async () => {
  const file = await new Promise<string>((resolve, reject) => {
    closed = withCatalogueFile(DEMO_CATALOGUE, (unpacked) => {
      resolve(unpacked);
      return new Promise((end) => {
        close = end;
      });
    });
    closed.catch(reject);
  });
  folder = dirname(file);
  const text = await readFile(file, 'utf8');
  lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CatalogueLine);
  addons = ofKind<AddonLine>('addon');
});

afterAll(async () => {
  close();
  await closed;
});

const ofKind = <Line extends CatalogueLine>(kind: string): Line[] =>
  lines.filter((line): line is Line => line.kind === kind);
const isShown = ({ status, is_disabled_by_developer }: AddonLine): boolean =>
  status === 'public' && is_disabled_by_developer !== true;

describe('the demo catalogue', () => {
  it('has at least 300 public add-ons, and ten of each type', () => {
    const shown = addons.filter(isShown);

    expect(shown.length).toBeGreaterThanOrEqual(300);
    for (const type of ADDON_TYPES) {
      expect(shown.filter((addon) => addon.type === type).length, type).toBeGreaterThanOrEqual(10);
    }
  });

  it('has at least ten language packs for the desktop browser, each for another language', () => {
    const packs = addons.filter(({ type, categories }) => type === 'language' && categories.desktop_browser);
    const languages = packs.map((pack) => String(pack.target_locale));

    expect(new Set(languages).size).toBe(packs.length);
    expect(packs.length).toBeGreaterThanOrEqual(10);
    expect(languages.filter((language) => canonicalLocale(language) !== language)).toEqual([]);
  });

  it('has texts in six languages that differ from each other', () => {
    for (const { locale } of BOOKS) {
      const written = addons.filter(({ name }) => name[locale] !== undefined);
      expect(written.length, locale).toBeGreaterThanOrEqual(100);
      expect(written.filter(({ default_locale }) => default_locale === locale).length, locale).toBeGreaterThan(10);
    }
    const finder = addons.find(({ slug }) => slug === 'tabs-finder');
    expect(new Set(Object.values(finder?.summary ?? {})).size).toBe(BOOKS.length);
  });

  it('has Hebrew texts, and texts near the limits', () => {
    const hebrew = addons.filter(
      ({ default_locale, summary }) => default_locale === 'he' && 'he' in (summary as object),
    );
    expect(hebrew).toHaveLength(1);
    const lengths = (key: string) =>
      addons.flatMap((addon) => Object.values(addon[key] ?? {}).map((text) => `${text}`.length));
    expect(addons.find(({ slug }) => slug === 'the-thorough-page-reader')?.name['en-US']).toHaveLength(50);
    expect(Math.max(...lengths('summary'))).toSatisfy((length: number) => length > 240 && length <= 250);
    expect(Math.max(...lengths('description'))).toBeGreaterThan(3_000);
  });

  it('has half a year of statistics, in which some add-ons grow', () => {
    const days = ofKind('daily_statistics').filter(({ guid }) => guid === 'hebrew-calendar@world.example');
    expect(days).toHaveLength(182);
    expect(addons.filter(({ hotness }) => Number(hotness) > 0.05).length).toBeGreaterThan(10);
  });

  it('has no unfilled placeholders', () => {
    expect(lines.filter((line) => /\{\w+\}/.test(JSON.stringify(line).replace(/"\{[-0-9a-f]{36}\}"/g, '')))).toEqual(
      [],
    );
  });

  it('has unique guids and slugs', () => {
    const guids = addons.map(({ guid }) => guid);
    const slugs = addons.map(({ slug }) => slug).filter((slug) => slug !== null);

    expect(guids.filter((guid) => !isGuid(guid))).toEqual([]);
    expect(new Set(guids).size).toBe(guids.length);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.filter((slug) => !/^[a-z0-9-]+$/.test(slug))).toEqual([]);
  });

  it('refers to earlier lines only', () => {
    const said = new Set([`account ${DEMO_DEVELOPER}`]);
    const missing: string[] = [];
    const needs = (key: string): void => void (said.has(key) || missing.push(key));
    for (const line of lines) {
      if (line.kind === 'account') said.add(`account ${line.username}`);
      if (line.kind === 'category') said.add(`category ${line.app} ${line.type} ${line.slug}`);
      if (line.kind === 'addon') {
        const addon = line as AddonLine;
        for (const { username } of addon.authors as { username: string }[]) needs(`account ${username}`);
        for (const [app, slugs] of Object.entries(addon.categories)) {
          for (const slug of slugs) if (slug !== 'other') needs(`category ${app} ${addon.type} ${slug}`);
        }
        said.add(`addon ${addon.guid}`);
      }
      if (line.kind === 'featured') needs(`addon ${line.addon}`);
      if (line.kind === 'recommendation_fallback' || line.kind === 'daily_statistics') needs(`addon ${line.guid}`);
      if (line.kind === 'collection') for (const guid of line.guids as string[]) needs(`addon ${guid}`);
    }

    expect(missing).toEqual([]);
    expect(said.size).toBeGreaterThan(400);
  });

  it('has every kind of curation, and add-ons in every state', () => {
    const featured = ofKind('featured');
    expect(featured.filter(({ locale, category }) => locale === null && category === null).length).toBeGreaterThan(20);
    expect(new Set(featured.map(({ locale }) => locale)).size).toBe(BOOKS.length);
    expect(featured.some(({ app }) => app === 'mobile_browser')).toBe(true);
    expect(featured.some(({ category }) => category === 'privacy')).toBe(true);
    for (const kind of [
      'recommendation_fallback',
      'collection',
      'replacement',
      'compat_override',
      'daily_statistics',
    ]) {
      expect(ofKind(kind).length, kind).toBeGreaterThan(1);
    }
    const states = new Set(addons.map(({ status }) => status));
    expect([...states].sort()).toEqual([
      'deleted',
      'disabled',
      'incomplete',
      'nominated',
      'pending',
      'public',
      'rejected',
      'review-pending',
      'unreviewed',
    ]);
    expect(new Set(addons.flatMap(({ versions }) => versions.map(({ channel }) => channel))).size).toBe(2);
  });

  it('has no date after its last day', () => {
    const dates = JSON.stringify(lines).match(/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?/g) ?? [];

    expect(dates.length).toBeGreaterThan(1000);
    expect(dates.filter((date) => new Date(date) > WRITTEN_UNTIL)).toEqual([]);
  });

  it('has every picture that its lines name, in the stated size', async () => {
    const previews = addons.flatMap((addon) => addon.previews as { path?: string; image_size: [number, number] }[]);
    expect(previews.length).toBeGreaterThan(300);
    for (const { path = 'none', image_size } of previews) {
      const { width, height } = await sharp(join(folder, path)).metadata();
      expect([width, height]).toEqual(image_size);
    }
    const icons = addons.map(({ icon_path }) => icon_path as string | undefined).filter((path) => path !== undefined);
    expect(icons.length).toBeGreaterThanOrEqual(300);
    for (const icon of new Set(icons)) {
      const { width, height, hasAlpha } = await sharp(join(folder, icon)).metadata();
      expect([width, height, hasAlpha]).toEqual([64, 64, true]);
    }
    const portraits = new Set(ofKind('account').map(({ picture_path }) => picture_path));
    expect(portraits.size).toBe(13);
    for (const portrait of portraits) {
      if (portrait === undefined) continue;
      expect((await sharp(join(folder, String(portrait))).metadata()).width).toBe(96);
    }
    const headers = new Set(
      addons.map(({ theme_data }) => (theme_data as { header_path?: string } | undefined)?.header_path),
    );
    for (const header of headers) {
      if (header === undefined) continue;
      const { width, height } = await sharp(join(folder, header)).metadata();
      expect([width, height]).toEqual([3000, 200]);
    }
  });

  it('has a package for every version, which agrees with its lines', async () => {
    const versions = addons.flatMap((addon) => addon.versions.map((version) => ({ addon, version })));
    expect(versions.length).toBeGreaterThan(500);
    for (const { addon, version } of versions) {
      const [file] = version.files as (FileLine & { path: string; permissions: string[] })[];
      const found = await readPackage(join(folder, file?.path ?? ''), file?.path ?? '');
      const { guid, permissions, hostPermissions, targetLocale } = found;
      expect([found.type, found.version ?? version.version, guid ?? addon.guid], addon.guid).toEqual([
        ...[addon.type, version.version, addon.guid],
      ]);
      expect([...permissions, ...hostPermissions].sort(), addon.guid).toEqual([...(file?.permissions ?? [])].sort());
      expect(targetLocale, addon.guid).toBe(addon.target_locale ?? null);
      expect(found.format === 'webextension', addon.guid).toBe(file?.is_webextension);
    }
  });

  it('is what the generator writes', async () => {
    const again = await mkdtemp(join(tmpdir(), 'demo-world-test-'));
    try {
      await writeDemoCatalogue(again);

      const filesOf = async (root: string) => {
        const entries = await readdir(root, { recursive: true, withFileTypes: true });
        const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
        const hash = async (path: string) =>
          createHash('sha256')
            .update(await readFile(path))
            .digest('hex');
        return Promise.all(files.sort().map(async (path) => [path.slice(root.length), await hash(path)]));
      };
      expect(await filesOf(folder)).toEqual(await filesOf(again));
    } finally {
      await rm(again, { recursive: true });
    }
  });

  it('has at most 2 MB', async () => {
    expect((await stat(DEMO_CATALOGUE)).size).toBeLessThanOrEqual(2_000_000);
  });

  it('moves every date by whole days', () => {
    const line = '{"created":"2025-12-31T23:00:00Z","date":"2026-01-01","version":"2025.1","text":"on 2025-12-31"}';

    expect(movedToDay(line, new Date('2026-03-02T15:00:00Z'))).toBe(
      '{"created":"2026-03-01T23:00:00Z","date":"2026-03-02","version":"2025.1","text":"on 2025-12-31"}',
    );
  });
});
