/* The health of the service for operators, as `addons doctor`, /healthz and /readyz determine it. */
import { requirePermission } from '../../auth/permissions.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { hasSearchServer } from '../../infra/search-server/send-request.ts';
import { storeProblem } from '../../infra/staging/probe-store.ts';
import { countMails } from '../mail/find-mails.ts';
import { countProblems } from '../maintenance/stored-file-problems.ts';
import { lastVerification, type StoreVerification } from '../maintenance/verify-store.ts';
import { freeSpace } from '../maintenance/watch-disk.ts';
import { hasRefusals, isSearchDegraded } from '../search/search-engine.ts';
import { COUNTED_JOBS, countByTask, type TaskJobs } from './find-jobs.ts';
import { type LivingWorker, livingWorkers } from './worker-reports.ts';

const Worker = builder.objectRef<LivingWorker>('WorkerHealth').implement({
  description: 'A worker that is alive.',
  fields: (t) => ({
    host: t.exposeString('host', { description: 'Name of its host.' }),
    started: t.field({
      type: 'DateTime',
      description: 'When it started.',
      resolve: ({ started }) => new Date(started),
    }),
    lastSeen: t.expose('lastSeen', { type: 'DateTime', description: 'When its heartbeat was last seen.' }),
    isValidatorReady: t.exposeBoolean('isValidatorReady', {
      nullable: true,
      description: 'Whether its validators started; null while they start.',
    }),
    signer: t.exposeString('signer', { description: 'Name of the certificate that it signs with.' }),
    signerExpires: t.field({
      type: 'DateTime',
      description: 'When that certificate, or one above it, ends.',
      resolve: ({ signerExpires }) => new Date(signerExpires),
    }),
  }),
});

const StorageVerification = builder.objectRef<StoreVerification>('StorageVerification').implement({
  description: 'The result of a complete run of `addons storage verify`.',
  fields: (t) => ({
    finished: t.expose('finished', { type: 'DateTime', description: 'When it ended.' }),
    checked: t.exposeInt('checked', { description: 'Files that were read.' }),
    lost: t.exposeInt('lost', { description: 'Files that were lost.' }),
    damaged: t.exposeInt('damaged', { description: 'Files with other bytes than were stored.' }),
    unreferenced: t.exposeInt('unreferenced', { description: 'Old files that nothing references.' }),
  }),
});

const TaskHealth = builder.objectRef<TaskJobs>('TaskHealth').implement({
  description: 'The jobs of one task.',
  fields: (t) => ({
    task: t.exposeString('task', { description: 'The task, such as validate-version.' }),
    waiting: t.exposeInt('waiting', { description: 'Jobs that wait for their first attempt.' }),
    running: t.exposeInt('running', { description: 'Jobs that workers run.' }),
    retrying: t.exposeInt('retrying', { description: 'Jobs that wait for another attempt.' }),
    failed: t.exposeInt('failed', { description: 'Jobs whose attempts have run out.' }),
    scheduled: t.exposeInt('scheduled', {
      description: 'Those of the jobs that wait for an attempt that are due later than a day from now.',
    }),
    oldestDue: t.expose('oldestDue', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the oldest of its jobs could have started; null when none is due.',
    }),
    nextDue: t.expose('nextDue', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next of its jobs that are not due yet may start; null without one.',
    }),
  }),
});

const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

