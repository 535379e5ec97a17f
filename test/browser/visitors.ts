/*
 * Browser pages that open one address after the other. A context of its own for each check would cost more time than many of
 * the checks.
 */
import type { Browser, Page } from 'playwright-core';
import { openContext } from './chromium.ts';
import type { Cookies, Role } from './roles.ts';

/** A page that only one check uses at a time. */
export interface Visitor {
  page: Page;
  /** What went wrong in it since the check began. */
  problems: string[];
}

/** The visitors of a run. */
export interface Visitors {
  /** Lends a page of a role to `work`, and adds what goes wrong in it to `problems`. */
  lend(role: Role, problems: string[], work: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Opens pages when they are needed, with the cookies of their role. */
export function openVisitors(browser: Browser, origin: string, cookies: Record<Role, Cookies>): Visitors {
  const idle = new Map<Role, Visitor[]>();
  const open = async (role: Role): Promise<Visitor> => {
    const problems: string[] = [];
    const options = { origin, problems, storageState: cookies[role], reducedMotion: 'reduce' as const };
    const context = await openContext(browser, options);
    return { page: await context.newPage(), problems };
  };
  return {
    lend: async (role, problems, work) => {
      const visitor = idle.get(role)?.pop() ?? (await open(role));
      let isUsable = false;
      try {
        await work(visitor.page);
        isUsable = true;
      } finally {
        problems.push(...visitor.problems.splice(0));
        if (isUsable) idle.set(role, [...(idle.get(role) ?? []), visitor]);
        else await visitor.page.context().close();
      }
    },
    close: async () => {
      for (const { page } of [...idle.values()].flat()) await page.context().close();
    },
  };
}
