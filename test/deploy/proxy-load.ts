import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiKey, authorization, uploadForm, versionPath } from '../crash/support/signing-client.ts';
import { WATCHED } from '../crash/support/watched-addon.ts';
import { xpi } from '../support/packages.ts';
import { pathOf, queryFor } from '../support/updates.ts';
import { type Answer, send } from './proxy-client.ts';
import type { ProxyProcess } from './proxy-processes.ts';

const READERS = 2;
const PAUSE_MS = 20;

/** Numbers by what happened: a status, or the message of an error. */
type Counts = Map<string, number>;

/** Clients that send requests through one proxy. */
export interface Load {
  /** What happened to each kind of request since the last `forget`. */
  seen(): { name: string; statuses: Map<string, Counts> };
  /** Waits until the requests under way have ended, and forgets what happened. */
  forget(): Promise<void>;
  /** Stops, and returns the number of requests and all that were not answered as usual. */
  stop(): Promise<{ name: string; sent: number; unexpected: string[] }>;
}

/** Reads, checks for updates and uploads until it is stopped. */
export function startLoad(proxy: ProxyProcess, key: ApiKey): Load {
  const port = proxy.ports.https;
  let statuses = new Map<string, Counts>();
  const running = new Set<Promise<void>>();
  const unexpected: string[] = [];
  const stopping = new AbortController();
  let sent = 0;
  const note = (kind: string, what: string, isUsual: boolean) => {
    sent++;
    const counts = statuses.get(kind) ?? new Map<string, number>();
    statuses.set(kind, counts.set(what, (counts.get(what) ?? 0) + 1));
    if (!isUsual) unexpected.push(`${kind}: ${what}`);
  };
  const repeat = async (kind: string, usual: number[], ask: () => Promise<Answer>) => {
    while (!stopping.signal.aborted) {
      const asked = ask().then(
        ({ status, body }) => note(kind, status === 503 ? describe503(body) : String(status), usual.includes(status)),
        (error: Error) => note(kind, error.message, false),
      );
      running.add(asked);
      await asked;
      running.delete(asked);
      await sleep(PAUSE_MS);
    }
  };
  let serial = 0;
  const upload = async () => {
    const guid = `${proxy.name}-${process.pid}-${Date.now()}-${serial++}@example.org`;
    const { contentType, body } = uploadForm(await xpi({ guid, version: '1.0' }));
    const headers = { authorization: authorization(key), 'content-type': contentType, 'content-length': body.length };
    return send(port, { path: versionPath(guid, '1.0'), method: 'PUT', headers, body });
  };
  const work = Promise.all([
    ...Array.from({ length: READERS }, () =>
      repeat('read', [200], () => send(port, { path: `/api/v4/addons/addon/${WATCHED.slug}/` })),
    ),
    ...Array.from({ length: READERS }, () =>
      repeat('update check', [200], () => send(port, { path: pathOf(queryFor(WATCHED.guid)) })),
    ),
    repeat('upload', [201], upload),
  ]);
  return {
    seen: () => ({ name: proxy.name, statuses }),
    forget: async () => {
      await Promise.all(running);
      statuses = new Map();
    },
    stop: async () => {
      stopping.abort();
      await work;
      return { name: proxy.name, sent, unexpected };
    },
  };
}

/** The service responds with JSON, a proxy with HTML. */
const describe503 = (body: string): string => (body.startsWith('{') ? '503 of the service' : '503 of the proxy');
