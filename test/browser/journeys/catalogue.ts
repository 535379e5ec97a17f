import assert from 'node:assert/strict';
import { download, follow, formNamed, type Journey, send, shows, verify } from './journey.ts';

/** Finding, judging and getting an add-on. */
export const catalogueJourneys: readonly Journey[] = [
  {
    name: 'search, filter, open, download, verify',
    async run(traveller) {
      const page = await traveller.open('anonymous');
      await page.goto('/');
      await page.locator('#site-search').fill('tab notes');
      await follow(page, page.locator('[role=search] button'));
      assert.equal(new URL(page.url()).pathname, '/search/');
      const filters = page.locator('.filter-list').first();
      // In wide windows the filters are always open.
      const summary = filters.locator('summary').first();
      if (await summary.isVisible()) await summary.click();
      await follow(page, filters.locator('a[href*="type=extension"]').first());
      await follow(page, page.locator('.addon-card a', { hasText: 'Tab Notes' }).first());
      assert.equal(new URL(page.url()).pathname, '/addon/tab-notes/');
      const href = await page.locator('[data-install] a[href*="/downloads/"]').first().getAttribute('href');
      const printed = await verify(await download(page, href ?? ''), traveller);
      assert.match(printed, /the signature is valid/);
    },
  },
  {
    name: 'back and reload keep the filters',
    needsScripts: true,
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/search/?type=extension&sort=users&page=2');
      const filtered = page.url();
      const names = await page.locator('.addon-card h2, .addon-card h3').allInnerTexts();
      await follow(page, page.locator('.addon-card a').first());
      await page.goBack();
      assert.equal(page.url(), filtered);
      assert.deepEqual(await page.locator('.addon-card h2, .addon-card h3').allInnerTexts(), names);
      await page.reload();
      assert.deepEqual(await page.locator('.addon-card h2, .addon-card h3').allInnerTexts(), names);
      assert.equal((await page.locator('.filter-chips a').count()) > 0, true);
    },
  },
  {
    name: 'suggestions by keyboard',
    needsScripts: true,
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/');
      const input = page.locator('#site-search');
      await input.focus();
      await page.keyboard.type('tab not', { delay: 20 });
      const option = page.locator('[role=option]').first();
      await option.waitFor();
      await page.keyboard.press('ArrowDown');
      assert.equal(await input.getAttribute('aria-expanded'), 'true');
      const active = await input.getAttribute('aria-activedescendant');
      assert.notEqual(active, null);
      await page.keyboard.press('Escape');
      assert.equal(await input.getAttribute('aria-expanded'), 'false');
      await page.keyboard.type('e');
      await option.waitFor();
      await page.keyboard.press('ArrowDown');
      await Promise.all([page.waitForURL(/\/addon\//), page.keyboard.press('Enter')]);
    },
  },
  {
    name: 'suggestions by a slow click',
    needsScripts: true,
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/');
      await page.locator('#site-search').pressSequentially('tab not');
      const option = page.locator('[role=option]').first();
      await option.click({ delay: 500, noWaitAfter: true });
      await page.waitForURL(/\/addon\//);
    },
  },
  {
    name: 'the catalogue in Hebrew and dark',
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/search/?type=extension');
      const preferences = formNamed(page, 'preferences');
      await preferences.locator('select[name=language]').selectOption('he');
      await preferences.locator('select[name=theme]').selectOption('dark');
      await send(page, preferences);
      assert.equal(new URL(page.url()).search, '?type=extension');
      for (const path of ['/', '/search/?type=extension', '/addon/tab-notes/', '/categories/']) {
        await page.goto(path);
        const html = page.locator('html');
        assert.equal(await html.getAttribute('lang'), 'he', path);
        assert.equal(await html.getAttribute('dir'), 'rtl', path);
        assert.equal(await html.getAttribute('data-theme'), 'dark', path);
        await shows(page, /[א-ת]{3}/);
      }
    },
  },
];
