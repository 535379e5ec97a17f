import { beforeAll, describe, expect, it } from 'vitest';
import { STAGES, type Stage } from '../../../src/domain/addons/stages.ts';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { APPROVE, changeDuringSigning, upload } from '../../support/signing-steps.ts';

const app = setUpApp();
let developer: Client;
let admin: Client;
let reconcileJobs: () => Promise<number>;
beforeAll(async () => {
  [developer, admin] = [await app.developer(), await app.admin()];
  ({ reconcileJobs } = await import('../../../src/domain/signing/reconcile-jobs.ts'));
});

async function change(client: Client, mutation: string, guid: string): Promise<void> {
  const [addon] = await app.sql<{ id: number }>('SELECT id FROM addon WHERE guid = $1', [guid]);
  const result = await client.graphql<Record<string, { __typename: string }>>(
    `mutation($id: ID!) { ${mutation}(input: {id: $id}) { __typename ... on UserError { code message } } }`,
    { id: Buffer.from(`Addon:${addon?.id}`).toString('base64') },
  );
  expect(result[mutation]?.__typename).toMatch(/Payload$/);
}

async function stageOf(guid: string): Promise<string | undefined> {
  const [version] = await app.sql<{ stage: string }>(
    'SELECT stage FROM version JOIN addon ON addon.id = addon_id WHERE guid = $1',
    [guid],
  );
  return version?.stage;
}

/** Uploads a version and sets its stage and channel. Deletes its job. */
async function createWithoutJob(guid: string, stage: Stage, channel: string): Promise<void> {
  expect((await upload(developer, guid)).status).toBe(201);
  await app.sql('UPDATE version SET stage = $2, channel = $3 FROM addon WHERE addon.id = addon_id AND guid = $1', [
    guid,
    stage,
    channel,
  ]);
  await app.sql('DELETE FROM graphile_worker._private_jobs');
}

/** The stage of a version after the reconciler and the jobs it queues have run, by its stage before. */
const NEXT: Record<Stage, { unlisted: Stage; listed: Stage }> = {
  received: { unlisted: 'signed', listed: 'awaiting_review' },
  validating: { unlisted: 'signed', listed: 'awaiting_review' },
  valid: { unlisted: 'signed', listed: 'awaiting_review' },
  signing: { unlisted: 'signed', listed: 'signed' },
  awaiting_review: { unlisted: 'awaiting_review', listed: 'awaiting_review' },
  invalid: { unlisted: 'invalid', listed: 'invalid' },
  signed: { unlisted: 'signed', listed: 'signed' },
  rejected: { unlisted: 'rejected', listed: 'rejected' },
  error: { unlisted: 'error', listed: 'error' },
};

describe.each(['unlisted', 'listed'] as const)(
  'reconcileJobs, for a version without a job in channel %s',
  (channel) => {
    it.each(STAGES)(
      'resumes stage %s unless it is final or awaits review, also after the add-on was deleted and revived',
      async (stage) => {
        for (const revived of [false, true]) {
          const guid = `${channel}-${stage}-${revived}@example`;
          await createWithoutJob(guid, stage, channel);
          if (revived) {
            await change(developer, 'deleteAddon', guid);
            expect(await reconcileJobs()).toBe(0);
            await change(admin, 'reviveAddon', guid);
          }
          const next = NEXT[stage][channel];
          expect(await reconcileJobs()).toBe(next === stage ? 0 : 1);
          await app.runJobs();
          expect(await stageOf(guid)).toBe(next);
          expect(await reconcileJobs()).toBe(0);
        }
      },
    );
  },
);

describe('a version that awaits review', () => {
  it('is signed after approval even if the job of the approval is lost', async () => {
    const guid = 'approved@example';
    await createWithoutJob(guid, 'awaiting_review', 'listed');
    const [version] = await app.sql<{ id: number }>(
      'SELECT version.id FROM version JOIN addon ON addon.id = addon_id WHERE guid = $1',
      [guid],
    );
    const id = Buffer.from(`Version:${version?.id}`).toString('base64');
    await (await app.reviewer()).graphql(APPROVE, { id });
    await app.sql('DELETE FROM graphile_worker._private_jobs');
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(await stageOf(guid)).toBe('signed');
  });
});

describe('an add-on that is deleted during signing', () => {
  it('has no signed file until it is revived', async () => {
    const guid = 'deleted-while-signing@example';
    await createWithoutJob(guid, 'signing', 'unlisted');
    expect(await reconcileJobs()).toBe(1);
    await changeDuringSigning(app, () => change(developer, 'deleteAddon', guid));
    const signed = () =>
      app.sql(
        `SELECT stage, signed_sha256 IS NOT NULL AS signed FROM file JOIN version ON version.id = version_id
           JOIN addon ON addon.id = addon_id WHERE guid = $1`,
        [guid],
      );
    expect(await signed()).toEqual([{ stage: 'signing', signed: false }]);
    await change(admin, 'reviveAddon', guid);
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(await signed()).toEqual([{ stage: 'signed', signed: true }]);
    expect(await reconcileJobs()).toBe(0);
  });
});

describe('a version in stage signing whose file is signed', () => {
  it('is published by the reconciler', async () => {
    const guid = 'signed-file@example';
    await createWithoutJob(guid, 'signing', 'unlisted');
    await app.sql(
      `UPDATE file SET signed_sha256 = sha256, signed_at = now() FROM version JOIN addon ON addon.id = addon_id
       WHERE version.id = version_id AND guid = $1`,
      [guid],
    );
    expect(await reconcileJobs()).toBe(1);
    await app.runJobs();
    expect(await stageOf(guid)).toBe('signed');
    expect(await reconcileJobs()).toBe(0);
  });
});
