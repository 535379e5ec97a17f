/*
 * The pages in Chromium, on a running demo: the checks of every page, a crawl as each role, and journeys with and without
 * scripts. Prints one line per check and exits with 1 if one fails, or with 69 if the browser is not installed.
 * Usage: node test/browser/run.ts [--screenshots FOLDER] [--only pages,crawl,journeys] [--match PATTERN] [--url URL]
 * `--url` names a running demo, instead of a new one.
 */
import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findChromium, launchChromium } from './chromium.ts';
import { hostileLines } from './hostile.ts';
import { openReport } from './report.ts';
import { signInAll } from './roles.ts';
import { attachDemo, startDemo } from './service.ts';
import { runCrawl } from './suite-crawl.ts';
import { runJourneys } from './suite-journeys.ts';
import { runPages } from './suite-pages.ts';

const UNAVAILABLE = 69;

const { values } = parseArgs({
  options: {
    screenshots: { type: 'string' },
    only: { type: 'string', default: 'pages,crawl,journeys' },
    match: { type: 'string', default: '' },
    url: { type: 'string' },
  },
});

const program = await findChromium();
if (program === null) {
  console.log('skipped: no chromium');
  process.exit(UNAVAILABLE);
}
if (values.screenshots !== undefined) await mkdir(values.screenshots, { recursive: true });
const suites = values.only.split(',');
const report = openReport(new RegExp(values.match));
const service = values.url === undefined ? await startDemo() : attachDemo(values.url);
try {
  const browser = await launchChromium(program);
  try {
    await service.importLines(hostileLines());
    const problems: string[] = [];
    const cookies = await signInAll(browser, service.url, problems);
    await report.check('every role signs in', async (found) => void found.push(...problems));
    const setting = { service, browser, cookies, report, screenshots: values.screenshots ?? null };
    if (suites.includes('pages')) await runPages(setting);
    if (suites.includes('crawl')) await runCrawl(setting);
    if (suites.includes('journeys')) await runJourneys(setting);
  } finally {
    await browser.close();
  }
} finally {
  const log = await service.close(report.failed.length > 0);
  if (log !== null) console.log(`Kept: ${log}`);
}
console.log(`${report.passed} passed, ${report.failed.length} failed`);
process.exit(report.failed.length === 0 ? 0 : 1);
