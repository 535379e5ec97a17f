/*
 * Every hostile archive on the pages of code and in GraphQL, as each role. Uploads of them are refused: they are stored as an import may
 * have left them, as packages of versions that wait for review, and as source code.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../browser/chromium.ts';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { expectInert } from '../support/code-pages.ts';
import {
  CHANNELS,
  type Channel,
  type CodeRoles,
  makeCodeRoles,
  mayRead,
  openUntouched,
  ROLES,
  watchedPage,
} from '../support/code-roles.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { MANIFEST } from '../support/hostile-archive.ts';
import { hostileUploads } from '../support/hostile-archives.ts';
import { zip } from '../support/packages.ts';
import { storePackage } from '../support/store-package.ts';

const app = setUpApp();

/** Each in one of the channels, by turns. */
const ARCHIVES = hostileUploads().map(({ name, bytes }, index) => ({
  ...{ name, bytes, version: `1.${index}` },
  channel: CHANNELS[index % CHANNELS.length] ?? 'listed',
}));
const slugOf = (channel: Channel): string => `archives-${channel}`;
/** The role that opens everything. */
const READER = { listed: 'reviewer', unlisted: 'unlistedReviewer' } as const;

let roles: CodeRoles;
let client: Client;
/** Global ids by version; of the good package of each channel by the channel. */
const ids = new Map<string, string>();

beforeAll(async () => {
  roles = await makeCodeRoles(app);
  client = await app.memberWith('Addons:Review', 'Addons:ReviewUnlisted');
  const good = await storePackage(await zip({ 'manifest.json': MANIFEST, 'clock.js': 'tick(1);' }));
  const waits = { stage: 'awaiting_review', reviewed: null };
  for (const channel of CHANNELS) {
    const archives = ARCHIVES.filter((each) => each.channel === channel);
    const stored = await Promise.all(archives.map(({ bytes }) => storePackage(bytes)));
    const versions = [{ version: '0.1', file: good }, ...archives.map((each, at) => ({ ...each, file: stored[at] }))];
    const made = await addon({
      ...{ slug: slugOf(channel), status: 'nominated', authors: [roles.authorId] },
      versions: versions.map(({ version, file }) => ({ ...waits, version, channel, files: [{ ...file, status: 1 }] })),
    });
    for (const [at, { id }] of made.versions.entries()) {
      ids.set(at === 0 ? channel : (archives[at - 1]?.version ?? ''), globalId('Version', id));
    }
    await app.sql(
      `INSERT INTO version_source (version_id, name, size, sha256)
       SELECT v.id, 'source.zip', f.size, f.original_sha256 FROM version v JOIN file f ON f.version_id = v.id WHERE v.addon_id = $1`,
      [made.id],
    );
  }
});

type Archive = (typeof ARCHIVES)[number];

const filesOf = ({ channel, version }: Archive): string => `/addon/${slugOf(channel)}/versions/${version}/files/`;

/** Every page that shows an archive. */
const pagesOf = (archive: Archive): [path: string, query: Record<string, string>][] => {
  const { channel, version } = archive;
  const file = { file: 'clock.js' };
  const from = `/addon/${slugOf(channel)}/compare/0.1...${version}/`;
  const to = `/addon/${slugOf(channel)}/compare/${version}...0.1/`;
  const source = `/addon/${slugOf(channel)}/versions/${version}/source/`;
  return [
    ...[{}, file, { ...file, pretty: '1' }, { ...file, raw: '1' }].map((query): [string, typeof query] => [
      filesOf(archive),
      query,
    ]),
    ...[from, to, source].map((path): [string, Record<string, string>] => [path, file]),
    ...[from, source].map((path): [string, Record<string, string>] => [path, {}]),
  ];
};

const CONTENTS = `query($id: ID!) { version(id: $id) { contents { fileCount files { path hash } file(path: "clock.js") {
  content { text lines { text } } } } } }`;
const DIFF =
  'query($from: ID!, $to: ID!) { packageDiff(from: $from, to: $to) { files { path kind additions deletions } } }';

describe('a hostile archive that waits for review', () => {
  it('is one of at least 145', () => {
    expect(ARCHIVES.length).toBeGreaterThanOrEqual(145);
  });

  it.each(ARCHIVES)('is refused on every page and in GraphQL, whose pages are inert: $name', async (archive) => {
    const { channel, version } = archive;
    for (const [path, query] of pagesOf(archive)) {
      const opened = await roles.open(READER[channel], path, query);
      // Names and fields that packages may not have are shown in archives of source code.
      expect(path.endsWith('/source/') ? [200, 400, 404] : [400], path).toContain(opened.status);
      expectInert(opened);
    }
    const [id, base] = [ids.get(version), ids.get(channel)];
    for (const { errors } of [
      await client.graphqlResult(CONTENTS, { id }),
      await client.graphqlResult(DIFF, { from: base, to: id }),
    ]) {
      expect(errors?.map(({ extensions }) => extensions?.code)).toContain('INVALID_PACKAGE');
    }
  });

  it.each(ROLES)('is refused to readers, and not found for others: %s', async (role) => {
    for (const archive of ARCHIVES) {
      const opened = await roles.open(role, filesOf(archive), { file: 'clock.js' });
      expect(opened.status, archive.name).toBe(mayRead(archive.channel, role) ? 400 : 404);
      expectInert(opened);
    }
  });
});

const chromium = await findChromium();

describe.skipIf(chromium === null)('a hostile archive in Chromium (skipped: no chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium(chromium ?? '');
  });
  afterAll(() => browser.close());

  it.each(CHANNELS)('runs nothing, and breaks no policy of its page: %s', async (channel) => {
    const problems: string[] = [];
    const session = roles.sessionOf(READER[channel]) ?? '';
    const page = await watchedPage(browser, { origin: app.url, session, problems });
    for (const archive of ARCHIVES.filter((each) => each.channel === channel)) {
      await openUntouched(page, app.url, `${filesOf(archive)}?file=clock.js`);
    }
    await page.context().close();
    expect(problems).toEqual([]);
  });
});

it('ends no process of the service', async () => {
  expect((await roles.open('administrator', '/reviewers/')).status).toBe(200);
  const good = await roles.open('reviewer', `/addon/${slugOf('listed')}/versions/0.1/files/`, { file: 'clock.js' });
  expect(good.status).toBe(200);
  expect(good.text).toContain('tick');
});
