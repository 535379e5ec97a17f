import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import { purgeSignIns } from '../auth/page-session.ts';
import { purgeUsedNonces } from '../auth/used-nonces.ts';
import { signFirstCheckpoint, signHourlyCheckpoint } from '../domain/activity/checkpoints.ts';
import { hashPackage, storeFileHashes } from '../domain/code/store-file-hashes.ts';
import { renewRecommendations } from '../domain/discovery/renew-recommendations.ts';
import { deliverMails } from '../domain/mail/deliver-mails.ts';
import { collectBlobs } from '../domain/maintenance/collect-blobs.ts';
import { removeExpiredRows } from '../domain/maintenance/retention.ts';
import { recomputeBayesianAverages } from '../domain/ratings/rating-sums.ts';
import { purgeReceivedMails } from '../domain/reviewing/inbound-mail.ts';
import { queueApprovalMails } from '../domain/reviewing/review-mail.ts';
import { mailSubscribers } from '../domain/reviewing/subscription.ts';
import { checkIndex, reconcileIndex } from '../domain/search/elasticsearch/maintain-index.ts';
import { syncAddons } from '../domain/search/elasticsearch/sync-addons.ts';
import { compactSearchTables, refreshPopularity } from '../domain/search/postgres/maintain/maintenance.ts';
import { rebuildOutdatedRows, rewriteOlderRows } from '../domain/search/postgres/maintain/rebuild-rows.ts';
import { signImported } from '../domain/signing/sign-imported.ts';
import { signVersion } from '../domain/signing/sign-version.ts';
import { estimateUsers } from '../domain/statistics/estimate-users.ts';
import { recomputeAllStatistics } from '../domain/statistics/recompute-statistics.ts';
import { rollUpStatistics } from '../domain/statistics/roll-up.ts';
import { removeExpiredUploads } from '../domain/uploads/remove-uploads.ts';
import { validateUpload } from '../domain/validation/validate-upload.ts';
import { validateVersion } from '../domain/validation/validate-version.ts';
import { deliverWebhooks } from '../domain/webhooks/deliver-webhooks.ts';
import type { log } from '../infra/log.ts';
import { isReadOnly } from '../infra/read-only.ts';
import { hasSearchServer } from '../infra/search-server/send-request.ts';
import { purgeSentForms } from '../infra/sent-forms.ts';
import { IssuerChangedError, type Signer } from '../infra/signer/signer.ts';
import { implementTask } from '../jobs/implement-task.ts';
import {
  checkSearchIndexTask,
  deliverMailsTask,
  deliverWebhooksTask,
  hashPackageTask,
  signImportedTask,
  signVersionTask,
  syncSearchTask,
  validateUploadTask,
  validateVersionTask,
} from '../jobs/tasks.ts';
import type { Validator } from '../package/validation/validate-package.ts';

/** Dependencies of the jobs of a worker. */
export interface WorkerTools {
  validator: Validator;
  /** Each file is signed by the one that is here when its job starts: it may be replaced while jobs run. */
  signer: Signer;
  rootPem: string;
  /** Replaces both by the present ones. */
  reopenSigner(): Promise<void>;
  /** Aborted when the worker stops. */
  stopping: AbortSignal;
}

interface ScheduledTask {
  name: string;
  /** Cron pattern, UTC. With several workers, each occurrence runs once. */
  cron: string;
  /** `stopping` is aborted when the worker stops. */
  run: (stopping: AbortSignal) => Promise<unknown>;
  onlyWithSearchServer?: true;
}

