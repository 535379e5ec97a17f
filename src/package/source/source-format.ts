import type { Buffer } from 'node:buffer';

/** Formats of archives of source code. `tar.gz` includes `.tgz`. */
export type SourceFormat = 'zip' | 'tar.gz' | 'tar.bz2';

const FORMATS: readonly (readonly [RegExp, SourceFormat])[] = [
  [/.\.zip$/i, 'zip'],
  [/.\.(?:tar\.gz|tgz)$/i, 'tar.gz'],
  [/.\.tar\.bz2$/i, 'tar.bz2'],
];

/** The format that a file name declares, in any case; null for names of other files. */
export function sourceFormat(fileName: string): SourceFormat | null {
  return FORMATS.find(([pattern]) => pattern.test(fileName))?.[1] ?? null;
}

/** First bytes of formats, as Latin-1. Formats that are not accepted are recognised for the message. */
const MAGIC: readonly (readonly [string, string])[] = [
  ['PK', 'zip'],
  ['\x1f\x8b', 'tar.gz'],
  ['BZh', 'tar.bz2'],
  ['\xfd7zXZ\0', 'xz'],
  ['7z\xbc\xaf\x27\x1c', '7z'],
  ['Rar!', 'rar'],
  ['\x28\xb5\x2f\xfd', 'zst'],
];

/** The format that the first bytes of a file show; null for no known one. */
export function contentFormat(head: Buffer): string | null {
  const text = head.toString('latin1');
  return MAGIC.find(([magic]) => text.startsWith(magic))?.[1] ?? null;
}
