/*
 * Largest Contentful Paint of a page in Chromium on a slow device, compared with a static file: the same document with its style
 * sheet inside, filled up to the number of bytes that the page transfers.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from '../../test/browser/chromium.ts';
import { loadMeasured } from '../../test/browser/loading.ts';
import { percentile } from '../measure.ts';
import type { Row } from '../report.ts';

const ROUNDS = 9;
const SLOWER = 4;
/** 1.6 Mbit/s, in bytes per second. */
const THROUGHPUT = 200_000;
const GOAL = 1.3;

/** The rows of one page. None if the browser is not installed. */
export async function paintRows(origin: string, path: string): Promise<Row[]> {
  const program = await findChromium();
  if (program === null) return [];
  const browser = await launchChromium(program);
  const { server, url, bytes } = await serveStatic(browser, origin, path);
  try {
    const times: Record<'page' | 'file', number[]> = { page: [], file: [] };
    for (let round = -1; round < ROUNDS; round++) {
      const page = await largestPaint(browser, origin + path);
      const file = await largestPaint(browser, url);
      if (round >= 0) times.page.push(page);
      if (round >= 0) times.file.push(file);
    }
    const [page, file] = [percentile(times.page, 0.5), percentile(times.file, 0.5)];
    return [
      { what: 'add-on page: transferred without pictures', value: bytes / 1000, unit: 'kB', goal: { max: 60 } },
      { what: 'add-on page: LCP, processor 4 times slower, 1.6 Mbit/s', value: page, unit: 'ms' },
      { what: 'static file of equal bytes: LCP', value: file, unit: 'ms' },
      { what: 'LCP, compared with the static file', value: page / file, unit: '×', goal: { max: GOAL } },
    ];
  } finally {
    server.close();
    await browser.close();
  }
}

/** Serves the static file. `bytes`: what the page transfers. */
async function serveStatic(
  browser: Browser,
  origin: string,
  path: string,
): Promise<{ server: Server; url: string; bytes: number }> {
  const page = await browser.newPage({ baseURL: origin });
  const { bytes } = await loadMeasured(page, path);
  await page.close();
  const text = await (await fetch(origin + path)).text();
  const href = /<link rel="stylesheet" href="([^"]+)">/.exec(text)?.[1] ?? '';
  const style = await (await fetch(origin + href)).text();
  const document = text
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace(/<script\b[^>]*><\/script>/g, '')
    .replaceAll(' src="/', ` src="${origin}/`);
  const missing = Math.max(0, bytes - gzipSync(document).length);
  // Random base64 shrinks to three quarters.
  const filler = `<!-- ${randomBytes(missing).toString('base64')} -->`;
  const body = gzipSync(document + filler);
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bytes };
}

/** Milliseconds from the start of the navigation to the largest paint (Largest Contentful Paint, W3C draft), with an empty cache. */
async function largestPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0 },
      ...{ downloadThroughput: THROUGHPUT, uploadThroughput: THROUGHPUT },
    });
    await page.goto(url, { waitUntil: 'load' });
    return await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let last = 0;
          new PerformanceObserver((list) => {
            last = list.getEntries().at(-1)?.startTime ?? last;
          }).observe({ type: 'largest-contentful-paint', buffered: true });
          setTimeout(() => resolve(last), 300);
        }),
    );
  } finally {
    await context.close();
  }
}
