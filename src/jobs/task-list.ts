import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import { purgeSpentTokens } from '../auth/spent-tokens.ts';
import { renewRecommendations } from '../domain/discovery/renew-recommendations.ts';
import { checkIndex, reconcileIndex } from '../domain/search/elasticsearch/look-after.ts';
import { syncAddons } from '../domain/search/elasticsearch/sync-addons.ts';
import {
  refreshPopularity,
  rewriteOutdatedRows,
  tidySearchTables,
} from '../domain/search/postgres/maintain/keep-up.ts';
import { signVersion } from '../domain/signing/sign-version.ts';
import { validateVersion } from '../domain/signing/validate-version.ts';
import { recomputeAllStatistics } from '../domain/statistics/recompute-statistics.ts';
import { hasSearchServer } from '../infra/search-server/ask.ts';
import type { Signer } from '../infra/signer/signer.ts';
import { sweepStaging } from '../infra/staging/staging.ts';
import type { Validator } from '../package/validation/validate-package.ts';
import { collectBlobs } from './handlers/collect-blobs.ts';
import type { JobName } from './jobs.ts';

/** What the jobs of a worker work with. */
export interface WorkerTools {
  validator: Validator;
  signer: Signer;
  rootPem: string;
  /** Aborted when the worker is told to stop. */
  stopping: AbortSignal;
}

const versionPayload = z.object({ versionId: z.number().int().positive() });
const syncPayload = z.object({ addonIds: z.array(z.number().int().positive()) });

/** When the housekeeping runs: each at most once, however many workers there are. */
const HOUSEKEEPING = [
  '* * * * * purge-spent-tokens',
  '*/10 * * * * sweep-staging',
  '17 * * * * collect-blobs',
  '*/5 * * * * renew-recommendations',
  '*/5 * * * * rewrite-search-rows',
  '17 3 * * * recompute-statistics',
  '37 3 * * * tidy-search',
];
const OF_SEARCH_SERVER = ['* * * * * check-search-index', '7 4 * * * reconcile-search'];

/** When which job runs by itself. */
export function crontab(): string {
  return [...HOUSEKEEPING, ...(hasSearchServer() ? OF_SEARCH_SERVER : [])].join('\n');
}

/** Every task of a worker by its name. */
export function createTaskList({ validator, signer, rootPem, stopping }: WorkerTools): TaskList {
  const jobs: Record<JobName, (payload: unknown) => Promise<void>> = {
    // A job of its own would only make the signature wait until somebody takes it up.
    'validate-version': async (payload) => {
      const { versionId } = versionPayload.parse(payload);
      if (await validateVersion(versionId, validator, stopping)) await signVersion(versionId, signer, rootPem);
    },
    'sync-search': (payload) => syncAddons(syncPayload.parse(payload).addonIds),
    'check-search-index': () => checkIndex(),
    'sign-version': (payload) => signVersion(versionPayload.parse(payload).versionId, signer, rootPem),
  };
  return {
    ...jobs,
    'purge-spent-tokens': async () => void (await purgeSpentTokens()),
    'sweep-staging': async () => void (await sweepStaging()),
    'collect-blobs': async () => void (await collectBlobs()),
    'recompute-statistics': async () => void (await recomputeAllStatistics()),
    'rewrite-search-rows': async () => void (await rewriteOutdatedRows()),
    'tidy-search': async () => {
      await refreshPopularity();
      await tidySearchTables();
    },
    'reconcile-search': async () => void (await reconcileIndex()),
    'renew-recommendations': async () => void (await renewRecommendations()),
  };
}
