/* One process of `collections.ts`. Arguments: its role, and the grace period in milliseconds. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../src/config.ts';
import { withoutUse } from '../../src/domain/maintenance/verify-store.ts';
import { openStore } from '../../src/infra/blob-store/blobs.ts';
import { closeDatabase, pool } from '../../src/infra/db.ts';

const FILES = 12;
const [role = '', grace = ''] = process.argv.slice(2);
const graceMs = Number(grace);
const store = openStore(config.STORAGE);
await mkdir(config.DATA_DIR, { recursive: true });

const ROLES: Record<string, () => Promise<unknown>> = {
  store: () => repeat(storeOne),
  collect: () => repeat(() => collect(graceMs)),
  check: () => repeat(checkAll),
  finish: async () => {
    await store.reconcile();
    await collect(-1);
    await checkAll();
  },
};
await ROLES[role]?.();
await closeDatabase();

async function repeat(work: () => Promise<unknown>): Promise<never> {
  for (let isFirst = true; ; isFirst = false) {
    // An outage of the database or the bucket, as on a machine that is busy, interrupts like a kill.
    await work().catch(() => {});
    if (isFirst) console.log('ready');
    await sleep(Math.random() * 50);
  }
}

/** Stores a file, references it within the grace period, as a transaction after an upload does, and perhaps ends the reference. */
async function storeOne(): Promise<void> {
  const text = `file ${Math.floor(Math.random() * FILES)}`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  const path = join(config.DATA_DIR, `new-${randomUUID()}`);
  await writeFile(path, text);
  const latest = Date.now() + graceMs / 2;
  await store.put({ path, sha256 });
  const source = randomUUID();
  // A process that was stopped after it stored the file is too late, as a transaction of a day later would be.
  const { rowCount } = await pool.query(
    `INSERT INTO picture_rendition (source_sha256, name, sha256)
     SELECT $1, 'x', $2 WHERE now() < to_timestamp($3::float8 / 1000)`,
    [source, sha256, latest],
  );
  if (rowCount === 0) return;
  await sleep(Math.random() * 300);
  await pool.query('DELETE FROM picture_rendition WHERE sha256 = $1 AND random() < 0.8', [sha256]);
}

/** As the job: what is old and not referenced. */
async function collect(olderThanMs: number): Promise<void> {
  for await (const { sha256, modified } of store.entries()) {
    if (Date.now() - modified < olderThanMs) continue;
    if ((await withoutUse([sha256])).length > 0) await store.remove(sha256, olderThanMs);
  }
}

/** A file that is referenced before and after it is read, by the same row, must have been there. */
async function checkAll(): Promise<void> {
  const { rows } = await pool.query<{ source: string; sha256: string }>(
    'SELECT source_sha256 AS source, sha256 FROM picture_rendition',
  );
  for (const { source, sha256 } of rows) {
    const problem = await openStore(config.STORAGE).check(sha256);
    if (problem === null) continue;
    const { rowCount } = await pool.query('SELECT FROM picture_rendition WHERE source_sha256 = $1', [source]);
    if (rowCount === 0) continue;
    console.log(`${sha256} is ${problem}, and referenced`);
    process.exit(1);
  }
}
