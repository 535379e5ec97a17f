/* What is read from the package of a version, on the page about it: what its code calls, and what differs from its base. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { CheerioAPI } from 'cheerio';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { storePackage } from '../support/store-package.ts';

const app = setUpApp();
let client: Client;
let reviewer: Visitor;
beforeAll(async () => {
  client = await app.memberWith('Addons:Review');
  reviewer = await visitorOf(app, client);
});

/** Whether a page says that the package is still read. */
const isReading = ($: CheerioAPI): boolean => $('#checks[data-events]').length > 0;

/** A page, once the package is read. */
async function readPage(path: string): Promise<CheerioAPI> {
  for (;;) {
    const $ = documentOf(await reviewer.get(path));
    if (!isReading($)) return $;
    await sleep(300);
  }
}

const BACKGROUND = "let a;\nfetch('https://x.example');\nbrowser.cookies.getAll({});\n";

describe('the calls on the page of a version in review', () => {
  /** The text of the section, and the addresses of its links, for a package with these declarations. */
  const sectionOf = async (slug: string, declared: { permissions: string[]; dataCollectionPermissions: string[] }) => {
    const stored = await storePackage(
      await xpi({ version: '1.0', files: { 'background.js': BACKGROUND, 'b.js': 'let = =' } }),
    );
    const files = [{ ...stored, ...declared, status: 1 }];
    await addon({ slug, versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files }] });
    const $ = await readPage(`/reviewers/review/${slug}/?version=1.0`);
    const section = $('section:has(> #calls)');
    return {
      text: section.text(),
      links: section
        .find('a')
        .map((_, link) => $(link).attr('href'))
        .get(),
    };
  };

  it('are next to what it declares, with links to the lines', async () => {
    const { text, links } = await sectionOf('calls-none', {
      permissions: ['cookies'],
      dataCollectionPermissions: ['none'],
    });
    expect(text).toContain('It declares that it collects no data.');
    expect(text).toContain('1 call that can send data');
    expect(text).toContain('1 use of private data in the browser');
    expect(links).toEqual(
      [2, 3].map((line) => `/addon/calls-none/versions/1.0/files/?file=background.js#file-L${line}`),
    );
    expect(text).toMatch(/1 script was not read: .* b\.js/);
    expect(text).toContain('All permissions that the code uses are declared.');
  });

  it('are next to the kinds of data, and name what is not declared', async () => {
    const { text } = await sectionOf('calls-data', {
      permissions: [],
      dataCollectionPermissions: ['browsingActivity'],
    });
    expect(text).toContain('It declares that it collects or sends: Pages that you visit');
    expect(text).toContain('1 permission used, but not declaredcookies');
    const { text: unsaid } = await sectionOf('calls-unsaid', { permissions: [], dataCollectionPermissions: [] });
    expect(unsaid).toContain('The manifest does not say which data the add-on collects.');
  });
});

describe('the results of the validator on the page of a version in review', () => {
  it('say whether it has checked the version', async () => {
    const { id, versions } = await addon({
      slug: 'unchecked',
      versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] }],
    });
    const path = '/reviewers/review/unchecked/?version=1.0';
    const unchecked = await readPage(path);
    expect(unchecked('section:has(> #messages) .notice.warning').text()).toContain('it was imported');
    expect(unchecked('#check-summary .badge.warning').text()).toBe('not checked by the validator');
    await app.sql(
      `INSERT INTO upload (pk, account_id, addon_id, version_id, file_name, validation) VALUES (md5('n'), $1, $2, $3, 'a.xpi', $4)`,
      [client.accountId, id, versions[0]?.id, { errors: 0, warnings: 0, notices: 0, messages: [] }],
    );
    const checked = await readPage(path);
    expect(checked('section:has(> #messages) p').text()).toBe('The validator found nothing.');
    expect(checked('#check-summary a').first().text()).toBe('nothing found by the validator');
    expect(checked('#check-summary .badge')).toHaveLength(0);
  });
});

