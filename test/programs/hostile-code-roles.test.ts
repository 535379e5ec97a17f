/* Hostile files and archives on the pages of code, as each role: readers get pages in which nothing runs, others find none. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium, openContext } from '../browser/chromium.ts';
import { setUpApp } from '../support/app.ts';
import { makePeople } from '../support/authorization/people.ts';
import { expectInert, fetchCode } from '../support/code-pages.ts';
import { addon } from '../support/factories.ts';
import { hostileUploads } from '../support/hostile-archives.ts';
import { HOSTILE_FILES } from '../support/hostile-code.ts';
import { zip } from '../support/packages.ts';
import { addSources, storePackage } from '../support/store-package.ts';

const app = setUpApp();

const RULES = {
  visitor: null,
  account: [],
  author: [],
  reviewer: ['Addons:Review'],
  contentReviewer: ['Addons:ContentReview'],
  postReviewer: ['Addons:PostReview'],
  unlistedReviewer: ['Addons:ReviewUnlisted'],
  themeReviewer: ['Addons:ThemeReview'],
  editor: ['Addons:Edit'],
  moderator: ['AbuseReports:Edit'],
  administrator: ['*:*'],
} as const;
type Role = keyof typeof RULES;
const ROLES = Object.keys(RULES) as Role[];

const READERS = {
  listed: ['author', 'reviewer', 'contentReviewer', 'postReviewer', 'administrator'],
  unlisted: ['author', 'unlistedReviewer', 'administrator'],
} as const satisfies Record<string, readonly Role[]>;
type Channel = keyof typeof READERS;
const CHANNELS = Object.keys(READERS) as Channel[];

const FILES = Object.keys(HOSTILE_FILES);
/** The reviewer of listed versions opens every file, all other roles and those of unlisted versions open these: rights differ, not files. */
const SAMPLE = new Set([
  ...['bidi.js', 'ansi.js', 'invalid-utf8.js', 'lone-surrogates.js', 'late-nul.js'],
  ...['page.html', 'close.js', 'picture.svg', 'huge.png', '__proto__.js'],
]);
/** Of those, the files that each other reader opens in Chromium: text with and without markup, and a picture. */
const SHOWN_TO_EACH: readonly string[] = ['bidi.js', 'page.html', 'picture.svg'];
/** Of this many archives, two are opened, one of each channel. */
const STEP = 24;
/** Archives of source code may have names that packages may not have, which are shown in a printable form. */
const sourceName = (name: string): string =>
  name.replace(/[\u202e\u2066]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

const sessions = new Map<Role, string>();
let authorId = 0;

beforeAll(async () => {
  const { openLabelledSession } = await import('../../src/domain/sessions/open-session.ts');
  const { ids } = await makePeople(app, RULES);
  authorId = ids.author;
  for (const role of ROLES) {
    if (role === 'visitor') continue;
    const { pageSession } = await openLabelledSession(ids[role], role, { ip: null, locale: 'en-US', previous: null });
    sessions.set(role, pageSession);
  }
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
  const { id } = await addon({ slug, status: 'nominated', authors: [authorId], versions });
  await addSources(app, [id], stored[0]?.sha256 ?? '');
}

interface Opened {
  status: number;
  headers: Headers;
  text: string;
}

async function open(role: Role, path: string, query: Record<string, string> = {}): Promise<Opened> {
  const session = sessions.get(role);
  const headers: Record<string, string> = session === undefined ? {} : { Cookie: `addons_session=${session}` };
  const response = await fetchCode(`${app.url}${path}?${new URLSearchParams(query)}`, headers);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The pages of a file in both versions and in the source code. */
const pagesOf = (slug: string) => ({
  file: `/addon/${slug}/versions/1.0/files/`,
  comparison: `/addon/${slug}/compare/1.0...2.0/`,
  source: `/addon/${slug}/versions/1.0/source/`,
});

async function expectPages(channel: Channel, role: Role, name: string): Promise<void> {
  const { file, comparison, source } = pagesOf(`hostile-${channel}`);
  const mayRead = (READERS[channel] as readonly Role[]).includes(role);
  for (const page of [file, comparison, source]) {
    const opened = await open(role, page, { file: page === source ? sourceName(name) : name });
    expect(opened.status, page).toBe(mayRead ? 200 : 404);
    expectInert(opened);
  }
  const saved = await open(role, file, { file: name, raw: '1' });
  expect(mayRead ? [200, 404] : [404], file).toContain(saved.status);
  expectInert(saved);
}

describe('a hostile file of a version that waits for review', () => {
  it.each(FILES)('is inert for the reviewer: %s', (name) => expectPages('listed', 'reviewer', name));

  it('exists in the sample', () => {
    expect(FILES.filter((name) => SAMPLE.has(name))).toHaveLength(SAMPLE.size);
    expect(SHOWN_TO_EACH.filter((name) => SAMPLE.has(name))).toEqual(SHOWN_TO_EACH);
  });
});

describe.each(CHANNELS)('a hostile file of a %s version that waits for review', (channel) => {
  const { file, comparison, source } = pagesOf(`hostile-${channel}`);

  it.each(ROLES)('is inert for readers and not found for others: %s', async (role) => {
    for (const name of SAMPLE) await expectPages(channel, role, name);
  });

  it.each(ROLES)('is listed for readers only: %s', async (role) => {
    const mayRead = (READERS[channel] as readonly Role[]).includes(role);
    for (const page of [file, comparison, source]) {
      const opened = await open(role, page);
      expect(opened.status, page).toBe(mayRead ? 200 : 404);
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
      const context = await openContext(browser, { origin: app.url, problems });
      const session = { name: 'addons_session', value: sessions.get(role) ?? '', url: app.url };
      await context.addCookies([session]);
      const page = await context.newPage();
      page.on('dialog', (dialog) => {
        problems.push(`dialog on ${page.url()}: ${dialog.message()}`);
        return dialog.dismiss();
      });
      page.on('download', (download) => problems.push(`download of ${download.url()}`));
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
          const response = await page.goto(`${path}?${new URLSearchParams(query)}`);
          expect(response?.status(), path).toBe(200);
          expect(page.url(), 'no script leads elsewhere').toBe(`${app.url}${path}?${new URLSearchParams(query)}`);
        }
      }
      await context.close();
      expect(problems).toEqual([]);
    },
  );
});

describe('a hostile archive that waits for review', () => {
  const archives = hostileUploads();

  async function expectNoFailure(role: Role, slug: string): Promise<void> {
    const { file, comparison, source } = pagesOf(slug);
    for (const [page, query] of [
      [file, { file: 'manifest.json' }],
      [comparison, {}],
      [source, { file: 'manifest.json' }],
    ] as const) {
      const opened = await open(role, page, query);
      expect(opened.status, `${role} ${page}`).toBeLessThan(500);
      expectInert(opened);
    }
  }

  // All of them are opened as a visitor in hostile-code.test.ts.
  it.each(archives.map((archive, index) => ({ ...archive, index })).filter(({ index }) => index % STEP < 2))(
    'is refused for each role, as a package and as source code: $name',
    async ({ bytes, index }) => {
      const slug = `archive-${index}`;
      await waiting(slug, index % 2 === 0 ? 'listed' : 'unlisted', [bytes, bytes]);
      for (const role of ROLES) await expectNoFailure(role, slug);
    },
  );

  it('ends no process of the service', async () => {
    expect((await open('administrator', '/reviewers/')).status).toBe(200);
    expect((await open('reviewer', pagesOf('hostile-listed').file, { file: 'bidi.js' })).status).toBe(200);
  });
});
