import { z } from 'zod';

/** A kind of job that other code enqueues. Its implementation is in `task-list.ts`. */
export interface Task<Payload extends object> {
  name: string;
  /** Jobs carry ids and read the rows again. */
  payload: z.ZodType<Payload>;
  /** Jobs in one queue run one after the other. */
  queue?: string;
  /** Whether it stores or sends what users caused, so that its jobs wait in read-only mode. */
  waitsInReadOnlyMode?: true;
}

function defineTask<Payload extends object>(task: Task<Payload>): Task<Payload> {
  return task;
}

/** Validates a received version, takes it to its next stage, and signs an unlisted version that passed. */
export const validateVersionTask = defineTask({
  name: 'validate-version',
  waitsInReadOnlyMode: true,
  payload: z.object({ versionId: z.int().positive() }),
});

/** Validates an upload that is not submitted. */
export const validateUploadTask = defineTask({
  name: 'validate-upload',
  waitsInReadOnlyMode: true,
  payload: z.object({ uploadId: z.int().positive() }),
});

/** Signs and publishes a version in stage `signing`. */
export const signVersionTask = defineTask({
  name: 'sign-version',
  waitsInReadOnlyMode: true,
  payload: z.object({ versionId: z.int().positive() }),
});

/** Signs the imported packages of an add-on. One add-on at a time, so that uploads do not wait for many of them. */
export const signImportedTask = defineTask({
  name: 'sign-imported',
  payload: z.object({ addonId: z.int().positive() }),
  queue: 'sign-imported',
  waitsInReadOnlyMode: true,
});

/** Stores the hashes of the files of a package that could not be read before. One at a time, so that uploads do not wait for many of them. */
export const hashPackageTask = defineTask({
  name: 'hash-package',
  payload: z.object({ fileId: z.int().positive() }),
  queue: 'hash-package',
  waitsInReadOnlyMode: true,
});

/** Sends the mails that are due. One at a time, so that a mail server that hangs blocks one job only. */
export const deliverMailsTask = defineTask({
  name: 'deliver-mails',
  payload: z.object({}),
  queue: 'mail',
  waitsInReadOnlyMode: true,
});

/** Updates add-ons on the search server. One at a time, so that a search server that hangs blocks one job only. */
export const syncSearchTask = defineTask({
  name: 'sync-search',
  payload: z.object({ addonIds: z.array(z.int().positive()) }),
  queue: 'search',
});

/** Creates an index on the search server if there is none to search. */
export const checkSearchIndexTask = defineTask({
  name: 'check-search-index',
  payload: z.object({}),
  queue: 'search-index',
});
