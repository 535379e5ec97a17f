import { readFile, writeFile } from 'node:fs/promises';
import { openZip } from '../../src/package/zip/read-zip.ts';
import { writeZip, type ZipSource } from '../../src/package/zip/write-zip.ts';
import type { ZipArchive, ZipEntry } from '../../src/package/zip/zip-archive.ts';

/** A modified copy of a signed file. All except the last are well-formed archives. */
export interface ChangedCopy {
  name: string;
  /** Writes the copy of `archive` to `path`, which does not exist. */
  write(archive: ZipArchive, path: string): Promise<unknown>;
}

export const changedCopies: ChangedCopy[] = [
  {
    name: 'one bit of one file is flipped',
    write: async (archive, path) => {
      const file = changeableFileOf(archive);
      const data = flipBit(await archive.read(file), 0);
      return writeZip(
        path,
        sourcesOf(archive).map((source) => (source.name === file.name ? { name: source.name, data } : source)),
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
        sourcesOf(archive).filter(({ name }) => name !== changeableFileOf(archive).name),
      ),
  },
  {
    name: 'one bit of the archive is flipped',
    write: async (archive, path) => {
      const { dataOffset, compressedSize } = changeableFileOf(archive);
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

/** A file with content that is neither part of the signature nor the manifest. */
function changeableFileOf(archive: ZipArchive): ZipEntry {
  const isOrdinary = ({ name, size }: ZipEntry) =>
    !name.startsWith('META-INF/') && name !== 'manifest.json' && size > 0;
  const file = archive.entries.findLast(isOrdinary);
  if (file === undefined) throw new Error('There is no file to change.');
  return file;
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
