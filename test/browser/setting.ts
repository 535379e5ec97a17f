import type { Browser } from 'playwright-core';
import type { Report } from './report.ts';
import type { Cookies, Role } from './roles.ts';
import type { DemoService } from './service.ts';

/** What every suite works with. */
export interface Setting {
  service: DemoService;
  browser: Browser;
  /** Cookies of a signed-in browser for each role. */
  cookies: Record<Role, Cookies>;
  report: Report;
  /** Folder for screenshots; null for none. */
  screenshots: string | null;
}
