/*
 * The pages in Chromium, on a running demo: the checks of every page, a crawl as each role, and journeys with and without
 * scripts. Prints one line per check and exits with 1 if one fails, or with 69 if the browser is not installed.
 * Usage: node test/browser/run.ts [--screenshots FOLDER] [--only pages,crawl,journeys] [--match PATTERN]
 *        [--url URL --data-dir FOLDER]
 * `--url` and `--data-dir` name a running demo and its data, instead of a new one. It needs `SUPER_CREATE=true RATE_LIMITS=off`.
 */
import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findChromium, launchChromium } from './chromium.ts';
import { hostileLines, writeHostileTexts } from './hostile.ts';
import { openReport } from './report.ts';
import { authorizationOf, signInAll } from './roles.ts';
import { attachDemo, startDemo } from './service.ts';
import { runCrawl } from './suite-crawl.ts';
import { runJourneys } from './suite-journeys.ts';
import { runPages } from './suite-pages.ts';

const UNAVAILABLE = 69;

const started = performance.now();
/** What the time of the run was spent on. */
const durations: string[] = [];

/** Runs a part of the run and notes its duration. */
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  durations.push(`${name} ${Math.round((performance.now() - begin) / 1000)} s`);
  return result;
}

const { values } = parseArgs({
  options: {
    screenshots: { type: 'string' },
    only: { type: 'string', default: 'pages,crawl,journeys' },
    match: { type: 'string', default: '' },
    url: { type: 'string' },
    'data-dir': { type: 'string' },
  },
});
const { url, 'data-dir': dataDir } = values;
if ((url === undefined) !== (dataDir === undefined)) {
  console.error('--url and --data-dir belong together: the address of a running demo, and the folder of its data.');
  process.exit(2);
}

const program = await findChromium();
if (program === null) {
  console.log('skipped: no chromium');
  process.exit(UNAVAILABLE);
}
if (values.screenshots !== undefined) await mkdir(values.screenshots, { recursive: true });
const suites = values.only.split(',');
const report = openReport(new RegExp(values.match));
const service = url === undefined || dataDir === undefined ? await timed('start', startDemo) : attachDemo(url, dataDir);
try {
  const browser = await launchChromium(program);
  try {
    const problems: string[] = [];
    const [cookies] = await Promise.all([
      signInAll(browser, service.url, problems),
      service.importLines(hostileLines()),
    ]);
    await writeHostileTexts(service.url, authorizationOf(cookies.administrator));
    await report.check('every role signs in', async (found) => void found.push(...problems));
    const setting = { service, browser, cookies, report, screenshots: values.screenshots ?? null };
    // Both only read, and the crawl uses no browser.
    await Promise.all([
      suites.includes('pages') && timed('pages', () => runPages(setting)),
      suites.includes('crawl') && timed('crawl', () => runCrawl(setting)),
    ]);
    if (suites.includes('journeys')) await timed('journeys', () => runJourneys(setting));
  } finally {
    await browser.close();
  }
} finally {
  const log = await service.close(report.failed.length > 0);
  if (log !== null) console.log(`Kept: ${log}`);
}
console.log(`${Math.round((performance.now() - started) / 1000)} s: ${durations.join(', ')}`);
console.log(`${report.passed} passed, ${report.failed.length} failed`);
process.exit(report.failed.length === 0 ? 0 : 1);
