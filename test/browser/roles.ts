import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openContext } from './chromium.ts';

/** Visitors of the pages: anonymous, or one of the demo's accounts. */
export const ROLES = {
  anonymous: null,
  developer: 'demo-developer',
  reviewer: 'demo-reviewer',
  administrator: 'demo-admin',
  moderator: 'demo-moderator',
  user: 'demo-user',
} as const;

export type Role = keyof typeof ROLES;

/** Cookies of a signed-in browser. */
export type Cookies = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

/** Signs in every role on the demo's page. Returns the cookies of each. */
export async function signInAll(browser: Browser, origin: string, problems: string[]): Promise<Record<Role, Cookies>> {
  const entries = (Object.keys(ROLES) as Role[]).map(
    async (role) => [role, await signIn(browser, origin, role, problems)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Record<Role, Cookies>;
}

/** Signs in a new browser session as the account of a role. What goes wrong on the way is added to `problems`. */
export async function signIn(browser: Browser, origin: string, role: Role, problems: string[]): Promise<Cookies> {
  const username = ROLES[role];
  if (username === null) return { cookies: [], origins: [] };
  const context = await openContext(browser, { origin, problems });
  try {
    const page = await context.newPage();
    await page.goto('/login/?next=/');
    await page.locator('main a.button').click();
    await page.locator(`[name=username][value="${username}"]`).click();
    await page.waitForURL((url) => url.pathname === '/');
    return await context.storageState();
  } catch (error) {
    problems.push(`${username} cannot sign in: ${error}`);
    return { cookies: [], origins: [] };
  } finally {
    await context.close();
  }
}

/** The Cookie header of requests to pages. */
export const cookieHeader = ({ cookies }: Cookies): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ');

/** The Authorization header of requests to the API; null for anonymous clients. */
export function authorizationOf({ cookies }: Cookies): string | null {
  const token = cookies.find(({ name }) => name === 'frontend_auth_token')?.value;
  return token === undefined ? null : `Bearer ${token}`;
}
