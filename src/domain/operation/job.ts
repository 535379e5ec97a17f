import { requirePermission } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { connectionByKey, countedFields } from '../../graphql/connections.ts';
import { globalId, textKeyOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { positionOf } from '../activity/log-page.ts';
import { Addon } from '../addons/addon.ts';
import { Version } from '../versions/version.ts';
import { dropJob, retryJob } from './change-jobs.ts';
import {
  countJobs,
  findJob,
  type JobChange,
  type JobRow,
  type JobState,
  LISTED_JOBS,
  lastJobChange,
  listJobs,
} from './find-jobs.ts';

const JobStateEnum = enumOf<JobState>('JobState', 'The state of a job of the workers.', {
  waiting: 'Waits for its first attempt, also after an operator made it run again.',
  running: 'A worker runs it.',
  retrying: 'An attempt failed; it waits for the next one.',
  failed: 'Its attempts have run out: it waits for an operator.',
});

const idOfJob = (id: string): bigint => positionOf(textKeyOf('Job', id, 'id'));

const Job = builder.objectRef<JobRow>('Job').implement({
  description: 'Work that the workers do after a request or by schedule. A job is removed when it succeeds.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the job in client caches and inputs. `node` does not look it up.',
      resolve: ({ id }) => globalId('Job', String(id)),
    }),
    number: t.string({ description: 'Its number, in digits.', resolve: ({ id }) => String(id) }),
    task: t.exposeString('task', { description: 'What it does, such as validate-version.' }),
    payload: t.expose('payload', { type: 'JSON', description: 'The ids of what it is about.' }),
    version: t.field({
      type: Version,
      nullable: true,
      description: 'The version it is about; null without one, and for viewers who may not see it.',
      resolve: ({ versionId }, _args, context) => Version.loadOrNull(context, versionId),
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on it is about, if it is about no version; null for viewers who may not see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
    state: t.expose('state', { type: JobStateEnum, description: 'Whether it waits, runs or has failed.' }),
    attempts: t.exposeInt('attempts', { description: 'Attempts made.' }),
    maxAttempts: t.exposeInt('maxAttempts', { description: 'Attempts after which it fails.' }),
    cause: t.exposeString('cause', {
      nullable: true,
      description: 'Why the last attempt failed, without credentials; null when none has failed.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was enqueued.' }),
    runAt: t.expose('runAt', { type: 'DateTime', description: 'When it may start.' }),
    lastFailed: t.expose('lastFailed', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last attempt failed; null before one has failed, after a retry, and while it runs.',
    }),
  }),
});

const JobActionEnum = enumOf<JobChange['action']>('JobAction', 'What an operator did with a job.', {
  'job-retried': 'Made it due at once, with all attempts left.',
  'job-dropped': 'Removed it without running it.',
});

