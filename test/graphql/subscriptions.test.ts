import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';
import { globalId } from '../support/global-ids.ts';
import { xpi } from '../support/packages.ts';
import { statementsDuring } from '../support/statements.ts';
import { type EventStream, openEventStream } from './sse-reader.ts';

const app = setUpApp();
let developer: Client;
beforeAll(async () => {
  developer = await app.developer();
});

const open: EventStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

const WATCH = `subscription($id: ID!) { uploadChanged(id: $id) { stage nextStep files { id: databaseId } } }`;

async function watch(pk: string): Promise<EventStream> {
  const stream = await openEventStream(app.url, WATCH, { id: globalId('Upload', pk) });
  open.push(stream);
  return stream;
}

async function stageOf(stream: EventStream): Promise<string | null> {
  const result = (await stream.next()) as { data: { uploadChanged: { stage: string } } } | null;
  return result === null ? null : result.data.uploadChanged.stage;
}

let serial = 0;

/** Creates an upload whose version is at `stage`. */
async function makeUpload(stage: string): Promise<{ pk: string; versionId: number }> {
  const guid = `watched-${++serial}@example`;
  const form = { upload: await xpi({ guid }) };
  const { pk } = (await developer.put(`/api/v4/addons/${guid}/versions/1.0/`, form)).json as { pk: string };
  const [row] = await app.sql<{ id: number }>('select version_id as id from upload where pk = $1', [pk]);
  const versionId = row?.id ?? 0;
  if (stage !== 'received') await advance(versionId, stage);
  return { pk, versionId };
}

const advance = (versionId: number, stage: string) =>
  app.sql('update version set stage = $2 where id = $1', [versionId, stage]);