const SCHEDULED: readonly ScheduledTask[] = [
  { name: 'purge-used-nonces', cron: '* * * * *', run: purgeUsedNonces },
  { name: 'purge-sign-ins', cron: '*/10 * * * *', run: purgeSignIns },
  { name: 'purge-sent-forms', cron: '37 * * * *', run: purgeSentForms },
  { name: 'collect-blobs', cron: '17 * * * *', run: () => collectBlobs() },
  { name: 'remove-expired-uploads', cron: '*/10 * * * *', run: removeExpiredUploads },
  { name: 'sign-log-checkpoint', cron: '3 * * * *', run: signHourlyCheckpoint },
  { name: 'sign-first-log-checkpoint', cron: '* * * * *', run: signFirstCheckpoint },
  { name: 'remove-expired-rows', cron: '7 3 * * *', run: removeExpiredRows },
  { name: 'roll-up-statistics', cron: '47 2 * * *', run: rollUpStatistics },
  { name: 'purge-received-mails', cron: '27 3 * * *', run: purgeReceivedMails },
  { name: 'renew-recommendations', cron: '*/5 * * * *', run: () => renewRecommendations() },
  { name: 'mail-subscribers', cron: '* * * * *', run: mailSubscribers },
  { name: 'store-file-hashes', cron: '* * * * *', run: storeFileHashes },
  { name: 'rewrite-search-rows', cron: '*/5 * * * *', run: (stopping) => rebuildOutdatedRows({ stopping }) },
  { name: 'estimate-users', cron: '0 1 * * *', run: estimateUsers },
  { name: 'recompute-statistics', cron: '17 3 * * *', run: recomputeAllStatistics },
  { name: 'average-ratings', cron: '27 2 * * *', run: recomputeBayesianAverages },
  {
    name: 'tidy-search',
    cron: '37 3 * * *',
    run: () => refreshPopularity().then(rewriteOlderRows).then(compactSearchTables),
  },
  { name: checkSearchIndexTask.name, cron: '* * * * *', run: checkIndex, onlyWithSearchServer: true },
  { name: 'reconcile-search', cron: '7 4 * * *', run: reconcileIndex, onlyWithSearchServer: true },
];

/** The schedule in the crontab format of graphile-worker. */
export function crontab(): string {
  const tasks = SCHEDULED.filter(({ onlyWithSearchServer }) => !onlyWithSearchServer || hasSearchServer());
  return tasks.map(({ name, cron }) => `${cron} ${name}`).join('\n');
}

/** Every task of a worker by its name. */
export function createTaskList(tools: WorkerTools): TaskList {
  const { validator, stopping } = tools;
  /** Runs once more when a remote signer has another issuing certificate than it had when it was opened. */
  const withSigner = async (run: (signer: Signer, rootPem: string) => Promise<void>): Promise<void> => {
    try {
      await run(tools.signer, tools.rootPem);
    } catch (error) {
      if (!(error instanceof IssuerChangedError)) throw error;
      await tools.reopenSigner();
      await run(tools.signer, tools.rootPem);
    }
  };
  const sign = (versionId: number, logger: typeof log) =>
    withSigner((signer, rootPem) =>
      signVersion(versionId, signer, rootPem, { logger, onPublished: queueApprovalMails }),
    );
  return Object.fromEntries([
    implementTask(validateVersionTask, stopping, async ({ versionId }, logger) => {
      const signsNow = await validateVersion(versionId, validator, { stopping, log: logger });
      // In the same job: a job of its own would wait for a free worker. In read-only mode, the reconciler adds one afterwards.
      if (signsNow && !(await isReadOnly())) await sign(versionId, logger);
    }),
    implementTask(validateUploadTask, stopping, ({ uploadId }, logger) =>
      validateUpload(uploadId, validator, { stopping, log: logger }),
    ),
    implementTask(signVersionTask, stopping, ({ versionId }, logger) => sign(versionId, logger)),
    implementTask(signImportedTask, stopping, ({ addonId }) =>
      withSigner((signer, rootPem) => signImported(addonId, signer, rootPem)),
    ),
    implementTask(hashPackageTask, stopping, ({ fileId }) => hashPackage(fileId)),
    implementTask(deliverMailsTask, stopping, (_payload, logger) => deliverMails({ stopping, log: logger })),
    implementTask(deliverWebhooksTask, stopping, (_payload, logger) => deliverWebhooks({ stopping, log: logger })),
    implementTask(syncSearchTask, stopping, ({ addonIds }) => syncAddons(addonIds)),
    ...SCHEDULED.map(({ name, run }) => implementTask({ name, payload: z.object({}) }, stopping, () => run(stopping))),
  ]);
}
