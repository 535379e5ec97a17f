/*
 * The pictures of the README, of pages of a running demo in light and dark. Exits with 69 if the browser is not installed.
 * Usage: node test/browser/pictures.ts [--url URL]
 * `--url` names a running demo, instead of a new one.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { findChromium, launchChromium, openContext } from './chromium.ts';
import { type Role, signIn } from './roles.ts';
import { startDemo } from './service.ts';

const UNAVAILABLE = 69;
const FOLDER = join(import.meta.dirname, '../../docs/img');
const WINDOW = { width: 1120, height: 760 };
/** Pictures have few colours, so that they stay small. */
const COLOURS = 128;

interface Picture {
  name: string;
  path: string;
  colorScheme: 'light' | 'dark';
  role: Role;
  /** What the picture starts with, as a selector; default the top of the page. */
  from?: string;
}

/** A browser that the add-ons of the demo are made for. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const PICTURES: readonly Picture[] = [
  { name: 'start-page', path: '/', colorScheme: 'light', role: 'anonymous' },
  { name: 'add-on', path: '/addon/tabs-finder/', colorScheme: 'dark', role: 'anonymous' },
  {
    name: 'statistics',
    path: '/addon/hebrew-calendar/statistics/?days=90',
    colorScheme: 'light',
    role: 'anonymous',
    from: 'h1',
  },
  { name: 'developer', path: '/developers/', colorScheme: 'dark', role: 'developer' },
];

const { values } = parseArgs({ options: { url: { type: 'string' } } });
const program = await findChromium();
if (program === null) {
  console.log('skipped: no chromium');
  process.exit(UNAVAILABLE);
}
const service = values.url === undefined ? await startDemo() : { url: values.url, close: async () => null };
const problems: string[] = [];
try {
  const browser = await launchChromium(program);
  try {
    await mkdir(FOLDER, { recursive: true });
    for (const picture of PICTURES) await take(browser, picture);
  } finally {
    await browser.close();
  }
} finally {
  await service.close(false);
}
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);

/** Writes one picture as `docs/img/<name>.png`. */
async function take(browser: Browser, { name, path, colorScheme, role, from }: Picture): Promise<void> {
  const storageState = await signIn(browser, service.url, role, problems);
  const context = await openContext(browser, {
    ...{ origin: service.url, problems, viewport: WINDOW, colorScheme, storageState, userAgent: USER_AGENT },
  });
  try {
    const page = await context.newPage();
    const response = await page.goto(path, { waitUntil: 'networkidle' });
    if (response?.status() !== 200) problems.push(`${path} returned ${response?.status()}`);
    if (from !== undefined) await page.locator(from).evaluate((element) => element.scrollIntoView());
    const png = await sharp(await page.screenshot())
      .png({ palette: true, colours: COLOURS, effort: 10 })
      .toBuffer();
    await writeFile(join(FOLDER, `${name}.png`), png);
    console.log(`docs/img/${name}.png: ${Math.ceil(png.length / 1024)} KB`);
  } finally {
    await context.close();
  }
}
