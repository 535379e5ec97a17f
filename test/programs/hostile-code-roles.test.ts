/* Hostile files on the pages of code, as each role: readers get pages in which nothing runs, others find none. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../browser/chromium.ts';
import { setUpApp } from '../support/app.ts';
import { expectInert } from '../support/code-pages.ts';
import {
  CHANNELS,
  type Channel,
  type CodeRoles,
  makeCodeRoles,
  mayRead,
  openUntouched,
  READERS,
  ROLES,
  type Role,
  watchedPage,
} from '../support/code-roles.ts';
import { addon } from '../support/factories.ts';
import { HOSTILE_FILES } from '../support/hostile-code.ts';
import { zip } from '../support/packages.ts';
import { addSources, storePackage } from '../support/store-package.ts';

const app = setUpApp();

const FILES = Object.keys(HOSTILE_FILES);
/** Every role opens every file of the listed version. Of these, it opens the changes, the file in the source code and the unlisted one, too. */
const SAMPLE = new Set([
  ...['bidi.js', 'ansi.js', 'invalid-utf8.js', 'lone-surrogates.js', 'late-nul.js'],
  ...['page.html', 'close.js', 'picture.svg', 'huge.png', '__proto__.js'],
]);
/** Of those, the files that each other reader opens in Chromium: text with and without markup, and a picture. */
const SHOWN_TO_EACH: readonly string[] = ['bidi.js', 'page.html', 'picture.svg'];
/** Archives of source code may have names that packages may not have, which are shown in a printable form. */
const sourceName = (name: string): string =>
  name.replace(/[\u202e\u2066]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

let roles: CodeRoles;

beforeAll(async () => {
  roles = await makeCodeRoles(app);
  const changed = Object.entries(HOSTILE_FILES).map(([name, content]) => [
    name,
    Buffer.concat([Buffer.from(content), Buffer.from('\nchanged')]),
  ]);
  const packages = [await zip(HOSTILE_FILES), await zip(Object.fromEntries(changed))];
  for (const channel of CHANNELS) await waiting(`hostile-${channel}`, channel, packages);
});

/** An add-on with versions 1.0 and 2.0 that wait for review, and with these archives as packages and as source code. */
async function waiting(slug: string, channel: Channel, packages: readonly Buffer[]): Promise<void> {
  const stored = await Promise.all(packages.map(storePackage));
  const versions = stored.map((file) => ({
    channel,
    stage: 'awaiting_review',
    reviewed: null,
    files: [{ ...file, status: 1 }],
  }));
  const { id } = await addon({ slug, status: 'nominated', authors: [roles.authorId], versions });
  await addSources(app, [id], stored[0]?.sha256 ?? '');
}

/** The pages of a file in both versions and in the source code. */
const pagesOf = (slug: string) => ({
  file: `/addon/${slug}/versions/1.0/files/`,
  comparison: `/addon/${slug}/compare/1.0...2.0/`,
  source: `/addon/${slug}/versions/1.0/source/`,
});

async function expectPages(channel: Channel, role: Role, name: string, isWhole: boolean): Promise<void> {
  const { file, comparison, source } = pagesOf(`hostile-${channel}`);
  for (const page of isWhole ? [file, comparison, source] : [file]) {
    const opened = await roles.open(role, page, { file: page === source ? sourceName(name) : name });
    expect(opened.status, page).toBe(mayRead(channel, role) ? 200 : 404);
    expectInert(opened);
  }
  if (!isWhole) return;
  const saved = await roles.open(role, file, { file: name, raw: '1' });
  expect(mayRead(channel, role) ? [200, 404] : [404], file).toContain(saved.status);
  expectInert(saved);
}

describe('a hostile file of a version that waits for review', () => {
  it.each(FILES)('is inert for the reviewer: %s', (name) => expectPages('listed', 'reviewer', name, true));

  it('exists in the sample', () => {
    expect(FILES.filter((name) => SAMPLE.has(name))).toHaveLength(SAMPLE.size);
    expect(SHOWN_TO_EACH.filter((name) => SAMPLE.has(name))).toEqual(SHOWN_TO_EACH);
  });
});

describe.each(CHANNELS)('a hostile file of a %s version that waits for review', (channel) => {
  const { file, comparison, source } = pagesOf(`hostile-${channel}`);

  it.each(ROLES)('is inert for readers and not found for others: %s', async (role) => {
    for (const name of channel === 'listed' ? FILES : SAMPLE) await expectPages(channel, role, name, SAMPLE.has(name));
  });

  it.each(ROLES)('is listed for readers only: %s', async (role) => {
    for (const page of [file, comparison, source]) {
      const opened = await roles.open(role, page);
      expect(opened.status, page).toBe(mayRead(channel, role) ? 200 : 404);
      expectInert(opened);
    }
  });
});

const chromium = await findChromium();

describe.skipIf(chromium === null)('a hostile file in Chromium (skipped: no chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '');
  });
  afterAll(() => browser.close());

  it.each([...READERS.listed, 'unlistedReviewer'] as const)(
    'runs nothing, and breaks no policy of its page: %s',
    async (role) => {
      const channel = role === 'unlistedReviewer' ? 'unlisted' : 'listed';
      const problems: string[] = [];
      const session = roles.sessionOf(role) ?? '';
      const page = await watchedPage(browser, { origin: app.url, session, problems });
      const { file, comparison, source } = pagesOf(`hostile-${channel}`);
      for (const name of role === 'reviewer' ? FILES : SHOWN_TO_EACH) {
        const queries = [
          [file, { file: name }],
          [comparison, { file: name }],
        ] as const;
        const sampled = [
          [file, { file: name, pretty: '1' }],
          [source, { file: sourceName(name) }],
        ] as const;
        for (const [path, query] of SAMPLE.has(name) ? [...queries, ...sampled] : queries) {
          const response = await openUntouched(page, app.url, `${path}?${new URLSearchParams(query)}`);
          expect(response?.status(), path).toBe(200);
        }
      }
      await page.context().close();
      expect(problems).toEqual([]);
    },
  );
});
