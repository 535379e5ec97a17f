/* What the code of a version calls, on the page about it. */
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

const BACKGROUND = "let a;\nfetch('https://x.example');\nbrowser.cookies.getAll({});\n";

describe('the calls on the page of a version in review', () => {
  /** The text of the section, and the addresses of its links, for a package with these declarations. */
  const sectionOf = async (slug: string, declared: { permissions: string[]; dataCollectionPermissions: string[] }) => {
    const stored = await storePackage(
      await xpi({ version: '1.0', files: { 'background.js': BACKGROUND, 'b.js': 'let = =' } }),
    );
    const files = [{ ...stored, ...declared, status: 1 }];
    await addon({ slug, versions: [{ version: '1.0', stage: 'awaiting_review', reviewed: null, files }] });
    const $ = documentOf(await reviewer.get(`/reviewers/review/${slug}/?version=1.0`));
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
    expect(unsaid).toContain('It does not say which data it collects.');
  });
});
