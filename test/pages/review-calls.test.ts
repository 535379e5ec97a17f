/* What the code of a version calls, on the page about it. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { CheerioAPI } from 'cheerio';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { xpi } from '../support/packages.ts';
import { documentOf, type Visitor, visitorOf } from '../support/pages.ts';
import { storePackage } from '../support/store-package.ts';

const app = setUpApp();
let reviewer: Visitor;
beforeAll(async () => {
  reviewer = await visitorOf(app, await app.memberWith('Addons:Review'));
});

/** Whether a page says that the package is still read. */
const isReading = ($: CheerioAPI): boolean => $('a[href$="#calls"]').length > 0;

const BACKGROUND = "let a;\nfetch('https://x.example');\nbrowser.cookies.getAll({});\n";

describe('the calls on the page of a version in review', () => {
  /** The text of the section, and the addresses of its links, for a package with these declarations. */
  const sectionOf = async (slug: string, declared: { permissions: string[]; dataCollectionPermissions: string[] }) => {
    const stored = await storePackage(
      await xpi({ version: '1.0', files: { 'background.js': BACKGROUND, 'b.js': 'let = =' } }),
    );
    const files = [{ ...stored, ...declared, status: 1 }];
    await addon({ slug, versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files }] });
    const path = `/reviewers/review/${slug}/?version=1.0`;
    let $ = documentOf(await reviewer.get(path));
    while (isReading($)) {
      await sleep(300);
      $ = documentOf(await reviewer.get(path));
    }
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
    expect(text).not.toContain('not declared as a permission');
  });

  it('are next to the kinds of data, and name what is not declared', async () => {
    const { text } = await sectionOf('calls-data', {
      permissions: [],
      dataCollectionPermissions: ['browsingActivity'],
    });
    expect(text).toContain('It declares that it collects or sends: Pages that you visit');
    expect(text).toContain('Used, but not declared as a permission: cookies');
    const { text: unsaid } = await sectionOf('calls-unsaid', { permissions: [], dataCollectionPermissions: [] });
    expect(unsaid).toContain('The manifest does not say which data the add-on collects.');
  });
});

describe('a package that takes some time to read', () => {
  it('is waited for as long as a page may take, and then has a link to the page', async () => {
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
    expect(first('section:has(> #calls) a').attr('href')).toBe(`${path}#calls`);
    expect(first('form [name=decision]').length).toBeGreaterThan(0);
    await expect
      .poll(async () => isReading(documentOf(await reviewer.get(path))), { interval: 500, timeout: 60_000 })
      .toBe(false);
    expect(documentOf(await reviewer.get(path))('section:has(> #calls)').text()).not.toContain('still being read');
  }, 90_000);

  it('says so when it cannot be read', async () => {
    const stored = await storePackage(Buffer.from('no archive'));
    await addon({
      slug: 'broken-package',
      versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files: [{ ...stored, status: 1 }] }],
    });
    const section = async () =>
      documentOf(await reviewer.get('/reviewers/review/broken-package/?version=1.0'))('section:has(> #calls)').text();
    await expect.poll(section, { interval: 500, timeout: 60_000 }).toContain('The package cannot be read');
  });
});
