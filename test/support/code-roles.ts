/* Roles that open pages of code, and which of them read versions that wait for review. */
import type { Browser, Response as Loaded, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Viewer } from '../../src/auth/viewer.ts';
import { openContext } from '../browser/chromium.ts';
import type { TestApp } from './app.ts';
import { makePeople } from './authorization/people.ts';
import { fetchCode } from './code-pages.ts';
import { documentOf } from './pages.ts';

const RULES = {
  visitor: null,
  account: [],
  author: [],
  reviewer: ['Addons:Review'],
  contentReviewer: ['Addons:ContentReview'],
  postReviewer: ['Addons:PostReview'],
  unlistedReviewer: ['Addons:ReviewUnlisted'],
  themeReviewer: ['Addons:ThemeReview'],
  editor: ['Addons:Edit'],
  moderator: ['AbuseReports:Edit'],
  curator: ['Admin:Curation'],
  administrator: ['*:*'],
} as const;
export type Role = keyof typeof RULES;
export const ROLES = Object.keys(RULES) as Role[];

const LISTED = ['author', 'reviewer', 'contentReviewer', 'postReviewer', 'administrator'] as const;
const UNLISTED = ['author', 'unlistedReviewer', 'administrator'] as const;
/** Those who read an extension that waits for review, by its channel. */
export const READERS = { listed: LISTED, unlisted: UNLISTED };
export type Channel = keyof typeof READERS;
export const CHANNELS = Object.keys(READERS) as Channel[];

export const mayRead = (channel: Channel, role: Role): boolean => (READERS[channel] as readonly Role[]).includes(role);

export interface Opened {
  status: number;
  headers: Headers;
  text: string;
}

export interface CodeRoles {
  authorId: number;
  viewers: Readonly<Record<Role, Viewer>>;
  /** The session cookie; none of visitors. */
  sessionOf(role: Role): string | undefined;
  open(role: Role, path: string, query?: Record<string, string>): Promise<Opened>;
}

/** Accounts with the rules of the roles, and their sessions. */
export async function makeCodeRoles(app: TestApp): Promise<CodeRoles> {
  const { openLabelledSession } = await import('../../src/domain/sessions/open-session.ts');
  const { ids, viewers } = await makePeople(app, RULES);
  const sessions = new Map<Role, string>();
  for (const role of ROLES) {
    if (role === 'visitor') continue;
    const { pageSession } = await openLabelledSession(ids[role], role, { ip: null, locale: 'en-US', previous: null });
    sessions.set(role, pageSession);
  }
  return {
    authorId: ids.author,
    viewers,
    sessionOf: (role) => sessions.get(role),
    async open(role, path, query = {}) {
      const session = sessions.get(role);
      const headers: Record<string, string> = session === undefined ? {} : { Cookie: `addons_session=${session}` };
      const response = await fetchCode(`${app.url}${path}?${new URLSearchParams(query)}`, headers);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}

/** A page in Chromium whose scripts, dialogs, downloads and reports become `problems`. */
export async function watchedPage(
  browser: Browser,
  { origin, session, problems }: { origin: string; session: string; problems: string[] },
): Promise<Page> {
  const context = await openContext(browser, { origin, problems });
  await context.addCookies([{ name: 'addons_session', value: session, url: origin }]);
  const page = await context.newPage();
  page.on('dialog', (dialog) => {
    problems.push(`dialog on ${page.url()}: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('download', (download) => problems.push(`download of ${download.url()}`));
  return page;
}

/** Opens a path, and checks that its address and its title are those that the service sent. */
export async function openUntouched(page: Page, origin: string, path: string): Promise<Loaded | null> {
  const response = await page.goto(path, { waitUntil: 'load' });
  expect(page.url(), 'no script leads elsewhere').toBe(origin + path);
  const sent = documentOf({ text: (await response?.text()) ?? '' })('title').text();
  expect(await page.title(), path).toBe(sent.trim());
  return response;
}
