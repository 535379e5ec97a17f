import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { writeZip } from '../package/zip/write-zip.ts';
import { CommandError, type Invocation, printResult } from './command.ts';

/** Packs a folder with a `manifest.json` into a new package. Hidden files stay out; equal folders give equal files. */
export async function packFolder(invocation: Invocation): Promise<void> {
  const [folder, file] = [invocation.argument('FOLDER'), invocation.argument('FILE')];
  const names = await fileNames(folder);
  if (!names.includes('manifest.json')) throw new CommandError(`${folder} has no manifest.json`);
  const sources = await Promise.all(names.map(async (name) => ({ name, data: await readFile(join(folder, name)) })));
  const { size, sha256 } = await writeZip(file, sources);
  printResult(invocation, { file, size, sha256 }, `${file}: ${names.length} files, ${size} bytes`);
}

async function fileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const paths = files.map((path) => path.split(sep));
  return paths
    .filter((path) => path.every((part) => !part.startsWith('.')))
    .map((path) => path.join('/'))
    .sort();
}
