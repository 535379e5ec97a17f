import { setTimeout as sleep } from 'node:timers/promises';
import { keepUploading, type Ledger, newLedger } from '../crash/kill-uploads.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import type { Installation } from '../crash/support/installation.ts';
import type { InstalledDatabase } from '../crash/support/installed-database.ts';
import { type ApiKey, authorization } from '../crash/support/signing-client.ts';
import { WATCHED } from '../crash/support/watched-addon.ts';
import { pathOf, queryFor } from '../support/updates.ts';

const PAUSE_MS = 20;

/** Clients that read, check for updates, authenticate and upload until they are stopped. */
export interface KeyLoad {
  ledger: Ledger;
  /** Stops, and returns how many reads there were, and every request that was not answered as usual. */
  stop(): Promise<{ reads: number; problems: string[] }>;
}

/** Starts clients of the web process. */
export function startKeyLoad(installation: Installation, database: InstalledDatabase, key: ApiKey): KeyLoad {
  const { url } = installation;
  const ledger = newLedger();
  const stopping = new AbortController();
  const { signal: stop } = stopping;
  const problems: string[] = [];
  let reads = 0;
  const read = async (paths: readonly string[], headers: () => Record<string, string>) => {
    for (let count = 0; !stop.aborted; count++) {
      const path = paths[count % paths.length] ?? '';
      const what = await exchange({ method: 'GET', url: url + path, headers: headers() }).then(
        ({ status }) => (status === 200 ? null : `responded ${status}`),
        (error: Error) => error.message,
      );
      reads++;
      if (what !== null) problems.push(`${path}: ${what}`);
      await sleep(PAUSE_MS);
    }
  };
  const work = Promise.all([
    read(
      [`/api/v4/addons/addon/${WATCHED.slug}/`, `/addon/${WATCHED.slug}/`, pathOf(queryFor(WATCHED.guid))],
      () => ({}),
    ),
    read(['/api/v4/accounts/profile/'], () => ({ authorization: authorization(key) })),
    keepUploading({ url, key, name: 'uploader', ledger, database, stop }),
  ]);
  return {
    ledger,
    stop: async () => {
      stopping.abort();
      await work;
      const { missingResponses, unavailable } = ledger;
      if (missingResponses + unavailable > 0)
        problems.push(`${missingResponses} uploads without a response, ${unavailable} refused with 503`);
      return { reads, problems: [...problems, ...ledger.problems] };
    },
  };
}
