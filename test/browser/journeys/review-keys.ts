/* What reviewers do by the keys of their pages; by Tab and Enter where scripts do not run. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually, openedBy, reach, shows } from './journey.ts';

/** Goes from the page about a version to the first changed line of the first script that differs, a deleted one, and comments there. */
export async function commentByKeys(page: Page, { reach, open, hasScripts }: Moves, text: string): Promise<void> {
  await reach('j', page.locator('main .link-list a[href*="/compare/"]').first());
  await open('Enter', null);
  await reach('n', page.locator('tr.deleted th a'));
  if (hasScripts) {
    await reach('m', page.locator('.code-note .message-list > li'));
    await reach('p', page.locator('tr.deleted th a'));
  }
  await open('c', page.locator('tr.inserted .code-action a'));
  const field = page.locator('form#line-comment textarea');
  if (hasScripts) await eventually(() => field.evaluate((element) => element === document.activeElement));
  else await reach('Tab', field);
  await page.keyboard.type(text);
  await reach('Tab', page.locator('form#line-comment button'));
  await open('Enter', null);
  await shows(page, text);
}

/** Decides on the page about a version. `place` is that of the decision in its list. */
export async function decideByKeys(
  page: Page,
  { reach, open }: Moves,
  { place, comments }: { place: number; comments: string },
): Promise<void> {
  const form = page.locator('form#review-decision');
  await reach('d', form.locator('[name=decision]').first());
  for (let at = 0; at < place; at++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await reach('Tab', form.locator('textarea'));
  await page.keyboard.type(comments);
  await reach('Tab', form.locator('.form-actions button').first());
  await open('Enter', null);
  await shows(page, comments);
}

type Moves = ReturnType<typeof movesOf>;

/** Moves of a keyboard: by the keys of the pages, and by Tab where scripts do not run. */
export function movesOf(page: Page, hasScripts: boolean) {
  const press = async (keys: string) => {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
  };
  /** Presses a key of the pages until the control has the focus. */
  const reachBy = (key: string, control: Locator) => reach(page, control, hasScripts ? key : 'Tab');
  /** Presses the keys that open a page. Without scripts, the enter key does that on the link that they follow. */
  const open = async (keys: string, link: Locator | null) => {
    if (!hasScripts && link !== null) await reach(page, link);
    assert.equal(await openedBy(page, () => press(hasScripts || link === null ? keys : 'Enter')), 200);
  };
  return { reach: reachBy, open, hasScripts };
}
