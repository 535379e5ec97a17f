/*
 * A catalogue as one file: a tar archive of `catalogue.jsonl`, or `catalogue.jsonl.gz`, and of the packages and pictures that its lines
 * name.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import tar from 'tar-stream';
import { UnreadableFileError } from './line-file.ts';

const ARCHIVE = /\.(tar|tar\.gz|tgz|tar\.zst)$/;
const LINE_FILES = ['catalogue.jsonl', 'catalogue.jsonl.gz'];

/**
 * Calls `work` with the path of the file of lines. An archive (`.tar`, `.tar.gz`, `.tgz`, `.tar.zst`) is unpacked into a temporary folder that
 * exists until `work` ends; every other path is passed as it is.
 * @throws {UnreadableFileError} for an archive that is damaged, has no file of lines, or has entries other than files within its folder.
 */
export async function withCatalogueFile<T>(path: string, work: (file: string) => Promise<T>): Promise<T> {
  if (!ARCHIVE.test(path)) return work(path);
  const folder = await mkdtemp(join(tmpdir(), 'addons-catalogue-'));
  try {
    await unpack(path, folder);
    return await work(await findLineFile(path, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function findLineFile(path: string, folder: string): Promise<string> {
  for (const name of LINE_FILES) {
    const file = join(folder, name);
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  throw new UnreadableFileError(`${path} has no ${LINE_FILES.join(' or ')}`);
}

async function unpack(path: string, folder: string): Promise<void> {
  const extract = tar.extract();
  const source = createReadStream(path);
  const read = path.endsWith('.tar')
    ? pipeline(source, extract)
    : pipeline(source, path.endsWith('.zst') ? createZstdDecompress() : createGunzip(), extract);
  // Reported by the loop, which ends with the same error.
  read.catch(() => {});
  try {
    for await (const entry of extract) {
      const { name, type } = entry.header;
      if (type === 'directory') entry.resume();
      else await writeEntry(entry, type === 'file' ? placeOf(folder, name) : null, name);
    }
    await read;
  } catch (error) {
    throw error instanceof UnreadableFileError
      ? error
      : new UnreadableFileError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Where an entry is written; null for a name that leaves the folder. */
function placeOf(folder: string, name: string): string | null {
  const place = join(folder, normalize(name));
  return place.startsWith(`${folder}/`) && !name.includes('\0') ? place : null;
}

async function writeEntry(entry: AsyncIterable<unknown>, place: string | null, name: string): Promise<void> {
  if (place === null)
    throw new UnreadableFileError(`the archive's entry ${JSON.stringify(name)} is no file within its folder`);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await pipeline(entry, createWriteStream(place, { flags: 'wx', mode: 0o600 }));
}