describe('the changes on the page of a version in review', () => {
  const script = (js: string, matches: string) => ({ content_scripts: [{ js: [js], matches: [matches] }] });
  const stored = async (version: string, manifest: Record<string, unknown>, files: Record<string, string | null>) =>
    storePackage(await xpi({ version, manifest, files }));

  it('are its files with their lines, and what its manifest and its permissions have no longer', async () => {
    const old = await stored('1.0', script('old.js', 'https://x.example/*'), { 'old.js': '//\n' });
    const recent = await stored('2.0', script('new/a.js', '<all_urls>'), { 'new/a.js': 'let a;\nlet b;\n' });
    const { versions } = await addon({
      slug: 'changed-files',
      versions: [
        { version: '1.0', files: [{ ...old, permissions: ['history', 'tabs'] }] },
        {
          version: '2.0',
          stage: 'awaiting_review',
          reviewed: null,
          files: [{ ...recent, permissions: ['tabs'], status: 1 }],
        },
      ],
    });
    const $ = await readPage('/reviewers/review/changed-files/?version=2.0');
    const compare = '/addon/changed-files/compare/1.0...2.0/?file=';
    const added = $('section:has(> #changes) a[href$="new%2Fa.js"]');
    expect(added.attr('href')).toBe(`${compare}new%2Fa.js`);
    expect(added.parent().text()).toMatch(/a\.js Added \+2 −0/);
    expect($(`section:has(> #changes) a[href="${compare}old.js"]`).parent().text()).toContain('Deleted +0 −1');
    const manifest = $('section:has(> #manifest)').text().replace(/\s+/g, ' ');
    expect(manifest).toContain('new/a.js for <all_urls> New in this version');
    expect(manifest).toContain('old.js for https://x.example/* Removed');
    expect($('section:has(> #permissions)').text()).toContain('No longer requested: history');
    // Both as they were sent: signed files are larger.
    const sizes = $('section:has(> #changes)').text();
    expect(sizes).toMatch(/Size of all files as sent: \d+ bytes; 1\.0 has \d+ bytes/);
    expect($('section:has(> #shared-files)').text()).toContain('None');
    expect($('section:has(> #new-messages)').text()).toContain('The validator has not checked 2.0');
    const id = globalId('Version', versions[1]?.id ?? 0);
    const contents = 'before { content { text } } after { content { text } }';
    const { version } = await client.graphql<{ version: { reviewFacts: { changedFiles: object[] } } }>(
      `query($id: ID!) { version(id: $id) { reviewFacts { changedFiles { path ${contents} } } } }`,
      { id },
    );
    expect(version.reviewFacts.changedFiles).toEqual([
      expect.objectContaining({ path: 'manifest.json' }),
      { path: 'new/a.js', before: null, after: { content: { text: 'let a;\nlet b;\n' } } },
      { path: 'old.js', before: { content: { text: '//\n' } }, after: null },
    ]);
  });

  it('have the numbers of messages of each file, and how many of them are new', async () => {
    const files = await Promise.all(
      ['let a;\n', 'let b;\n'].map(async (text, index) => ({
        ...(await stored(`${index + 1}.0`, {}, { 'background.js': text, 'x/c.js': text })),
        ...(index === 1 ? { status: 1 } : {}),
      })),
    );
    const { id, versions } = await addon({
      slug: 'file-messages',
      versions: [
        { version: '1.0', files: files.slice(0, 1) },
        { version: '2.0', stage: 'awaiting_review', reviewed: null, files: files.slice(1) },
      ],
    });
    const about = (file: string, type: string, message: string) => ({
      ...{ type, id: ['rule'], description: '', column: 1, line: 1, message, file },
    });
    const known = about('background.js', 'warning', 'Known.');
    const validations = [
      [known, { ...known, file: 'x/c.js' }],
      [known, about('background.js', 'error', 'New.'), { ...known, file: 'x/c.js' }],
    ];
    for (const [index, messages] of validations.entries())
      await app.sql(
        `INSERT INTO upload (pk, account_id, addon_id, version_id, file_name, validation) VALUES (md5($1), $2, $3, $4, 'a.xpi', $5)`,
        [`m${index}`, client.accountId, id, versions[index]?.id, { errors: 1, warnings: 2, notices: 0, messages }],
      );
    const $ = await readPage('/reviewers/review/file-messages/?version=2.0');
    expect(
      $('section:has(> #changes) .badge')
        .toArray()
        .map((each) => [$(each).text(), $(each).attr('class'), $(each).attr('href')?.replace(/.*\?/, '')]),
    ).toEqual([
      ['1 warning, none new', 'badge plain', undefined],
      ['1 warning, none new', 'badge plain', 'file=x%2Fc.js#file-L1'],
      ['1 error, 1 warning, 1 new', 'badge error', 'file=background.js#file-L1'],
    ]);
    expect($('section:has(> #changes)').text()).toContain('Open a file to comment on its lines.');
    const summary = $('#review-decision #check-summary a').toArray();
    expect(summary.map((link) => [$(link).text(), $(link).attr('href')])).toEqual([
      ['1 error, 2 warnings, 1 new', '#new-messages'],
      ['0 new permissions', '#permissions'],
      ['No uses of private data in the browser', '#calls'],
      ['1 permission that no script uses', '#calls'],
      ['0 add-ons with the same files', '#shared-files'],
      ['0 open reports', '#reports'],
    ]);
    expect($('section:has(> #calls) h3:contains("that no script uses") + ul').text()).toBe('storage');
    for (const link of summary) expect($(`main ${$(link).attr('href')}`)).toHaveLength(1);
    expect($('.review-moves a[href="#new-messages"]').text()).toBe('Validation');
  });

  it('are all files of a first version', async () => {
    const files = [{ ...(await stored('1.0', {}, { 'a.js': 'let a;\n' })), status: 1 }];
    await addon({
      slug: 'first-files',
      versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files }],
    });
    const $ = await readPage('/reviewers/review/first-files/?version=1.0');
    expect($('section:has(> #changes)').text()).toContain('No earlier version was published');
    expect($('section:has(> #changes) a[href="/addon/first-files/versions/1.0/files/?file=a.js"]').length).toBe(1);
    expect($('section:has(> #manifest) .badge').length).toBe(0);
  });

  it('are followed by a sentence about its scripts when it has none', async () => {
    const files = [
      { ...(await stored('1.0', { background: undefined }, { 'background.js': null, 'a.html': '<p>' })), status: 1 },
    ];
    await addon({
      slug: 'no-scripts',
      versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files }],
    });
    const $ = await readPage('/reviewers/review/no-scripts/?version=1.0');
    expect($('section:has(> #calls)').text()).toContain('The package has no scripts');
    expect($('section:has(> #calls)').text()).not.toContain('No calls');
  });
});