describe('uploadChanged', () => {
  it('sends the current stage, then each change, and completes after the last stage', async () => {
    const { pk, versionId } = await makeUpload('received');
    const stream = await watch(pk);
    expect([stream.status, stream.contentType]).toEqual([200, 'text/event-stream']);
    expect(await stageOf(stream)).toBe('RECEIVED');
    for (const stage of ['validating', 'valid', 'signing', 'signed']) {
      await advance(versionId, stage);
      expect(await stageOf(stream)).toBe(stage.toUpperCase());
    }
    expect(await stream.next()).toBeNull();
  });

  it('sends every stage when changes follow each other immediately', async () => {
    const { pk, versionId } = await makeUpload('received');
    const stream = await watch(pk);
    expect(await stageOf(stream)).toBe('RECEIVED');
    const stages = ['validating', 'valid', 'awaiting_review', 'rejected'];
    for (const stage of stages) await advance(versionId, stage);
    const seen: (string | null)[] = [];
    for (const _ of stages) seen.push(await stageOf(stream));
    expect(seen).toEqual(stages.map((stage) => stage.toUpperCase()));
    expect(await stream.next()).toBeNull();
  });

  it('stays open while the version waits for a reviewer', async () => {
    const { pk, versionId } = await makeUpload('awaiting_review');
    const stream = await watch(pk);
    expect(await stageOf(stream)).toBe('AWAITING_REVIEW');
    await advance(versionId, 'signing');
    expect(await stageOf(stream)).toBe('SIGNING');
  });

  it.each(['invalid', 'signed', 'rejected', 'error'])('completes immediately at stage %s', async (stage) => {
    const stream = await watch((await makeUpload(stage)).pk);
    expect(await stageOf(stream)).toBe(stage.toUpperCase());
    expect(await stream.next()).toBeNull();
  });

  it('sends every subscriber the stages of its own upload', async () => {
    const [one, other] = [await makeUpload('received'), await makeUpload('received')];
    const streams = [await watch(one.pk), await watch(one.pk), await watch(other.pk)];
    for (const stream of streams) expect(await stageOf(stream)).toBe('RECEIVED');
    await advance(other.versionId, 'validating');
    await advance(one.versionId, 'validating');
    await advance(one.versionId, 'invalid');
    for (const stream of streams.slice(0, 2)) {
      expect([await stageOf(stream), await stageOf(stream), await stageOf(stream)]).toEqual([
        'VALIDATING',
        'INVALID',
        null,
      ]);
    }
    expect(await stageOf(streams[2] as EventStream)).toBe('VALIDATING');
  });

  it('sends the stages missed while the database connection was down', async () => {
    const { pk, versionId } = await makeUpload('received');
    const stream = await watch(pk);
    expect(await stageOf(stream)).toBe('RECEIVED');
    // One statement makes the change and ends the listening session, so no notification arrives.
    await app.sql(
      `with cut as (select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'addons listen' and datname = current_database()) select count(*) from cut`,
    );
    await advance(versionId, 'validating');
    expect(await stageOf(stream)).toBe('VALIDATING');
    await advance(versionId, 'invalid');
    expect(await stageOf(stream)).toBe('INVALID');
  });

  it('replaces events above 5 MB by an error, and sends the next one', async () => {
    const guid = 'large-event@example';
    await addon({ guid, authors: [developer.accountId ?? 0], description: { 'en-US': 'x'.repeat(300_000) } });
    const form = { upload: await xpi({ guid, version: '2.0' }), channel: 'unlisted' };
    const { pk } = (await developer.put(`/api/v4/addons/${guid}/versions/2.0/`, form)).json as { pk: string };
    const [row] = await app.sql<{ id: number }>('select version_id as id from upload where pk = $1', [pk]);
    const texts = Array.from({ length: 20 }, (_, index) => `t${index}: description { value }`).join(' ');
    const query = `subscription($id: ID!, $isLarge: Boolean!) {
      uploadChanged(id: $id) { stage addon @include(if: $isLarge) { ${texts} } } }`;
    const [large, small] = await Promise.all(
      [true, false].map((isLarge) => openEventStream(app.url, query, { id: globalId('Upload', pk), isLarge })),
    );
    open.push(large as EventStream, small as EventStream);
    const refusal = {
      errors: [{ message: expect.stringContaining('5 MB'), extensions: { code: 'RESPONSE_TOO_LARGE' } }],
    };
    expect(await large?.next()).toEqual(refusal);
    expect(await small?.next()).toEqual({ data: { uploadChanged: { stage: 'RECEIVED' } } });
    await advance(row?.id ?? 0, 'invalid');
    expect(await large?.next()).toEqual(refusal);
    expect(await large?.next()).toBeNull();
  });

  it('sends an error for an unknown upload and completes', async () => {
    const stream = await watch('0'.repeat(32));
    expect(await stream.next()).toMatchObject({
      errors: [{ message: 'Not found.', extensions: { code: 'NOT_FOUND' } }],
    });
    expect(await stream.next()).toBeNull();
  });

  it('sends heartbeats while nothing changes', async () => {
    const stream = await watch((await makeUpload('received')).pk);
    expect(await stageOf(stream)).toBe('RECEIVED');
    const waiting = stream.next().catch(() => null);
    await expect.poll(() => stream.comments(), { timeout: 20_000, interval: 50 }).toBeGreaterThan(1);
    stream.close();
    await waiting;
  });
});

describe('the listening connection', () => {
  it('is shared by all subscribers', async () => {
    const { pk } = await makeUpload('received');
    const sessions = async () =>
      (
        await app.sql(
          "select from pg_stat_activity where application_name = 'addons listen' and datname = current_database()",
        )
      ).length;
    const streams = [await watch(pk), await watch(pk), await watch(pk)];
    for (const stream of streams) await stageOf(stream);
    expect(await sessions()).toBe(1);
  });

  it('causes no reads of an upload after its last client has disconnected', async () => {
    const { pk, versionId } = await makeUpload('received');
    const streams = [await watch(pk), await watch(pk)];
    for (const stream of streams) await stageOf(stream);
    for (const stream of streams) stream.close();
    const readsAfterChange = () =>
      statementsDuring(async () => {
        for (const stage of ['validating', 'valid', 'received']) await advance(versionId, stage);
        await delay(50);
      });
    await expect.poll(readsAfterChange, { timeout: 10_000 }).toHaveLength(3);
  });
});
