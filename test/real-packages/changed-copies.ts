import { readFile, writeFile } from 'node:fs/promises';
import { openZip } from '../../src/package/zip/read-zip.ts';
import { writeZip, type ZipSource } from '../../src/package/zip/write-zip.ts';
import type { ZipArchive, ZipEntry } from '../../src/package/zip/zip-archive.ts';

/** A copy of a signed file whose content is no longer what was signed. All but the last are well-formed archives. */
export interface ChangedCopy {
  name: string;
  /** Writes the copy of `archive` to `path`, which does not exist. */
  write(archive: ZipArchive, path: string): Promise<unknown>;
}

export const changedCopies: ChangedCopy[] = [
  {
    name: 'one bit of one file is flipped',
    write: async (archive, path) => {
      const victim = victimOf(archive);
      const data = flipBit(await archive.read(victim), 0);
      return writeZip(
        path,
        sourcesOf(archive).map((source) => (source.name === victim.name ? { name: source.name, data } : source)),
      );
    },
  },
  {
    name: 'a file is added',
    write: (archive, path) => writeZip(path, [...sourcesOf(archive), { name: 'added.js', data: Buffer.from('1;\n') }]),
  },
  {
    name: 'a file is removed',
    write: (archive, path) =>
      writeZip(
        path,
        sourcesOf(archive).filter(({ name }) => name !== victimOf(archive).name),
      ),
  },
  {
    name: 'one bit of the archive is flipped',
    write: async (archive, path) => {
      const { dataOffset, compressedSize } = victimOf(archive);
      const whole = await readFile(archive.path);
      return writeFile(path, flipBit(whole, dataOffset + (compressedSize >> 1)));
    },
  },
];

/** Opens a signed file and writes a changed copy of it. */
export async function writeChangedCopy(signed: string, copy: ChangedCopy, path: string): Promise<void> {
  const archive = await openZip(signed);
  try {
    await copy.write(archive, path);
  } finally {
    await archive.close();
  }
}

/** Any file with content that is not part of the signature, and that no reader needs in order to tell what the add-on is. */
function victimOf(archive: ZipArchive): ZipEntry {
  const isOrdinary = ({ name, size }: ZipEntry) =>
    !name.startsWith('META-INF/') && name !== 'manifest.json' && size > 0;
  const victim = archive.entries.findLast(isOrdinary);
  if (victim === undefined) throw new Error('There is no file to change.');
  return victim;
}

const sourcesOf = (archive: ZipArchive): ZipSource[] =>
  archive.entries
    .filter(({ directory }) => !directory)
    .map((entry) => ({ name: entry.name, copy: { archive, entry } }));

function flipBit(bytes: Buffer, offset: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[offset] = (changed[offset] ?? 0) ^ 1;
  return changed;
}
