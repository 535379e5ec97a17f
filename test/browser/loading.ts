import type { Page } from 'playwright-core';

/** What a page transferred while it was loaded, in bytes after compression and with headers. Pictures do not count. */
export interface Loading {
  bytes: number;
  styles: number;
  scripts: number;
  requests: number;
}

const KB = 1000;
/** Limits of a page. */
export const PAGE_BUDGET: Loading = { bytes: 60 * KB, styles: 16 * KB, scripts: 20 * KB, requests: 6 };

const UNCOUNTED = new Set(['Image', 'Media', 'EventSource']);

/** Loads an address without a cache and measures it. Returns also the status of the response. */
export async function loadMeasured(page: Page, path: string): Promise<Loading & { status: number }> {
  const session = await page.context().newCDPSession(page);
  const types = new Map<string, string>();
  const total: Loading = { bytes: 0, styles: 0, scripts: 0, requests: 0 };
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  session.on('Network.responseReceived', ({ requestId, type, response }) =>
    types.set(requestId, response.mimeType.startsWith('image/') ? 'Image' : type),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    add(total, types.get(requestId) ?? '', encodedDataLength),
  );
  const response = await page.goto(path, { waitUntil: 'load' });
  await settle(page);
  await session.detach();
  return { ...total, status: response?.status() ?? 0 };
}

function add(total: Loading, type: string, length: number): void {
  if (UNCOUNTED.has(type)) return;
  total.requests += 1;
  total.bytes += length;
  if (type === 'Stylesheet') total.styles += length;
  if (type === 'Script') total.scripts += length;
}

/** Waits until modules ran and two frames were drawn. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** The limits that a page exceeds. */
export function budgetProblems(loading: Loading, budget: Loading): string[] {
  return (Object.keys(budget) as (keyof Loading)[])
    .filter((key) => loading[key] > budget[key])
    .map((key) => `${key}: ${loading[key]}, at most ${budget[key]}`);
}

/** The layout shifts since the page was opened, with their score and element (Layout Instability, W3C draft). */
export function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const found: string[] = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] };
            // As the score is usually reported, with two digits: rows of cards grow while a long page arrives.
            if (value < 0.005) continue;
            const [node] = sources.flatMap((source) => source.node ?? []);
            const element = node instanceof Element ? node : node?.parentElement;
            found.push(`layout shift ${value.toFixed(5)}: ${element?.outerHTML.replace(/\s+/g, ' ').slice(0, 150)}`);
          }
        }).observe({ type: 'layout-shift', buffered: true });
        // Buffered entries are delivered in a task of their own.
        setTimeout(() => resolve(found), 20);
      }),
  );
}

/** Elements that make the page wider than its window. Empty if there is no sideways scrolling. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = window.innerWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const isScrolling = (element: Element) => getComputedStyle(element).overflowX !== 'visible';
    const isOutside = (element: Element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > width + 0.5 || left < -0.5;
    };
    const isOverfull = (element: Element) => element.scrollWidth > element.clientWidth + 1 && !isScrolling(element);
    const hasBox = (element: Element): boolean =>
      element.parentElement !== null && (isScrolling(element.parentElement) || hasBox(element.parentElement));
    const wide = [...document.body.querySelectorAll('*')].filter(
      (each) => (isOutside(each) || isOverfull(each)) && !hasBox(each),
    );
    const innermost = wide.filter((element) => !wide.some((other) => other !== element && element.contains(other)));
    return [
      `scrollWidth ${document.documentElement.scrollWidth} of ${width}`,
      ...innermost.slice(0, 3).map(({ outerHTML }) => outerHTML.replace(/\s+/g, ' ').slice(0, 200)),
    ];
  });
}
