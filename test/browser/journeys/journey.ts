import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Account } from '../accounts.ts';
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
    act(),
  ]);
  await page.waitForLoadState('load');
  return response.status();
}

const LOOK_MS = 100;
const LIMIT_MS = 30_000;

/** Waits until the condition holds. @throws {AssertionError} if it does not within half a minute. */
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
