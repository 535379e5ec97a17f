import { setHeaders } from '../http/headers.ts';
import type { EventStream } from './page.ts';
import type { PageContext } from './page-context.ts';

/** Time between comments that keep proxies from closing an idle stream. */
const HEARTBEAT_MS = 15_000;

/** Sends events until they end or the client disconnects. */
export async function sendEvents({ request, response, context }: PageContext, { open }: EventStream): Promise<void> {
  const events = await open(context);
  setHeaders(response, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Compression would hold events back.
    'Cache-Control': 'no-store, no-transform',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  });
  // The client may have disconnected already, and `close` is emitted once.
  if (request.method === 'HEAD' || response.destroyed) {
    await events.return?.();
    return void response.end();
  }
  response.flushHeaders();
  const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
  response.once('close', () => void events.return?.());
  try {
    // Browsers open the stream again after its end, unless the page has closed it, as `live.js` does once the process is complete.
    for await (const data of events) response.write(`data: ${data}\n\n`);
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}
