/*
 * Notifications of the stages of versions, and of uploads before they are versions: one LISTEN connection per process, open
 * while there are watchers. Triggers notify in the transaction of every change of a stage
 * (`prisma/definitions/stage-notifications.sql`).
 */
import { EventEmitter, on } from 'node:events';
import pg from 'pg';
import { connectionSettings } from './db.ts';
import { log } from './log.ts';

/**
 * The new stages of one version or upload from the start of the watch; null after a lost connection, and when an upload is
 * submitted or removed: read it instead. Ends when the consumer leaves the loop.
 */
export interface StageChanges extends AsyncIterable<[stage: string | null]> {
  /** Resolves once the connection listens. Later events are newer than any read of the version from then on. */
  listening: Promise<void>;
  close(): void;
}

const CHANNEL = 'version_stage';
const RETRY_MS = { first: 100, max: 5_000 } as const;
const PING_MS = 15_000;
const IDLE_MS = 1_000;
const RESPONSE_MS = 5_000;

/** Emits each new stage under the key of its version or upload. */
const stages = new EventEmitter().setMaxListeners(0);
let connection: Promise<pg.Client> | undefined;

const keyOf = ({ versionId, uploadId }: { versionId?: number; uploadId?: number }): string =>
  versionId === undefined ? `upload ${uploadId}` : `version ${versionId}`;

/** The keys of watched versions and uploads. `on` listens to errors, too. */
const watched = () => stages.eventNames().filter((name) => name !== 'error');

/** Starts to watch a version, or an upload that is not submitted. The caller must call `close`. */
export function watchStages(watchedRow: { versionId: number } | { uploadId: number }): StageChanges {
  const changes = on(stages, keyOf(watchedRow)) as AsyncIterableIterator<[string | null]>;
  connection ??= connect();
  const listening = connection.then(() => {});
  // The consumer may leave before it waits.
  listening.catch(() => {});
  return {
    listening,
    close: () => {
      void changes.return?.();
      if (watched().length === 0) setTimeout(closeIdle, IDLE_MS).unref();
    },
    [Symbol.asyncIterator]: () => changes,
  };
}

async function closeIdle(): Promise<void> {
  if (watched().length > 0) return;
  const open = connection;
  connection = undefined;
  await (await open?.catch(() => undefined))?.end();
}

/** Connects with retries, because watchers outlast short outages of the database. Gives up once no watcher is left. */
async function connect(): Promise<pg.Client> {
  for (let wait: number = RETRY_MS.first; ; wait = Math.min(wait * 2, RETRY_MS.max)) {
    try {
      return await listen();
    } catch (error) {
      if (connection === undefined) throw error;
      log.warn({ err: error }, 'Listening for version stages failed; it is retried.');
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
    }
  }
}

async function listen(): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionSettings('addons listen'),
    connectionTimeoutMillis: RESPONSE_MS,
    query_timeout: RESPONSE_MS,
  });
  client.on('notification', ({ payload }) => deliver(payload ?? ''));
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  const ping = setInterval(() => client.query('SELECT 1').catch(() => client.end()), PING_MS).unref();
  client.once('end', () => {
    clearInterval(ping);
    void replace(client);
  });
  return client;
}

/** Replaces a lost connection unless it was closed on purpose, and makes every watcher read its version or upload. */
async function replace(lost: pg.Client): Promise<void> {
  const current = await connection?.catch(() => undefined);
  if (current !== lost) return;
  connection = connect();
  if ((await connection.catch(() => null)) === null) return;
  for (const name of watched()) stages.emit(name, null);
}

function deliver(payload: string): void {
  const { stage, ...ids } = JSON.parse(payload) as { versionId?: number; uploadId?: number; stage: string | null };
  stages.emit(keyOf(ids), stage);
}
