import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../crash/support/installation.ts';
import type { InstalledDatabase } from '../crash/support/installed-database.ts';
import { addons, PROGRAM, startProgram } from '../support/program.ts';

/** More than a copy handles before it notes its position. */
const FILES = 600;

interface Original {
  installation: Installation;
  database: InstalledDatabase;
  /** Those of its bucket. */
  settings: Record<string, string>;
}

/**
 * Copies the store of an installation from its folder to the bucket and back, each after a kill -9, backs the bucket up and restores the
 * backup to another place of the bucket. Returns what is wrong.
 */
export async function checkCopies({ installation, database, settings }: Original): Promise<string[]> {
  await addFiles(installation.dataDir, database);
  const own = { ...settings, DATA_DIR: installation.dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
  const problems = [
    ...(await copyTwice(['fs', 's3'], own, database)),
    ...(await copyTwice(['s3', 'fs'], own, database)),
  ];
  const inFolder = await run<Verified>(['storage', 'verify'], { ...own, STORAGE: 'fs' });
  const backup = join(installation.dataDir, '..', 'backup');
  const { copied } = await run<{ copied: number }>(['backup', backup], own);
  const other = join(installation.dataDir, '..', 'other');
  const restored = { ...own, DATA_DIR: other, DATABASE_URL: '', S3_PREFIX: 'restored' };
  await run(['restore', backup], restored);
  const inBucket = await run<Verified>(['storage', 'verify'], restored);
  console.log(
    `The folder has ${inFolder.checked} files after copies in both directions; ${copied} files were backed up from the bucket, and ` +
      `${inBucket.checked} restored to it.`,
  );
  for (const { lost, damaged } of [inFolder, inBucket]) problems.push(...lost, ...damaged);
  if (inFolder.checked < FILES) problems.push(`only ${inFolder.checked} files were copied`);
  if (new Set([inFolder.checked, copied, inBucket.checked]).size > 1) problems.push('the numbers of files differ');
  return problems;
}

interface Verified {
  checked: number;
  lost: string[];
  damaged: string[];
}

/** Small files in the folder, each with a row that references it. */
async function addFiles(dataDir: string, database: InstalledDatabase): Promise<void> {
  const names: string[] = [];
  for (let file = 0; file < FILES; file++) {
    const bytes = randomBytes(16);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const folder = join(dataDir, 'blobs', sha256.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, sha256), bytes);
    names.push(sha256);
  }
  await database.query(
    `INSERT INTO picture_rendition (source_sha256, name, sha256) SELECT name, 'x', name FROM unnest($1::text[]) name`,
    [names],
  );
}

/** Kills a copy once it has noted its position, and runs it again. */
async function copyTwice(
  stores: [string, string],
  settings: Record<string, string>,
  database: InstalledDatabase,
): Promise<string[]> {
  const words = ['storage', 'copy', ...stores];
  const killed = startProgram(settings, { args: [PROGRAM, ...words] });
  while ((await database.query(`SELECT FROM service_state WHERE name = 'storage-copy'`)).length === 0) await sleep(10);
  await killed.end('SIGKILL');
  const { copied, present, resumed, ...found } = await run<Verified & Record<string, number>>(words, settings);
  console.log(`${words.join(' ')}: ${copied} files copied, ${present} present, ${resumed} before the kill.`);
  const problems = [...found.lost, ...found.damaged].map((sha256) => `${words.join(' ')} lost ${sha256}`);
  return (resumed ?? 0) > 0 ? problems : [...problems, `${words.join(' ')} did not continue after a kill`];
}

/** Runs a command and returns the JSON that it prints. */
async function run<Result>(words: string[], settings: Record<string, string>): Promise<Result> {
  const { code, stdout, stderr } = await addons([...words, '--json'], settings);
  if (code !== 0) throw new Error(`addons ${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as Result;
}
