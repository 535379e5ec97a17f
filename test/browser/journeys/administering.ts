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
      assert.equal(await page.locator('main a[href="/addon/reading-time/"]').count(), 1);
      assert.equal(await send(page, formNamed(page, 'retry-job')), 200);
      await shows(page, en['done.retry-job']);
      assert.equal(await page.locator(`main a[href="/admin/jobs/${number}/"]`).count(), 0);
    },
  },
];
