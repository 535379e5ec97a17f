import assert from 'node:assert/strict';
import { follow, type Journey, shows } from './journey.ts';

/** What visitors meet who come with another program, another name of the site, or half a memory. */
export const visitorJourneys: readonly Journey[] = [
  {
    name: 'another browser gets the truth and a download',
    async run({ open, hasScripts }) {
      const page = await open('anonymous');
      await page.goto('/addon/tab-notes/');
      const box = page.locator('[data-install]').first();
      await shows(page, 'Release and beta builds of the vendor');
      if (hasScripts) {
        assert.match(await box.innerText(), /For Desktop browser .*, not your browser/s);
        const button = box.locator('a.button');
        assert.equal((await button.innerText()).trim(), 'Save the file');
        assert.match((await button.getAttribute('href')) ?? '', /download=1/);
      } else {
        assert.doesNotMatch(await box.innerText(), /not your browser|Made for this browser/);
      }
      await follow(page, box.getByRole('link', { name: 'What your program needs' }));
      await shows(page, 'Refuses it, whatever a policy says. Download only.');
    },
  },
  {
    name: 'themes that can be installed come first, and a dead end keeps the query',
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/search/?q=dark+theme');
      const cards = await page.locator('.addon-card').allInnerTexts();
      const marked = cards.map((text) => text.includes('Not installable'));
      assert.ok(marked.includes(true), cards.join('\n\n'));
      assert.deepEqual(marked, marked.toSorted(), 'no card that can be installed follows one that cannot');
      await follow(page, page.locator('.addon-card', { hasText: 'Not installable' }).first().locator('a').first());
      assert.equal(new URL(page.url()).searchParams.get('q'), 'dark theme');
      await follow(page, page.getByRole('link', { name: 'Show themes' }));
      assert.equal(new URL(page.url()).search, '?q=dark+theme&type=statictheme');
    },
  },
  {
    name: 'screenshots one after the other, and back',
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/');
      await follow(page, page.locator('section[aria-labelledby=users] .addon-card a').first());
      const { pathname } = new URL(page.url());
      await follow(page, page.locator('.previews a').first());
      assert.equal(new URL(page.url()).pathname, `${pathname}previews/1/`);
      await follow(page, page.locator('main a[rel=next]'));
      assert.equal(new URL(page.url()).pathname, `${pathname}previews/2/`);
      await follow(page, page.getByRole('link', { name: 'Close' }));
      assert.equal(new URL(page.url()).pathname, pathname);
    },
  },
  {
    name: 'a misspelt query, an id, an author',
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/search/?q=tab+ntoes');
      await shows(page, 'Did you mean');
      await follow(page, page.locator('main .lead a').first());
      await shows(page, 'Tab Notes');
      for (const q of ['tab-notes', 'tab-notes@demo.example']) {
        await page.goto(`/search/?q=${q}`);
        assert.match(await page.locator('.addon-card').first().innerText(), /Tab Notes/);
      }
      await page.goto('/search/?q=demo-developer');
      assert.ok((await page.locator('.addon-card').count()) > 0);
    },
  },
  {
    name: 'another name of the site leads to its address',
    expects: /^foreign request to http:\/\/localhost:/,
    async run({ open, setting }) {
      const page = await open('anonymous');
      const { port, host } = new URL(setting.service.url);
      await page.goto(`http://localhost:${port}/addon/tab-notes/`);
      assert.equal(new URL(page.url()).host, host);
      assert.ok(await page.locator('.addon-head img').evaluate((img) => (img as HTMLImageElement).naturalWidth > 0));
    },
  },
  {
    name: 'a page after the last one, and the operator',
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/search/?type=extension&page=999');
      await shows(page, 'There is no page 999');
      await follow(page, page.getByRole('link', { name: 'Go to the last page' }));
      assert.ok((await page.locator('.addon-card').count()) > 0);
      await follow(page, page.locator('footer').getByRole('link', { name: 'About' }));
      await shows(page, 'operator@site.example');
    },
  },
];
