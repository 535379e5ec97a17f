import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { blobFile, whileUnreadable } from '../../support/blob-file.ts';
import { upload } from '../../support/signing-steps.ts';

const app = setUpApp();

/** Stage and failed attempts of an upload, and the path of its package. */
async function stateOf(guid: string) {
  const [row] = await app.sql<{ stage: string; attempts: number; sha256: string }>(
    `SELECT v.stage, u.failed_attempts AS attempts, f.original_sha256 AS sha256 FROM version v JOIN addon a ON a.id = v.addon_id
     JOIN upload u ON u.version_id = v.id JOIN file f ON f.version_id = v.id WHERE a.guid = $1`,
    [guid],
  );
  const { sha256 = '', ...state } = row ?? {};
  return { ...state, path: blobFile(app.config.DATA_DIR, sha256) };
}

/** Runs the jobs, also those that wait after a failure. */
async function runJobsAgain(): Promise<void> {
  await app.sql('UPDATE graphile_worker._private_jobs SET run_at = now()');
  await app.runJobs();
}

describe('an upload whose package cannot be read', () => {
  it('waits for the end of an outage of the blob store without failed attempts', async () => {
    const guid = 'outage@example';
    await upload(await app.developer(), guid);
    await whileUnreadable((await stateOf(guid)).path, async () => {
      for (let attempt = 1; attempt <= 4; attempt++) await runJobsAgain();
    });
    expect(await stateOf(guid)).toMatchObject({ stage: 'validating', attempts: 0 });
    await runJobsAgain();
    expect(await stateOf(guid)).toMatchObject({ stage: 'signed' });
  });

  it('ends in error at once when the store has lost the package', async () => {
    const guid = 'missing@example';
    await upload(await app.developer(), guid);
    await rm((await stateOf(guid)).path);
    await app.runJobs();
    expect(await stateOf(guid)).toMatchObject({ stage: 'error', attempts: 0 });
  });
});
