import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Account } from '../accounts.ts';
import { axeViolations } from '../axe.ts';
import type { Role } from '../roles.ts';
import type { Setting } from '../setting.ts';

/** A visitor of the pages. */
export interface Traveller {
  /** Creates an account that no other journey uses; with a group, a reviewer of extensions. */
  account(group?: 'reviewer'): Promise<Account>;
  /** A page of a new browser, signed in with a session of its own. Journeys that write use accounts of their own. */
  open(visitor: Role | Account, options?: { locale?: string }): Promise<Page>;
  /** Whether scripts run. */
  hasScripts: boolean;
  /** Differs between the runs of a journey, for names that must be new. */
  suffix: string;
  setting: Setting;
}

/** A task that a visitor completes. */
export interface Journey {
  name: string;
  /** True if the task is about something that scripts add. */
  needsScripts?: true;
  /** Whether no other journey may run at the same time. */
  isAlone?: true;
  /** Refusals that belong to the task, as the problems say. */
  expects?: RegExp;
  run(traveller: Traveller): Promise<void>;
}

/** The form with this name in the table of forms. */
export function formNamed(page: Page, name: string): Locator {
  return page.locator('form', { has: page.locator(`input[name=form][value="${name}"]`) });
}

/** Presses the button of a form and waits for the page that follows. Returns its status. */
export async function send(page: Page, form: Locator): Promise<number> {
  return follow(page, form.locator('button[type=submit], button:not([type])').last());
}

/** Clicks something that opens a page. Returns the status of the page. */
export const follow = (page: Page, control: Locator): Promise<number> => openedBy(page, () => control.click());

/** Does what opens a page. Returns the status of the page. */
export async function openedBy(page: Page, act: () => Promise<void>): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.request().isNavigationRequest() && ![301, 302, 303].includes(each.status())),
    page.waitForEvent('load'),
    act(),
  ]);
  return response.status();
}

/** The most presses that lead to a control. */
const MOST_PRESSES = 300;

/** Presses a key until the control, or one of a group of radio buttons, has the focus. */
export async function reach(page: Page, control: Locator, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    await page.keyboard.press(key);
    if (await control.evaluateAll((elements) => elements.some((each) => each === document.activeElement))) return;
  }
  assert.fail(`${key} does not lead to ${control} of ${page.url()}`);
}

/** Opens what a link or button opens, by keyboard. Returns the status of the page. */
export async function followByKeys(page: Page, control: Locator): Promise<number> {
  await reach(page, control);
  return openedBy(page, () => page.keyboard.press('Enter'));
}

/**
 * Fills in a form and sends it, by keyboard. `values` has the texts, and the values of options, by the name of the field in the order of
 * the form; an empty one means that a box is not checked. Returns the status of the page that follows.
 */
export async function sendByKeys(page: Page, form: Locator, values: Readonly<Record<string, string>>): Promise<number> {
  for (const [name, value] of Object.entries(values)) {
    const field = form.locator(`[name="${name}"]`);
    await reach(page, field);
    await enterByKeys(page, field, value);
  }
  return followByKeys(page, form.locator('button[type=submit], button:not([type])').last());
}

/** Enters a value into the field that has the focus. */
async function enterByKeys(page: Page, field: Locator, value: string): Promise<void> {
  const type = await field.first().evaluate((element) => (element as HTMLInputElement).type);
  if (type === 'checkbox') {
    if ((await field.isChecked()) !== (value !== '')) await page.keyboard.press('Space');
  } else if (type === 'radio') {
    const focused = page.locator(':focus');
    await page.keyboard.press('Space');
    for (let at = 0; (await focused.inputValue()) !== value; at++) {
      assert.ok(at < (await field.count()), `no option ${value} of ${field}`);
      await page.keyboard.press('ArrowDown');
    }
  } else if (type === 'select-one') {
    await page.keyboard.press('Home');
    for (let at = 0; (await field.inputValue()) !== value; at++) {
      assert.ok(at < MOST_PRESSES, `no option ${value} of ${field}`);
      await page.keyboard.press('ArrowDown');
    }
  } else {
    await page.keyboard.press('Control+A');
    await page.keyboard.type(value);
  }
}

/** @throws {AssertionError} for violations of accessibility rules. The rules run only where scripts do. */
export async function isAccessible(page: Page, { hasScripts }: Pick<Traveller, 'hasScripts'>): Promise<void> {
  if (hasScripts) assert.deepEqual(await axeViolations(page), [], page.url());
}

/** Waits until the outbox has a mail with this text to an account. */
export async function getsMail({ open }: Traveller, { email }: Account, text: string): Promise<void> {
  const operator = await open('administrator');
  await eventually(async () => {
    await operator.goto(`/admin/mail/?to=${encodeURIComponent(email)}`);
    return (await operator.locator('tbody a').count()) > 0;
  });
  assert.equal(await follow(operator, operator.locator('tbody a').first()), 200);
  await shows(operator, text);
}

const LOOK_MS = 100;
const LIMIT_MS = 90_000;

/** Waits until the condition holds. @throws {AssertionError} if it does not within a minute and a half. */
export async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `after ${LIMIT_MS} ms, this does not hold: ${condition}`);
    await setTimeout(LOOK_MS);
  }
}

/** @throws {AssertionError} unless the page contains the text. */
export async function shows(page: Page, text: string | RegExp): Promise<void> {
  const content = await page.locator('body').innerText();
  if (typeof text === 'string') assert.ok(content.includes(text), `${page.url()} does not show ${text}:\n${content}`);
  else assert.match(content, text);
}

/** Fetches a file as the page's visitor. */
export async function download(page: Page, href: string): Promise<Buffer> {
  const response = await page.request.get(href);
  assert.equal(response.status(), 200, href);
  return response.body();
}

/** Verifies a signed file with the command of the operator's program, as a visitor of the help does. */
export async function verify(bytes: Buffer, { setting }: Traveller): Promise<string> {
  return inFolder(async (folder) => {
    const file = join(folder, 'addon.xpi');
    await writeFile(file, bytes);
    return setting.service.run('verify', file);
  });
}

/** Runs `work` with a folder that is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'addons-journey-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