const JobChangeType = builder.objectRef<JobChange>('JobChange').implement({
  description: 'What an operator did with a job, from the audit log, which keeps it after the end of the job.',
  fields: (t) => ({
    action: t.expose('action', { type: JobActionEnum, description: 'What was done.' }),
    actor: t.exposeString('actor', { description: 'Who did it: an account, or a part of the service.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was done.' }),
    attempts: t.exposeInt('attempts', {
      nullable: true,
      description: 'Attempts made before it; null in older entries.',
    }),
    cause: t.exposeString('cause', {
      nullable: true,
      description:
        'The beginning of why the attempt before it failed, without credentials; null when none had failed, and in older entries.',
    }),
    lastFailed: t.expose('lastFailed', {
      type: 'DateTime',
      nullable: true,
      description: 'When that attempt failed.',
    }),
    task: t.exposeString('task', { description: 'What the job did, such as validate-version.' }),
    payload: t.expose('payload', { type: 'JSON', description: 'The ids of what the job was about.' }),
    version: t.field({
      type: Version,
      nullable: true,
      description: 'The version that the job was about; null without one, and for viewers who may not see it.',
      resolve: ({ versionId }, _args, context) => Version.loadOrNull(context, versionId),
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on that it was about, if it was about no version; null for viewers who may not see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
  }),
});

const JobStatus = builder.objectRef<{ job: JobRow | null; lastChange: JobChange | null }>('JobStatus').implement({
  description: 'A job, also after it has left the queue if an operator had changed it.',
  fields: (t) => ({
    job: t.expose('job', {
      type: Job,
      nullable: true,
      description: 'The job; null once it has succeeded or was removed.',
    }),
    lastChange: t.expose('lastChange', {
      type: JobChangeType,
      nullable: true,
      description: 'The newest change by an operator; null without one.',
    }),
  }),
});

const JobFilterInput = builder.inputType('JobFilter', {
  description: 'Which jobs to list; all conditions must be met.',
  fields: (t) => ({
    states: t.field({ type: [JobStateEnum], description: 'Only jobs in one of these states.' }),
    task: t.string({ description: 'Only jobs of this task.' }),
  }),
});

builder.queryField('jobs', (t) =>
  t.connection(
    {
      type: Job,
      description: 'The jobs of the workers, in the order of their entry. Requires Admin:Service.',
      args: { filter: t.arg({ type: JobFilterInput, description: 'Which jobs to list.' }) },
      resolve: async (_root, { filter, ...args }, { viewer }) => {
        requirePermission(viewer, 'Admin:Service');
        const wanted = { states: filter?.states ?? null, task: filter?.task ?? null };
        const keyed = { list: 'jobs', readId: positionOf };
        let counted: ReturnType<typeof countJobs> | undefined;
        const count = () => {
          counted ??= countJobs(wanted);
          return counted;
        };
        return {
          ...(await connectionByKey(keyed, args, (page) => listJobs(wanted, page))),
          totalCount: async () => (await count()).count,
          isTotalCountExact: async () => (await count()).isExact,
        };
      },
    },
    {
      name: 'JobConnection',
      description: `One page of the jobs. Of those in one state, at most ${LISTED_JOBS} are counted.`,
      fields: (t) => ({
        ...countedFields(t),
        isTotalCountExact: t.boolean({
          description: 'Whether `totalCount` is that of all such jobs; false if there are more.',
          resolve: ({ isTotalCountExact }) => isTotalCountExact(),
        }),
      }),
    },
    { name: 'JobEdge', description: 'A job and its cursor.' },
  ),
);

builder.queryField('job', (t) =>
  t.field({
    type: Job,
    nullable: true,
    description: 'A job by its id. NOT_FOUND for one that has ended. Requires Admin:Service.',
    args: { id: t.arg.id({ required: true, description: 'Global id of the job.' }) },
    resolve: async (_root, { id }, { viewer }) => {
      requirePermission(viewer, 'Admin:Service');
      const job = await findJob(idOfJob(id));
      if (job === null) throw new NotFoundError();
      return job;
    },
  }),
);

builder.queryField('jobStatus', (t) =>
  t.field({
    type: JobStatus,
    nullable: true,
    description:
      'A job by its id, with what an operator did with it. NOT_FOUND for one that is not in the queue and that no operator has changed. Requires Admin:Service.',
    args: { id: t.arg.id({ required: true, description: 'Global id of the job.' }) },
    resolve: async (_root, { id }, { viewer }) => {
      requirePermission(viewer, 'Admin:Service');
      const jobId = idOfJob(id);
      const job = await findJob(jobId);
      const lastChange = await lastJobChange(jobId);
      if (job === null && lastChange === null) throw new NotFoundError();
      return { job, lastChange };
    },
  }),
);

mutation('retryJob', {
  description:
    'Makes a job due now, with all attempts left. INVALID_INPUT while a worker runs it. Requires Admin:Service.',
  input: 'The job to run again.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the job.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const operator = requirePermission(viewer, 'Admin:Service');
    const jobId = idOfJob(id);
    await retryJob(operator, jobId);
    return { jobId };
  },
  payloadFields: (t) => ({
    jobId: t.id({
      description: 'Global id of the job, which may have ended since.',
      resolve: ({ jobId }) => globalId('Job', String(jobId)),
    }),
  }),
});

mutation('dropJob', {
  description:
    'Removes a job without running it. A version or an upload that still waits for its job gets another one. INVALID_INPUT while a worker runs it. Requires Admin:Service.',
  input: 'The job to remove.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the job.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const operator = requirePermission(viewer, 'Admin:Service');
    await dropJob(operator, idOfJob(id));
    return { deletedId: id };
  },
  payloadFields: (t) => ({
    deletedId: t.id({ description: 'Global id of the removed job.', resolve: ({ deletedId }) => deletedId }),
  }),
});