describe('a package that takes some time to read', () => {
  it('is waited for as long as a page may take, and then has a link that loads the page, and a part that its script renews', async () => {
    // Too long for one script, so that it is not read at all.
    const lines = Array.from({ length: 100_000 }, (_, index) => `fetch(a${(index * 7919) % 100_003}, [${index}]);\n`);
    const script = `${lines.join('')}with (a) {}`;
    const stored = await storePackage(await xpi({ version: '1.0', files: { 'a.js': script, 'b.js': `${script} ` } }));
    await addon({
      slug: 'slow-package',
      versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files: [{ ...stored, status: 1 }] }],
    });
    const path = '/reviewers/review/slow-package/?version=1.0';
    const first = documentOf(await reviewer.get(path));
    expect(first('section:has(> #calls)').text()).toContain('The package is still being read.');
    // With a fragment, browsers would scroll and load nothing.
    expect(first('section:has(> #calls) a').attr('href')).toBe(path);
    expect(first('section:has(> #changes) a').attr('href')).toBe(path);
    expect(first('#checks').attr('data-events')).toBe('');
    expect(first('#checks form').length).toBe(0);
    expect(first('#check-summary').attr('data-events')).toBe('');
    expect(first('#check-summary').text()).toBe(
      'Checks: not checked by the validator · 1 permission · the package is still being read · 0 open reports',
    );
    expect(first('script[src$="/live.js"]').length).toBe(1);
    expect(first('form [name=decision]').length).toBeGreaterThan(0);
    await expect
      .poll(async () => isReading(documentOf(await reviewer.get(path))), { interval: 500, timeout: 60_000 })
      .toBe(false);
    const read = documentOf(await reviewer.get(path));
    expect(read('section:has(> #calls)').text()).not.toContain('still being read');
    expect(read('#check-summary[data-events]').length).toBe(0);
    expect(read('script[src$="/live.js"]').length).toBe(0);
  }, 90_000);

  it('is not there for a search engine, whose file is no archive', async () => {
    const stored = {
      ...(await storePackage(Buffer.from('<OpenSearchDescription/>'))),
      format: 'opensearch',
      status: 1,
    };
    await addon({
      ...{ slug: 'engine', type: 'search' },
      versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files: [stored] }],
    });
    const { text } = await reviewer.get('/reviewers/review/engine/?version=1.0');
    expect(text).toContain('id="decision"');
    expect(text).not.toMatch(/id="(?:calls|changes)"/);
  });

  it('says so when it cannot be read', async () => {
    const stored = await storePackage(Buffer.from('no archive'));
    await addon({
      slug: 'broken-package',
      versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files: [{ ...stored, status: 1 }] }],
    });
    const $ = await readPage('/reviewers/review/broken-package/?version=1.0');
    expect($('section:has(> #calls)').text()).toContain('The package cannot be read');
    expect($('section:has(> #changes)').text()).toContain('The packages cannot be compared.');
    expect($('#manifest').length).toBe(0);
  });
});
