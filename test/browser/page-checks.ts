/* The checks that every page has to pass. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { DESKTOP, PHONE, TABLET } from './chromium.ts';
import { keyboardProblems } from './keyboard.ts';
import { budgetProblems, layoutShifts, loadMeasured, overflowing, PAGE_BUDGET } from './loading.ts';

/** A page to check. */
export interface Visit {
  path: string;
  /** Name of the files of its screenshots. */
  name: string;
  /** Whether no budget holds. */
  isHuge: boolean;
  /** Expected status. */
  status: number;
  /** Whether it is visited in all languages and colours; otherwise in English and light only. */
  isWhole: boolean;
}

/** The browser crashes on taller pictures, in CSS pixels. */
const TALLEST = 10_000;

interface Setting {
  /** Folder for screenshots; null for none. */
  screenshots: string | null;
  problems: string[];
}

/** Visits an address in all forms. What is wrong is added to `problems`. */
export async function checkPage(page: Page, visit: Visit, setting: Setting): Promise<void> {
  const { problems } = setting;
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
  await checkLoading(page, visit, problems);
  await takeScreenshots(page, visit, setting);
  await checkLayout(page, 'in English', problems);
  await page.setViewportSize(DESKTOP);
  // What a closed element hides is checked too.
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('details')) element.open = true;
  });
  add(problems, 'light', await axeViolations(page));
  if (!visit.isWhole) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  add(problems, 'dark', await axeViolations(page, { isSeen: true }));
  add(problems, 'keyboard', await keyboardProblems(page));
  await checkTranslations(page, visit, setting);
}

function add(problems: string[], where: string, found: readonly string[]): void {
  problems.push(...found.map((problem) => `${where}: ${problem}`));
}

async function checkLoading(page: Page, visit: Visit, problems: string[]): Promise<void> {
  const loading = await loadMeasured(page, visit.path);
  if (loading.status !== visit.status) problems.push(`${visit.path} returned ${loading.status}, not ${visit.status}`);
  if (!visit.isHuge) add(problems, 'budget', budgetProblems(loading, PAGE_BUDGET));
  problems.push(...(await lastingShifts(page)));
}

/** Loads of a page whose layout shifts, before they count. */
const LOADS = 3;

/**
 * The layout shifts of a page that has some at every load. A browser that is short of time draws the page in the middle of its
 * header or footer, whose parts then move once; shifts of the page itself come back.
 */
async function lastingShifts(page: Page): Promise<string[]> {
  let shifts = await layoutShifts(page);
  for (let load = 1; load < LOADS && shifts.length > 0; load++) {
    await page.reload();
    shifts = await layoutShifts(page);
  }
  return shifts;
}

/** Tables whose rows are blocks in narrow windows, and which scroll sideways all the same. */
const scrollingBlocks = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.data-table:has(> .stacked)')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((box) => `the table ${box.getAttribute('aria-labelledby')} scrolls sideways`),
  );

/** Neither a narrow window nor large text may need sideways scrolling. */
async function checkLayout(page: Page, language: string, problems: string[]): Promise<void> {
  await page.setViewportSize(PHONE);
  add(problems, `320 px, ${language}`, await overflowing(page));
  add(problems, `320 px, ${language}`, await scrollingBlocks(page));
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  add(problems, `320 px with text of 200 %, ${language}`, await overflowing(page));
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
}

async function checkTranslations(page: Page, visit: Visit, setting: Setting): Promise<void> {
  const { problems } = setting;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(inLanguage(visit.path, 'de'));
  await checkLayout(page, 'in German', problems);
  await page.setViewportSize(DESKTOP);
  await page.goto(inLanguage(visit.path, 'he'));
  const direction = await page.evaluate(() => getComputedStyle(document.documentElement).direction);
  if (direction !== 'rtl') problems.push(`the Hebrew page is ${direction}`);
  await screenshot(page, visit, 'hebrew', setting);
  add(problems, 'Hebrew', await axeViolations(page));
  await checkLayout(page, 'in Hebrew', problems);
}

function inLanguage(path: string, language: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
}

async function takeScreenshots(page: Page, visit: Visit, setting: Setting): Promise<void> {
  if (setting.screenshots === null) return;
  for (const size of [PHONE, TABLET, DESKTOP]) {
    await page.setViewportSize(size);
    await screenshot(page, visit, String(size.width), setting);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await screenshot(page, visit, 'dark', setting);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function screenshot(page: Page, { name }: Visit, variant: string, { screenshots }: Setting): Promise<void> {
  if (screenshots === null) return;
  const { width, height } = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return { width: scrollWidth, height: scrollHeight };
  });
  const clip = { x: 0, y: 0, width, height: Math.min(height, TALLEST) };
  await page.screenshot({ path: join(screenshots, `${name}-${variant}.png`), fullPage: true, clip });
}
