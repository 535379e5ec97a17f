import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { xpi } from '../support/packages.ts';

const app = setUpApp();
let reconcileJobs: typeof import('../../src/domain/signing/reconcile-jobs.ts').reconcileJobs;
let liveness: typeof import('../../src/jobs/liveness.ts');
beforeAll(async () => {
  liveness = await import('../../src/jobs/liveness.ts');
  ({ reconcileJobs } = await import('../../src/domain/signing/reconcile-jobs.ts'));
});

async function uploaded(guid: string): Promise<number> {
  const developer = await app.developer();
  const reply = await developer.put(`/api/v4/addons/${guid}/versions/1.0/`, {
    upload: await xpi({ guid, version: '1.0' }),
  });
  expect(reply.status).toBe(201);
  const [row] = await app.sql<{ id: number }>(
    'SELECT version.id FROM version JOIN addon ON addon.id = addon_id WHERE guid = $1',
    [guid],
  );
  return row?.id ?? 0;
}

/** Locks all jobs for a worker, some seconds in the past. */
async function lockedBy(worker: string): Promise<void> {
  await app.sql(
    `UPDATE graphile_worker._private_jobs SET locked_by = $1, locked_at = now() - interval '10 seconds', attempts = 1`,
    [worker],
  );
}

const locks = () => app.sql('SELECT locked_by FROM graphile_worker.jobs');

