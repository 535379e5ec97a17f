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
