/* Hostile files on the pages of code: no server error, bounded pages, nothing hidden. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { expectInert, fetchCode } from '../support/code-pages.ts';
import { addon } from '../support/factories.ts';
import { HOSTILE_FILES } from '../support/hostile-code.ts';
import { zip } from '../support/packages.ts';
import { storePackage } from '../support/store-package.ts';

const app = setUpApp();
beforeAll(async () => {
  const changed = Object.entries(HOSTILE_FILES).map(([name, content]) => [
    name,
    Buffer.concat([Buffer.from(content), Buffer.from('\nchanged')]),
  ]);
  const packages = [HOSTILE_FILES, Object.fromEntries(changed)];
  const versions = await Promise.all(
    packages.map(async (files) => ({ files: [await storePackage(await zip(files))] })),
  );
  await addon({ slug: 'hostile', isSourcePublic: true, versions });
});

/** More than any page of code has, in characters. */
const MAX_PAGE = 4_000_000;
/** Characters that no page may have: controls but for white space, and those for text direction. */
const HIDDEN = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;

async function open(path: string, query: Record<string, string>) {
  const response = await fetchCode(`${app.url}${path}?${new URLSearchParams(query)}`);
  const text = await response.text();
  expect(text.length, JSON.stringify(query)).toBeLessThan(MAX_PAGE);
  return { status: response.status, headers: response.headers, text };
}

const FILES = '/addon/hostile/versions/1.0/files/';
const COMPARISON = '/addon/hostile/compare/1.0...2.0/';

describe('a hostile file', () => {
  it('is one of at least fifty', () => {
    expect(Object.keys(HOSTILE_FILES).length).toBeGreaterThanOrEqual(50);
  });

  it.each(Object.keys(HOSTILE_FILES))('is shown, formatted and compared: %s', async (file) => {
    const pages = [
      await open(FILES, { file }),
      await open(FILES, { file, pretty: '1' }),
      await open(COMPARISON, { file }),
      await open(COMPARISON, { file, pretty: '1', full: '1' }),
      await open(COMPARISON, { file, ws: 'ignore' }),
    ];
    for (const page of pages) {
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(HIDDEN);
      expectInert(page);
    }
    const { status } = await open(FILES, { file, picture: '1' });
    expect(status).toBe(404);
    const raw = await open(FILES, { file, raw: '1' });
    expect([200, 404]).toContain(raw.status);
    if (raw.status === 200) expect(raw.headers.get('content-disposition')).toContain('attachment');
  });

  it('is listed with all others', async () => {
    for (const path of [FILES, COMPARISON]) expect((await open(path, {})).status).toBe(200);
  });
});
