import type { ZipLimits } from './zip-archive.ts';

/** Limits of a package: 200 MB, 500 MB inflated, 20,000 entries, 200 to 1, 512 bytes a name, 104,857,600 bytes an entry. */
export const DEFAULT_ZIP_LIMITS: ZipLimits = {
  archiveBytes: 200 * 1024 * 1024,
  inflatedBytes: 500 * 1024 * 1024,
  entries: 20_000,
  ratio: 200,
  nameBytes: 512,
  entryBytes: 104_857_600,
};
