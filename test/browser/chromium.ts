import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { findProgram } from '../support/find-program.ts';

/**
 * Path of the distribution's Chromium, or null if it is not installed. The one without windows takes half of the processor time of
 * the whole browser.
 */
export const findChromium = async (): Promise<string | null> =>
  (await findProgram('chromium-headless-shell')) ?? (await findProgram('chromium'));

/** Starts the browser without a window. Its host names resolve only on this machine. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  });
}

/** Opens a context whose pages may load nothing from other sites. What goes wrong in it is added to `problems`. */
export async function openContext(
  browser: Browser,
  { origin, problems, ...options }: BrowserContextOptions & { origin: string; problems: string[] },
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US', viewport: DESKTOP, ...options, baseURL: origin });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(REPORT_VIOLATIONS);
  const add = (problem: string) => {
    if (!problems.includes(problem)) problems.push(problem);
  };
  context.on('weberror', (error) => add(`script error on ${error.page()?.url()}: ${error.error().stack}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith(FAILED_LOAD))
      add(`console of ${message.page()?.url()}: ${message.text()}`);
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !LOCAL_SCHEME.test(url)) add(`foreign request to ${url}`);
  });
  context.on('response', (response) => {
    const status = response.status();
    const isPage = response.request().isNavigationRequest();
    // A page may refuse a request; nothing that it loads may be missing.
    if (isPage ? status >= 500 : status >= 400)
      add(`${response.request().method()} ${response.url()} returned ${status}`);
  });
  return context;
}

/** Size of a window in CSS pixels. */
export const DESKTOP = { width: 1280, height: 900 };
export const TABLET = { width: 768, height: 900 };
export const PHONE = { width: 320, height: 640 };

const TIMEOUT_MS = 90_000;
/** Chromium's message about a status of 400 or more; the statuses are judged by themselves. */
const FAILED_LOAD = 'Failed to load resource';
const LOCAL_SCHEME = /^(?:data|blob|about):/;

/** Violations that Chromium only sends to the report address. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('CSP violation: ' + event.violatedDirective + ' by ' + (event.blockedURI || event.sourceFile)));`;