const JobHealth = builder.objectRef<TaskJobs[]>('JobHealth').implement({
  description: `The queue of the workers. At most ${COUNTED_JOBS} jobs in each state are counted.`,
  fields: (t) => ({
    waiting: t.int({
      description: 'Jobs that wait for an attempt.',
      resolve: (tasks) => tasks.reduce((sum, { waiting, retrying }) => sum + waiting + retrying, 0),
    }),
    failed: t.int({
      description: 'Jobs whose attempts have run out.',
      resolve: (tasks) => tasks.reduce((sum, { failed }) => sum + failed, 0),
    }),
    scheduled: t.int({
      description: 'Those of the jobs that wait for an attempt that are due later than a day from now.',
      resolve: (tasks) => tasks.reduce((sum, { scheduled }) => sum + scheduled, 0),
    }),
    oldestDue: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when the oldest job could have started; null when none is due.',
      resolve: (tasks) => earliest(tasks.map(({ oldestDue }) => oldestDue)),
    }),
    nextDue: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next job that is not due yet may start; null without one.',
      resolve: (tasks) => earliest(tasks.map(({ nextDue }) => nextDue)),
    }),
    tasks: t.field({
      type: [TaskHealth],
      description: 'The tasks that have jobs, by name.',
      resolve: (tasks) => tasks,
    }),
  }),
});

const ServiceHealth = builder.objectRef<{ databaseVersion: string }>('ServiceHealth').implement({
  description: 'The parts of the service and their state, as the process that responds sees them.',
  fields: (t) => ({
    databaseVersion: t.exposeString('databaseVersion', { description: 'The version of PostgreSQL.' }),
    hasSearchServer: t.boolean({
      description: 'Whether a search server is configured. Without one, PostgreSQL serves searches.',
      resolve: () => hasSearchServer(),
    }),
    isSearchDegraded: t.boolean({
      description: 'Whether PostgreSQL serves searches because the search server fails or has no index.',
      resolve: () => isSearchDegraded(),
    }),
    hasRefusedSearches: t.boolean({
      description: 'Whether the search server refused a search in the last ten minutes.',
      resolve: () => hasRefusals(),
    }),
    freeDiskMb: t.int({
      description: 'Free space for files on this host, in MB.',
      resolve: async () => Math.floor(await freeSpace()),
    }),
    minFreeDiskMb: t.int({
      description: 'Free space below which read-only mode starts, in MB; 0 never.',
      resolve: () => config.LOW_DISK_MB,
    }),
    storageProblem: t.string({
      nullable: true,
      description: 'Why files cannot be stored and read, in English; null when they can.',
      resolve: () => storeProblem(),
    }),
    damagedFiles: t.int({
      description: 'Stored files that are known to be lost or damaged.',
      resolve: () => countProblems(),
    }),
    storageVerification: t.field({
      type: StorageVerification,
      nullable: true,
      description: 'The last complete verification of all files; null when there was none.',
      resolve: () => lastVerification(),
    }),
    workers: t.field({
      type: [Worker],
      description: 'The workers that are alive.',
      extensions: { items: 20 },
      resolve: () => livingWorkers(),
    }),
    hasMailServer: t.boolean({
      description: 'Whether a mail server is configured. Without one, mails wait.',
      resolve: () => config.SMTP_URL !== undefined,
    }),
    waitingMails: t.int({
      description: 'Mails that wait for an attempt.',
      resolve: () => countMails({ state: 'queued' }),
    }),
    retryingMails: t.int({
      description: 'Those of them with a failed attempt.',
      resolve: () => countMails({ state: 'queued', isRetried: true }),
    }),
    failedMails: t.int({
      description: 'Mails that failed for good.',
      resolve: () => countMails({ state: 'failed' }),
    }),
  }),
});

builder.queryField('serviceHealth', (t) =>
  t.field({
    type: ServiceHealth,
    nullable: true,
    description: 'The health of the service. Requires Admin:Service.',
    resolve: async (_root, _args, { viewer }) => {
      requirePermission(viewer, 'Admin:Service');
      const [row] = await db.$queryRaw<{ version: string }[]>`SELECT current_setting('server_version') AS version`;
      return { databaseVersion: row?.version ?? '' };
    },
  }),
);

builder.queryField('jobHealth', (t) =>
  t.field({
    type: JobHealth,
    nullable: true,
    description: 'The numbers of jobs of the workers. Requires Admin:Service.',
    resolve: (_root, _args, { viewer }) => {
      requirePermission(viewer, 'Admin:Service');
      return countByTask();
    },
  }),
);
