/** The child's side of a process pool. It imports nothing: the linter process may read no other module of this service. */

/** A message to the child. `id` counts the requests of the process. */
export interface ProcessRequest {
  id: number;
  request: unknown;
}

/**
 * A message from the child: `ready` once, and for each request `reply` and then `idle`, when garbage is collected. `rss` is
 * the memory still held, in bytes.
 */
export type ProcessResponse =
  | { kind: 'ready' }
  | { kind: 'reply'; id: number; reply: unknown }
  | { kind: 'idle'; id: number; rss: number };

/** Serves requests until the parent ends. A rejection of `handle` ends the process, a crash for the parent. */
export function serveRequests<Payload>(handle: (request: Payload) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', async ({ id, request }: ProcessRequest) => {
    send({ kind: 'reply', id, reply: await handle(request as Payload) });
    // With --expose-gc the process stays near its initial size.
    globalThis.gc?.();
    send({ kind: 'idle', id, rss: process.memoryUsage.rss() });
  });
  send({ kind: 'ready' });
}

/** When the channel is closed, `disconnect` ends the process. */
function send(response: ProcessResponse): void {
  process.send?.(response, undefined, undefined, () => {});
}
