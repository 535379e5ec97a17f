import assert from 'node:assert/strict';
import { PAGES_EN as en } from '../../../src/texts/pages.en.ts';
import { follow, formNamed, type Journey, send, shows } from './journey.ts';

/** What operators and curators do on the pages of the administration. */
export const administeringJourneys: readonly Journey[] = [
  {
    name: 'an operator finds a failed job, reads its cause and runs it again',
    async run({ open, setting }) {
      const number = await setting.service.failJob('reading-time');
      const page = await open('administrator');
      assert.equal((await page.goto('/admin/'))?.status(), 200);
      await follow(page, page.locator('main a[href*="state=failed"]').first());
      assert.equal(await follow(page, page.locator(`main a[href="/admin/jobs/${number}/"]`)), 200);
      await shows(page, 'EROFS: read-only file system');
      assert.equal(await page.locator('main a[href$="/addon/reading-time/"]').count(), 1);
      assert.equal(await send(page, formNamed(page, 'retry-job')), 200);
      // A worker may have taken it since.
      const result = await page.locator('#result').innerText();
      const said = ['done.retry-job', 'admin.jobs.runs', 'admin.jobs.has-run'] as const;
      assert.ok(
        said.some((key) => result.includes(en[key])),
        result,
      );
      assert.equal(new URL(page.url()).pathname, `/admin/jobs/${number}/`);
      // The page follows the job, with and without scripts, until a worker has run it.
      await page.getByText(en['admin.jobs.has-run'], { exact: true }).waitFor();
      assert.ok((await page.locator('main a[href*="/addon/reading-time/versions/"]').count()) > 0);
    },
  },
  {
    name: 'a curator features an add-on, orders a collection and adds a replacement',
    async run({ open, suffix }) {
      const page = await open('administrator');
      const visitor = await open('anonymous');
      await page.goto('/admin/featured/');
      const feature = formNamed(page, 'feature-addon');
      await feature.locator('[name=addon]').fill('reading-time');
      await feature.locator('[name=locale]').fill(suffix === 'a' ? 'fr' : 'it');
      assert.equal(await send(page, feature), 200);
      await shows(page, /is featured: /);

      await page.goto('/admin/collections/');
      const path = `curated-${suffix}`;
      const collection = formNamed(page, 'collection-add');
      await collection.locator('[name=path]').fill(path);
      await collection.locator('[name=guids]').fill('tab-notes@demo.example\nreading-time@demo.example');
      assert.equal(await send(page, collection), 200);
      await page.goto(`/admin/collections/edit/?path=${path}`);
      assert.equal(await follow(page, page.locator('button[name=up]').first()), 200);
      await visitor.goto(`/collections/${path}/`);
      const cards = visitor.locator('main a[href$="/addon/tab-notes/"], main a[href$="/addon/reading-time/"]');
      assert.match((await cards.first().getAttribute('href')) ?? '', /\/addon\/reading-time\/$/);

      await page.goto('/admin/replacements/');
      const replacement = formNamed(page, 'replacement-add');
      const guid = `legacy-${suffix}@curated.example`;
      await replacement.locator('[name=guid]').fill(guid);
      await replacement.locator('[name=path]').fill(`/collections/${path}/`);
      assert.equal(await send(page, replacement), 200);
      await shows(page, en['done.replacement-add']);
      await visitor.goto(`/replacements/?guid=${guid}`);
      assert.ok((await visitor.locator('main a[href$="/addon/reading-time/"]').count()) > 0);
    },
  },
];
