import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { blobs } from '../../../src/infra/blob-store/blobs.ts';
import { setUpApp } from '../../support/app.ts';
import { blobFile } from '../../support/blob-file.ts';
import type * as Storing from '../../support/picture-columns.ts';
import { jpeg, png, rawPng, refusedPictures, sidewaysJpeg, unusualPictures } from '../../support/pictures.ts';

const app = setUpApp();
let pictures: typeof Storing;

beforeAll(async () => {
  pictures = await import('../../support/picture-columns.ts');
});

const stored = (sha256: string) => readFile(blobFile(app.config.DATA_DIR, sha256));
const factsOf = async (sha256: string) => sharp(await stored(sha256)).metadata();

async function renditions(sourceSha256: string): Promise<Record<string, string>> {
  const rows = await app.sql<{ name: string; sha256: string }>(
    'select name, sha256 from picture_rendition where source_sha256 = $1',
    [sourceSha256],
  );
  return Object.fromEntries(rows.map(({ name, sha256 }) => [name, sha256]));
}

describe('storeIcon', () => {
  it('stores a PNG and square renditions of any picture', async () => {
    const { iconSha256 } = await pictures.storeIcon(await jpeg(1000, 500));
    expect(await factsOf(iconSha256)).toMatchObject({ format: 'png', width: 512, height: 256 });
    const made = await renditions(iconSha256);
    expect(Object.keys(made).sort()).toEqual(['icon-32', 'icon-64']);
    expect(await factsOf(made['icon-32'] ?? '')).toMatchObject({
      format: 'png',
      width: 32,
      height: 32,
      hasAlpha: true,
    });
    expect(await factsOf(made['icon-64'] ?? '')).toMatchObject({
      format: 'png',
      width: 64,
      height: 64,
      hasAlpha: true,
    });
  });

  it('reads local files, and throws for a missing one', async () => {
    const path = join(app.config.DATA_DIR, 'icon.png');
    await writeFile(path, await png(64, 64));
    expect(await pictures.storeIcon(path)).toEqual(await pictures.storeIcon(await png(64, 64)));
    await expect(pictures.storeIcon(`${path}.missing`)).rejects.toThrow('ENOENT');
  });

  it('stores its own output unchanged', async () => {
    const first = await pictures.storeIcon(await jpeg(1000, 500));
    const made = await renditions(first.iconSha256);
    expect(await pictures.storeIcon(await stored(first.iconSha256))).toEqual(first);
    expect(await renditions(first.iconSha256)).toEqual(made);
    const preview = await pictures.storePreview(await jpeg(3001, 2003));
    expect(await pictures.storePreview(await stored(preview.imageSha256))).toEqual(preview);
  });

  it('rotates pictures upright and drops metadata', async () => {
    const source = await sidewaysJpeg();
    expect((await sharp(source).metadata()).exif).toBeDefined();
    const { iconSha256 } = await pictures.storeIcon(source);
    const { exif, icc, xmp, orientation, width, height } = await factsOf(iconSha256);
    expect({ exif, icc, xmp, orientation, width, height }).toEqual({ width: 20, height: 40 });
    expect((await stored(iconSha256)).includes('a copyright notice')).toBe(false);
    const { data } = await sharp(await stored(iconSha256))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const red = data.subarray(0, 3)[0] ?? 0;
    expect(red).toBeLessThan(10);
  });

  it('accepts unusual pictures and converts them to sRGB', async () => {
    for (const [name, bytes] of await unusualPictures()) {
      const { iconSha256 } = await pictures.storeIcon(bytes);
      const facts = await factsOf(iconSha256);
      expect([name, facts.format, facts.depth]).toEqual([name, 'png', 'uchar']);
      expect([name, ['srgb', 'b-w'].includes(facts.space ?? '')]).toEqual([name, true]);
      expect((await stored(iconSha256)).includes('<script>')).toBe(false);
    }
  });

  it('refuses other files with a reason, within 5 s each and 150 MB', async () => {
    const corpus = await refusedPictures();
    expect(corpus.length + (await unusualPictures()).length).toBeGreaterThanOrEqual(40);
    await pictures.storeIcon(rawPng(1, 1));
    const before = process.memoryUsage.rss();
    const slow: string[] = [];
    for (const [name, bytes, words] of corpus) {
      const started = performance.now();
      const refusal = await pictures.storeIcon(bytes).catch((error: unknown) => error as Error);
      if (performance.now() - started > 5_000) slow.push(name);
      expect([name, refusal]).toEqual([name, expect.objectContaining({ code: 'INVALID_INPUT' })]);
      const message = (refusal as Error).message;
      expect([name, message]).toEqual([name, expect.stringMatching(new RegExp(`^(Icons )?${words} .`))]);
      expect(refusal).toMatchObject({ details: { fields: { file: [message] } } });
    }
    expect(slow).toEqual([]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
  });
});

describe('storePreview', () => {
  it('stores at most 2400 by 1800 pixels, and a thumbnail of at most 640 by 480', async () => {
    const made = await pictures.storePreview(await png(3000, 1000));
    expect(made).toMatchObject({ imageWidth: 2400, imageHeight: 800, thumbnailWidth: 640, thumbnailHeight: 213 });
    expect(await factsOf(made.imageSha256)).toMatchObject({ format: 'png', width: 2400, height: 800 });
    expect(await factsOf(made.thumbnailSha256)).toMatchObject({ format: 'png', width: 640, height: 213 });
  });

  it('does not enlarge pictures', async () => {
    const made = await pictures.storePreview(await png(300, 200));
    expect(made).toMatchObject({ imageWidth: 300, imageHeight: 200, thumbnailWidth: 300, thumbnailHeight: 200 });
    await expect(pictures.storePreview(Buffer.from('GIF89a'))).rejects.toThrow('Images must be either PNG or JPG.');
    await expect(pictures.storePreview(Buffer.from('?'))).rejects.toThrow('Images must be either PNG or JPG.');
  });
});

describe('storeAccountPicture', () => {
  it('stores at most 200 by 200 pixels', async () => {
    const { pictureSha256 } = await pictures.storeAccountPicture(await jpeg(400, 1000));
    expect(await factsOf(pictureSha256)).toMatchObject({ format: 'png', width: 80, height: 200 });
    await expect(pictures.storeAccountPicture(Buffer.from('GIF89a'))).rejects.toThrow('either PNG or JPG.');
    await expect(pictures.storeAccountPicture(Buffer.from('?'))).rejects.toThrow('Upload a valid image.');
  });
});

describe('storePersonaHeader and storePersonaFooter', () => {
  it('store full pictures and cut preview and icon from the right end of the header', async () => {
    const blue = await png(200, 200, '#0000ff');
    const header = await sharp({ create: { width: 3000, height: 200, channels: 3, background: '#ff0000' } })
      .composite([{ input: blue, left: 2800, top: 0 }])
      .png()
      .toBuffer();
    const { headerSha256 } = await pictures.storePersonaHeader(header, { width: 3000, height: 200 });
    expect(await factsOf(headerSha256)).toMatchObject({ width: 3000, height: 200 });
    const made = await renditions(headerSha256);
    expect(await factsOf(made['persona-preview'] ?? '')).toMatchObject({ width: 680, height: 100 });
    expect(await factsOf(made['persona-icon'] ?? '')).toMatchObject({ width: 32, height: 32 });
    const { dominant } = await sharp(await stored(made['persona-icon'] ?? '')).stats();
    expect(dominant).toEqual({ r: 8, g: 8, b: 248 });
    const { footerSha256 } = await pictures.storePersonaFooter(await png(3000, 100));
    expect(await factsOf(footerSha256)).toMatchObject({ width: 3000, height: 100 });
  });

  it('refuse every size except the required one', async () => {
    const size = { width: 3000, height: 100 };
    await expect(pictures.storePersonaFooter(await png(3000, 200), size)).rejects.toThrow(
      'Image must be exactly 3000 pixels wide and 100 pixels tall.',
    );
  });
});

describe('collectBlobs', () => {
  it('keeps referenced pictures and their renditions, and deletes others', async () => {
    const { collectBlobs } = await import('../../../src/domain/maintenance/collect-blobs.ts');
    const { addon } = await import('../../support/factories.ts');
    const { iconSha256 } = await pictures.storeIcon(await png(70, 70, '#111111'));
    const { headerSha256 } = await pictures.storePersonaHeader(await png(300, 20, '#222222'));
    const preview = await pictures.storePreview(await png(700, 700, '#333333'));
    const unreferenced = await pictures.storeIcon(await png(71, 71, '#444444'));
    await addon({ iconSha256, previews: [preview], persona: { headerSha256 } });
    const kept = [
      iconSha256,
      headerSha256,
      preview.imageSha256,
      preview.thumbnailSha256,
      ...Object.values(await renditions(iconSha256)),
      ...Object.values(await renditions(headerSha256)),
    ];
    const deleted = [unreferenced.iconSha256, ...Object.values(await renditions(unreferenced.iconSha256))];
    expect([kept.length, deleted.length]).toEqual([9, 3]);

    await collectBlobs({ graceMs: 60_000 });
    expect(await Promise.all(deleted.map((sha256) => blobs.size(sha256)))).not.toContain(null);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await collectBlobs({ graceMs: 0 });

    expect(await Promise.all(kept.map((sha256) => blobs.size(sha256)))).not.toContain(null);
    expect(await Promise.all(deleted.map((sha256) => blobs.size(sha256)))).toEqual([null, null, null]);
    expect(await renditions(unreferenced.iconSha256)).toEqual({});
  });
});
