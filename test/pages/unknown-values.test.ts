/* Parameters in the address of a page whose values are unknown, such as a filter of an old link. */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { textOf, Visitor } from '../support/pages.ts';

const app = setUpApp();
let anonymous: Visitor;

beforeAll(async () => {
  anonymous = new Visitor(app);
  const versions = [{ files: [{ isStored: true }] }];
  await addon({ name: { 'en-US': 'Night Shade' }, slug: 'shade', tags: ['dark', 'calm'], versions });
  await addon({ name: { 'en-US': 'Day Light' }, slug: 'light' });
});

describe('an unknown value in the address of a page', () => {
  it.each([
    ['type=toaster', 'type=toaster'],
    ['sort=best', 'sort=best'],
    ['platform=vax&app=y', 'app=y platform=vax'],
    ['featured=perhaps', 'featured=perhaps'],
    ['app=<b>', 'app=<b>'],
    ['appversion=%00', 'appversion='],
    ['q=%00', 'q='],
  ])('is left out of a search, which says so: %s', async (unknown, shown) => {
    const page = await anonymous.get(`/search/?tag=dark&${unknown}`);
    expect(page.status).toBe(200);
    const text = textOf(page);
    expect(text).toContain(`They are ignored: ${shown}`);
    expect(text).toMatch(/1 add-on .*Night Shade/);
    expect(text).not.toContain('Day Light');
    // No link of the page leads to the value again.
    expect(page.text).toContain('href="/search/?tag=dark,calm"');
    for (const pair of unknown.split('&')) expect(page.text).not.toContain(`href="/search/?tag=dark&amp;${pair}`);
  });

  it.each([
    '/?app=toaster',
    '/language-tools/?app=toaster',
    '/replacements/?guid=%00',
    '/category/extension/other/?app=x',
  ])('is left out of %s in each language', async (path) => {
    const [, name = ''] = /\?(\w+)=/.exec(path) ?? [];
    for (const [language, words] of [
      ['en', 'They are ignored:'],
      ['de', 'Sie werden nicht beachtet:'],
      ['he', 'המערכת מתעלמת מהם:'],
    ]) {
      const page = await anonymous.get(path, { 'Accept-Language': language ?? '' });
      expect([page.status, textOf(page)]).toEqual([200, expect.stringContaining(`${words} ${name}=`)]);
    }
  });

  it('is refused where no page can say so, and where words are too long to search for', async () => {
    for (const path of [
      '/addon/shade/latest/?app=toaster',
      '/feeds/new.atom?type=toaster',
      `/search/?q=${'x'.repeat(101)}`,
    ])
      expect([path, (await anonymous.get(path)).status]).toEqual([path, 400]);
  });

  it('does not become part of the page of another address', async () => {
    expect(textOf(await anonymous.get('/search/?tag=dark&sort=<script>alert(1)</script>'))).toContain('<script>');
    const page = await anonymous.get('/search/?tag=dark&sort=%3Cscript%3Ealert(1)%3C/script%3E');
    expect(page.text).not.toContain('<script>alert');
    expect(textOf(await anonymous.get('/search/?tag=dark'))).not.toContain('ignored');
  });
});
