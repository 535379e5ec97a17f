import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openContext } from './chromium.ts';

/** Who visits the pages: nobody in particular, or one of the demo's accounts. */
export const ROLES = {
  anonymous: null,
  developer: 'demo-developer',
  reviewer: 'demo-reviewer',
  administrator: 'demo-admin',
} as const;

export type Role = keyof typeof ROLES;

/** Cookies of a signed-in browser. */
export type Cookies = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

/** Signs in every role on the demo's page. Returns the cookies of each. */
export async function signInAll(browser: Browser, origin: string): Promise<Record<Role, Cookies>> {
  const entries = await Promise.all(
    (Object.keys(ROLES) as Role[]).map(async (role) => [role, await signIn(browser, origin, role)] as const),
  );
  return Object.fromEntries(entries) as Record<Role, Cookies>;
}

/**
 * Signs in a new browser session as the account of a role.
 * @throws {Error} if anything on the way is wrong.
 */
export async function signIn(browser: Browser, origin: string, role: Role): Promise<Cookies> {
  const username = ROLES[role];
  if (username === null) return { cookies: [], origins: [] };
  const problems: string[] = [];
  const context = await openContext(browser, { origin, problems });
  try {
    const page = await context.newPage();
    await page.goto('/login/?next=/');
    await page.locator('main a.button').click();
    await page.locator(`[name=username][value="${username}"]`).click();
    await page.waitForURL((url) => url.pathname === '/');
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return await context.storageState();
  } finally {
    await context.close();
  }
}