describe('releaseDeadWorkers', () => {
  it('releases the jobs of dead workers only', async () => {
    await uploaded('alive@example');
    await lockedBy('worker-one');
    const held = await liveness.openLiveness(() => {});
    await held.declare('worker-one');
    expect(await liveness.releaseDeadWorkers()).toEqual([]);
    expect(await locks()).toEqual([{ locked_by: 'worker-one' }]);
    await held.release();
    expect(await liveness.releaseDeadWorkers()).toEqual(['worker-one']);
    expect(await locks()).toEqual([{ locked_by: null }]);
    await app.runJobs();
  });

  it('reports a lost connection to its worker', async () => {
    const lost = new Promise<void>((resolve) => {
      void liveness
        .openLiveness(resolve)
        .then(() =>
          app.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'addons worker liveness'`,
          ),
        );
    });
    await lost;
  });
});

describe('releaseOverdueJobs', () => {
  it('releases a job that a live worker has held for too long with its queue, and no other job of that worker', async () => {
    await uploaded('kept@example');
    await app.sql(`SELECT graphile_worker.add_job('deliver-mails', queue_name => 'mail')`);
    await lockedBy('worker-three');
    await app.sql(`UPDATE graphile_worker._private_job_queues SET locked_by = 'worker-three', locked_at = now()`);
    const held = await liveness.openLiveness(() => {});
    await held.declare('worker-three');
    expect(await liveness.releaseOverdueJobs()).toEqual([]);
    await app.sql(
      `UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '1 hour' WHERE job_queue_id IS NOT NULL`,
    );
    expect(await liveness.releaseDeadWorkers()).toEqual([]);
    expect(await liveness.releaseOverdueJobs()).toHaveLength(1);
    expect(
      await app.sql('SELECT task_identifier AS task, locked_by, attempts FROM graphile_worker.jobs ORDER BY id'),
    ).toEqual([
      { task: 'validate-version', locked_by: 'worker-three', attempts: 1 },
      { task: 'deliver-mails', locked_by: null, attempts: 1 },
    ]);
    expect(await app.sql('SELECT locked_by FROM graphile_worker._private_job_queues')).toEqual([{ locked_by: null }]);
    await held.release();
    await liveness.releaseDeadWorkers();
    await app.runJobs();
  });
});

describe('releaseAbandonedQueues', () => {
  const queues = () => app.sql('SELECT locked_by FROM graphile_worker._private_job_queues');

  it('releases a queue after another worker completed the job that locked it, but no queue of a locked job', async () => {
    const [job] = await app.sql<{ id: string }>(
      `SELECT id FROM graphile_worker.add_job('deliver-mails', queue_name => 'mail')`,
    );
    await lockedBy('worker-four');
    await app.sql(
      `UPDATE graphile_worker._private_job_queues SET locked_by = 'worker-four', locked_at = now() - interval '10 seconds'`,
    );
    expect(await liveness.releaseAbandonedQueues()).toEqual([]);
    expect(await queues()).toEqual([{ locked_by: 'worker-four' }]);
    // The completion by a worker that had lost its lock.
    await app.sql('DELETE FROM graphile_worker._private_jobs WHERE id = $1', [job?.id]);
    expect(await queues()).toEqual([{ locked_by: 'worker-four' }]);
    expect(await liveness.releaseAbandonedQueues()).toEqual(['mail']);
    expect(await queues()).toEqual([{ locked_by: null }]);
  });
});

describe('reconcileJobs', () => {
  it('enqueues one job for each version that waits for one and has none', async () => {
    const versionId = await uploaded('forgotten@example');
    expect(await reconcileJobs()).toBe(0);
    await app.sql('DELETE FROM graphile_worker._private_jobs');
    expect(await reconcileJobs()).toBe(1);
    expect(await reconcileJobs()).toBe(0);
    await app.runJobs();
    expect(await app.sql('SELECT stage FROM version WHERE id = $1', [versionId])).toEqual([{ stage: 'signed' }]);
    expect(await reconcileJobs()).toBe(0);
  });

  it('replaces a job that has no attempts left', async () => {
    const versionId = await uploaded('tired@example');
    await app.sql('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(await app.sql('SELECT stage FROM version WHERE id = $1', [versionId])).toEqual([{ stage: 'signed' }]);
  });
});

describe('a worker that was killed while signing', () => {
  /** The stage of a version, the number of its publications and of its certificates. */
  const signed = async (versionId: number) => {
    const [row] = await app.sql(
      `SELECT stage, (SELECT count(*)::int FROM activity WHERE version_id = version.id AND action = 'published') AS published,
         (SELECT count(*)::int FROM signing_certificate c JOIN file ON file.id = c.file_id WHERE file.version_id = version.id) AS certificates
       FROM version WHERE id = $1`,
      [versionId],
    );
    return row;
  };
  const jobsOf = (versionId: number) =>
    app.sql(`SELECT key FROM graphile_worker.jobs WHERE key LIKE '%:' || $1::text`, [versionId]);

  it.each(['valid', 'signing'])('and left the version in stage %s: its validation job signs it', async (stage) => {
    const versionId = await uploaded(`killed-${stage}@example`);
    await app.sql('UPDATE version SET stage = $2 WHERE id = $1', [versionId, stage]);
    expect(await reconcileJobs()).toBe(0);
    await app.runJobs();
    expect(await signed(versionId)).toEqual({ stage: 'signed', published: 1, certificates: 1 });
    expect(await jobsOf(versionId)).toEqual([]);
  });

  it('after a reviewer approved the version: the validation job leaves signing to the other job', async () => {
    const versionId = await uploaded('killed-listed@example');
    await app.sql(`UPDATE version SET stage = 'signing', channel = 'listed' WHERE id = $1`, [versionId]);
    await app.runJobs();
    expect(await signed(versionId)).toEqual({ stage: 'signing', published: 0, certificates: 0 });
    expect(await reconcileJobs()).toBe(1);
    expect(await jobsOf(versionId)).toEqual([{ key: `sign-version:${versionId}` }]);
    await app.runJobs();
    expect(await signed(versionId)).toEqual({ stage: 'signed', published: 1, certificates: 1 });
  });
});

describe('a worker that was considered dead', () => {
  it('cannot replace the published file', async () => {
    const versionId = await uploaded('zombie@example');
    await app.runJobs();
    const [file] = await app.sql<{ id: number; sha256: string }>('SELECT id, sha256 FROM file WHERE version_id = $1', [
      versionId,
    ]);
    const { openSigner } = await import('../../src/domain/signing/open-signer.ts');
    const { signVersion } = await import('../../src/domain/signing/sign-version.ts');
    const { signer, rootPem } = await openSigner();
    await signVersion(versionId, signer, rootPem);
    expect(await app.sql('SELECT sha256 FROM file WHERE id = $1', [file?.id])).toEqual([{ sha256: file?.sha256 }]);
    await expect(app.sql(`UPDATE file SET signed_sha256 = repeat('0', 64) WHERE id = $1`, [file?.id])).rejects.toThrow(
      'signed already',
    );
  });

  it('signs at the same time as another worker: both log a certificate, and one result is published', async () => {
    const versionId = await uploaded('twins@example');
    await app.sql(`UPDATE version SET stage = 'signing' WHERE id = $1`, [versionId]);
    const { openSigner } = await import('../../src/domain/signing/open-signer.ts');
    const { signVersion } = await import('../../src/domain/signing/sign-version.ts');
    const { signer, rootPem } = await openSigner();
    // Neither publishes before both sign.
    const { promise: bothSign, resolve } = Promise.withResolvers<void>();
    let signing = 0;
    const waiting: typeof signer = {
      algorithm: signer.algorithm,
      chain: () => signer.chain(),
      signTbs: async (bytes, request) => {
        signing += 1;
        if (signing === 2) resolve();
        await bothSign;
        return signer.signTbs(bytes, request);
      },
    };
    await Promise.all([signVersion(versionId, waiting, rootPem), signVersion(versionId, waiting, rootPem)]);
    const [published] = await app.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM activity WHERE version_id = $1 AND action = 'published'`,
      [versionId],
    );
    const [logged] = await app.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM signing_certificate WHERE guid = 'twins@example'`,
    );
    expect([published?.n, logged?.n]).toEqual([1, 2]);
    await app.sql('DELETE FROM graphile_worker._private_jobs');
  });
});

describe('a validator that fails', () => {
  it('is retried twice; then the upload ends in error and its version number is free', async () => {
    const versionId = await uploaded('poison@example');
    const { validateVersion } = await import('../../src/domain/validation/validate-version.ts');
    const { createValidator } = await import('../../src/package/validation/validate-package.ts');
    // The linter needs a larger heap than this.
    const validator = createValidator({ heapMb: 8, concurrency: 1 });
    const { log } = await import('../../src/infra/log.ts');
    const stopping = new AbortController().signal;
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(validateVersion(versionId, validator, { stopping, log })).rejects.toThrow('broke down');
    }
    await validateVersion(versionId, validator, { stopping, log });
    await validator.close();
    const [version] = await app.sql('SELECT stage, reason, reason_message FROM version WHERE id = $1', [versionId]);
    expect(version).toMatchObject({
      stage: 'error',
      reason: null,
      reason_message: { code: 'validation.broke_down', params: { attempts: 3 } },
    });
    await app.runJobs();
  });
});
