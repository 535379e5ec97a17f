import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { PROGRAM } from '../../support/program.ts';
import { download, follow, inFolder, type Journey, shows } from './journey.ts';

/** Public records: numbers of users and the log of signatures. */
export const recordJourneys: readonly Journey[] = [
  {
    name: 'the chart equals the CSV file',
    async run({ open }) {
      const page = await open('developer');
      await page.goto('/addon/hebrew-calendar/statistics/?days=30');
      const href = (await page.locator('a[download][href*=".csv"]').getAttribute('href')) ?? '';
      const lines = (await download(page, href)).toString().trim().split('\r\n').slice(1);
      const csv = lines.map((line) => line.split(','));
      assert.equal(csv.length, 30);

      await page
        .locator('details', { has: page.locator('#days-table') })
        .locator('summary')
        .click();
      const rows = await page
        .locator('[aria-labelledby=days-table] tbody tr')
        .evaluateAll((all) =>
          all.map((row) => [
            row.querySelector('time')?.getAttribute('datetime') ?? '',
            ...[...row.querySelectorAll('td')]
              .slice(-3)
              .map(({ textContent }) => (textContent ?? '').replace(/\D/g, '')),
          ]),
        );
      assert.deepEqual(rows.toReversed(), csv);
      await equalHeights(
        page,
        csv.map(([, , downloads]) => Number(downloads)),
      );
    },
  },
  {
    name: 'a signature is found in the log and checked by the command',
    async run({ open }) {
      const page = await open('anonymous');
      await page.goto('/signing/');
      await follow(page, page.locator('main a[href="/signing/log/"]').first());
      await page.locator('#log-guid').fill('tab-notes@demo.example');
      await page.locator('#log-version').fill('1.1');
      await follow(page, page.locator('main form[role=search] button'));
      await follow(page, page.locator('main td a, main th a').first());
      const command = await page.locator('pre code').first().innerText();
      const { stdout } = await promisify(execFile)('sh', ['-c', command]);
      const hash = stdout.trim().split(/\s/)[0] ?? '';
      assert.match(hash, /^[0-9a-f]{64}$/);
      await shows(page, hash);

      const serial = decodeURIComponent(new URL(page.url()).pathname.split('/')[3] ?? '');
      await page.goto('/addon/tab-notes/');
      const href = (await page.locator('[data-install] a[href*="/downloads/"]').first().getAttribute('href')) ?? '';
      const [file, root] = [await download(page, href), await download(page, '/signing/root.pem')];
      const printed = await inFolder(async (folder) => {
        await writeFile(join(folder, 'file.xpi'), file);
        await writeFile(join(folder, 'root.pem'), root);
        const words = [PROGRAM, 'verify', '--root', 'root.pem', 'file.xpi'];
        return (await promisify(execFile)(process.execPath, words, { cwd: folder })).stdout;
      });
      assert.ok(printed.toLowerCase().includes(serial.toLowerCase()), `${printed} has not ${serial}`);
    },
  },
];

/** The line of the chart of downloads has the heights of the values, up to a common factor. */
async function equalHeights(page: Page, values: number[]): Promise<void> {
  const path = (await page.locator('svg[aria-labelledby="downloads-chart-title"] .chart-line').getAttribute('d')) ?? '';
  const heights = [...path.matchAll(/[ML]\s*[\d.]+[ ,]([\d.]+)/g)].map(([, y]) => Number(y));
  assert.equal(heights.length, values.length, path);
  const [top, bottom] = [Math.max(...heights), Math.min(...heights)];
  const [most, least] = [Math.max(...values), Math.min(...values)];
  for (const [index, value] of values.entries()) {
    const expected = most === least ? top : top - ((value - least) / (most - least)) * (top - bottom);
    assert.ok(Math.abs((heights[index] ?? 0) - expected) <= 0.2, `day ${index}: ${heights[index]}, not ${expected}`);
  }
}
