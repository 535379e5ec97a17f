/**
 * The folder in which the linter processes of one pool have theirs. A killed parent cannot clean up after itself, so
 * folders carry its process id, and the next pool removes those whose process is gone.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../infra/process-pool/is-running.ts';

const FOLDER_NAME = /^package-linter-(\d+)-/;

/** Path of the unpacked package without errors that every process lints before it is ready. */
export const warmUpFolder = (poolFolder: string): string => join(poolFolder, 'warm-up');

/** Makes the folder of a pool inside `parent`, with the warm-up package in it; resolves to its path. */
export async function makePoolFolder(parent: string): Promise<string> {
  await removeAbandoned(parent);
  const folder = await mkdtemp(join(parent, `package-linter-${process.pid}-`));
  const warmUp = warmUpFolder(folder);
  await mkdir(warmUp);
  const manifest = { manifest_version: 2, name: 'Warm-up', version: '1.0', background: { scripts: ['script.js'] } };
  await writeFile(join(warmUp, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(warmUp, 'script.js'), 'const ready = () => true;\nready();\n');
  await writeFile(join(warmUp, 'page.html'), '<!doctype html><title>Warm-up</title>\n');
  return folder;
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = FOLDER_NAME.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}
