import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { blobFile } from '../support/blob-file.ts';
import { addon } from '../support/factories.ts';

const PROCESS = join(import.meta.dirname, '../support/store-pictures-process.ts');
const ROUNDS = 4;
const LIMIT_MS = 120_000;

const app = setUpApp();

/** Starts the process that stores pictures, kills it `afterMs` after it printed `lines` lines. Returns the printed lines. */
async function runAndKill(args: unknown[], lines: number, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [PROCESS, ...args.map(String)], {
    env: { DATABASE_URL: app.config.DATABASE_URL, DATA_DIR: app.config.DATA_DIR, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const exited = once(child, 'exit');
  await expect.poll(() => printed.split('\n').length, { timeout: LIMIT_MS / ROUNDS }).toBeGreaterThan(lines);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return printed.split('\n').slice(0, -1);
}

const hashOf = async (sha256: string) =>
  createHash('sha256')
    .update(await readFile(blobFile(app.config.DATA_DIR, sha256)))
    .digest('hex');

describe('a process that is killed while it stores pictures', () => {
  it(
    'leaves every acknowledged picture complete, and a sweep empties the staging folder',
    async () => {
      const { sweepStaging } = await import('../../src/infra/staging/staging.ts');
      const sweptStaging = async () => {
        await sweepStaging({ ownerGoneMs: 0 });
        return readdir(join(app.config.DATA_DIR, 'blobs/staging'));
      };
      const { collectBlobs } = await import('../../src/domain/maintenance/collect-blobs.ts');
      const { accountId } = await app.developer();
      for (let round = 0; round < ROUNDS; round++) {
        const { id } = await addon({ authors: [accountId ?? 0] });
        const printed = await runAndKill([accountId, id, round], 2 + round, round * 7);

        const previews = await app.sql<Record<'id' | 'image_sha256' | 'thumbnail_sha256', string>>(
          'select id, image_sha256, thumbnail_sha256 from preview where addon_id = $1',
          [id],
        );
        const stored = previews.map((preview) => `preview ${preview.id}`);
        expect(stored).toEqual(expect.arrayContaining(printed.filter((line) => line.startsWith('preview'))));
        const [row] = await app.sql<{ icon: string; renditions: string[] }>(
          `select a.icon_sha256 as icon, array_agg(r.sha256) as renditions from addon a
         join picture_rendition r on r.source_sha256 = a.icon_sha256 where a.id = $1 group by 1`,
          [id],
        );
        expect(row?.renditions.length).toBe(2);
        const referenced = [
          row?.icon ?? '',
          ...(row?.renditions ?? []),
          ...previews.flatMap((p) => [p.image_sha256, p.thumbnail_sha256]),
        ];
        for (const sha256 of referenced) expect(await hashOf(sha256)).toBe(sha256);

        // The database ends the session of the killed process, and its lock, shortly after the kill.
        await expect.poll(() => sweptStaging()).toEqual([]);
        await collectBlobs({ graceMs: 0 });
        for (const sha256 of referenced) expect(await hashOf(sha256)).toBe(sha256);
      }
    },
    LIMIT_MS,
  );
});
