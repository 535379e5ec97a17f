/*
 * Writes during measured reads: edits of random add-ons and counted downloads at fixed rates, with a worker and its scheduled
 * jobs. They reveal read paths that are only fast without changes.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { childEnvironment } from '../../src/config.ts';
import { randomFor } from '../world/random.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'src', 'addons.js');
const EDITS_PER_SECOND = 20;
const DOWNLOADS_PER_SECOND = 200;
const TICK_MS = 50;
const DOWNLOADED_FILES = 500;
const EDITED_ADDONS = 2_000;
const WORKER_START_MS = 5_000;

/** The target of downloads: the generated catalogue has no packages, and a redirect counts like a delivery. */
export const MIRROR_URL = 'http://mirror.example';

const EDIT = `mutation Edit($input: UpdateAddonInput!) {
  updateAddon(input: $input) { ... on UpdateAddonPayload { addon { id } } ... on UserError { message } }
}`;

/** Completed writes per second while a load ran. */
export interface WriteRates {
  edits: number;
  downloads: number;
}

export interface Writer {
  /** Starts a worker and the writes; `stop` resolves to the rates. @throws {Error} if a write fails. */
  start(): Promise<{ stop(): Promise<WriteRates> }>;
}

/**
 * Prepares a database for writes: an account that is an author of some random add-ons, and files that count as stored.
 * @param settings those of the service.
 */
export async function prepareWrites(
  database: pg.Client,
  url: string,
  settings: Record<string, string>,
): Promise<Writer> {
  const { name, token } = await createEditor(settings);
  // An edit by staff would also write to the audit log, in which one transaction waits for the other.
  const { rows: addons } = await database.query<{ id: number; locale: string }>(
    `WITH edited AS (
       SELECT id, default_locale AS locale FROM addon WHERE status = 'public' AND type <> 'persona'
        ORDER BY hashint4(id) LIMIT ${EDITED_ADDONS}
     ), owned AS (
       INSERT INTO addon_author (addon_id, account_id, role, listed)
       SELECT edited.id, account.id, 'owner', false FROM edited, account WHERE username = $1
     ) SELECT id, locale FROM edited ORDER BY id`,
    [name],
  );
  const { rows: files } = await database.query<{ id: number }>(
    `UPDATE file SET is_stored = true WHERE id IN (
       SELECT f.id FROM file f JOIN addon a ON a.current_version_id = f.version_id
       WHERE a.status = 'public' AND f.status = 4 ORDER BY a.weekly_downloads DESC, f.id LIMIT ${DOWNLOADED_FILES})
     RETURNING id`,
  );
  const random = randomFor('writes', 4).share;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  let edition = 0;
  const edit = async (): Promise<void> => {
    const { id, locale } = pick(addons);
    const summary = [{ locale, value: `Edition ${++edition}` }];
    const input = { id: Buffer.from(`Addon:${id}`).toString('base64'), summary };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify({ query: EDIT, variables: { input } });
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    const text = await response.text();
    if (!text.includes('"addon":{"id"')) throw new Error(`an edit failed: ${text}`);
  };
  const download = async (): Promise<void> => {
    const response = await fetch(`${url}/downloads/file/${pick(files).id}/file.xpi?src=`, { redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status !== 302) throw new Error(`a download returned ${response.status}`);
  };
  return { start: () => startWriting(edit, download, settings) };
}

async function createEditor(settings: Record<string, string>): Promise<{ name: string; token: string }> {
  const env = childEnvironment(settings);
  const addons = async (...words: string[]) =>
    (await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env })).stdout;
  const name = `bench-${Date.now().toString(36)}`;
  await addons('user', 'create', '--username', name, '--email', `${name}@example.org`);
  const { token } = JSON.parse(await addons('token', 'create', '--user', name, '--json')) as { token: string };
  return { name, token };
}

async function startWriting(
  edit: () => Promise<void>,
  download: () => Promise<void>,
  settings: Record<string, string>,
): Promise<{ stop(): Promise<WriteRates> }> {
  const worker = spawn(process.execPath, [PROGRAM, 'worker'], {
    env: childEnvironment(settings),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => worker.kill('SIGKILL'));
  await sleep(WORKER_START_MS);
  const done = { edits: 0, downloads: 0 };
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const send = (kind: keyof WriteRates, write: () => Promise<void>): void => {
    const request = write()
      .then(() => {
        done[kind] += 1;
      })
      .catch((error: unknown) => failures.push(new Error(`One of the ${kind} failed.`, { cause: error })))
      .finally(() => running.delete(request));
    running.add(request);
  };
  const started = performance.now();
  const sent = { edits: 0, downloads: 0 };
  const sendDue = (kind: keyof WriteRates, perSecond: number, write: () => Promise<void>): void => {
    const due = ((performance.now() - started) / 1000) * perSecond;
    for (; sent[kind] < due; sent[kind]++) send(kind, write);
  };
  const timer = setInterval(() => {
    sendDue('edits', EDITS_PER_SECOND, edit);
    sendDue('downloads', DOWNLOADS_PER_SECOND, download);
  }, TICK_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running);
      const seconds = (performance.now() - started) / 1000;
      const exited = once(worker, 'exit');
      worker.kill('SIGTERM');
      await exited;
      if (failures.length > 0) throw failures[0];
      return { edits: done.edits / seconds, downloads: done.downloads / seconds };
    },
  };
}
