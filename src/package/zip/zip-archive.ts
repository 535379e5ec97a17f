import type { Buffer } from 'node:buffer';
import type { Container } from './container-rules.ts';

/** One member of an archive that passed every check of `openZip`. Sizes and offsets are in bytes. */
export interface ZipEntry {
  /** The full path inside the archive, with `/` between its parts; a directory's ends in `/`. */
  name: string;
  directory: boolean;
  /** 0 = stored, 8 = deflated. */
  method: 0 | 8;
  /** CRC-32 of the inflated content. */
  crc32: number;
  compressedSize: number;
  size: number;
  /** Where the compressed body starts in the archive. */
  dataOffset: number;
  /** SHA-256 of the inflated content, when the archive was opened with `digests`; a directory has none. */
  sha256?: Buffer;
}

/** An open, completely verified archive. It holds a file handle until `close`, and never more than a few MB of content. */
export interface ZipArchive {
  path: string;
  /** Size of the archive file in bytes. */
  size: number;
  /** In the order of the central directory. */
  entries: ZipEntry[];
  /** Whether the container has only what one that is published as it is may have. */
  isPlain: boolean;
  /** The inflated content; refuses more than `cap` bytes, and content whose size or CRC is not the declared one. */
  read(entry: ZipEntry, cap?: number): Promise<Buffer>;
  /** Passes the inflated content to `take` in pieces, with the checks of `read`; it may throw after the last piece. */
  readTo(entry: ZipEntry, take: (piece: Buffer) => void): Promise<void>;
  /** Passes the compressed body to `take` in pieces and awaits each call; one body at a time. */
  readRawTo(entry: ZipEntry, take: (piece: Buffer) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Limits of an archive, and work on its contents during verification, which saves a second read. */
export interface OpenZipOptions extends Partial<ZipLimits> {
  /** `plain` by default. */
  container?: Container;
  /** Whether to hash the content of every file; may depend on the names of the entries. */
  digests?: boolean | ((names: readonly string[]) => boolean);
  /** Called with the inflated content of every file in pieces, which must not be kept. The archive may still be refused. */
  visit?: (entry: ZipEntry, piece: Buffer) => void;
}

/** Limits of an archive; sizes are in bytes. */
export interface ZipLimits {
  /** Size of the archive file. */
  archiveBytes: number;
  /** Inflated size of all entries together. */
  inflatedBytes: number;
  /** How many entries, directories included. */
  entries: number;
  /** Inflated bytes per compressed byte, for entries that inflate to more than 1 MiB. */
  ratio: number;
  /** Length of one entry name in UTF-8. */
  nameBytes: number;
  /** Size of one entry, inflated or not. */
  entryBytes: number;
}

/** Limits of a package: 200 MB, 500 MB inflated, 20,000 entries, 200 to 1, 512 bytes a name, 104,857,600 bytes an entry. */
export const DEFAULT_ZIP_LIMITS: ZipLimits = {
  archiveBytes: 200 * 1024 * 1024,
  inflatedBytes: 500 * 1024 * 1024,
  entries: 20_000,
  ratio: 200,
  nameBytes: 512,
  entryBytes: 104_857_600,
};
