import type { Buffer } from 'node:buffer';

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
  /** The inflated content; refuses more than `cap` bytes, and content whose size or CRC is not the declared one. */
  read(entry: ZipEntry, cap?: number): Promise<Buffer>;
  /** The body as it lies in the archive. */
  readRaw(entry: ZipEntry): Promise<Buffer>;
  /** Hands the inflated content to `take` in pieces, with the checks of `read`; a refusal may come after the last piece. */
  readTo(entry: ZipEntry, take: (piece: Buffer) => void): Promise<void>;
  /** Hands the body as it lies in the archive to `take` in pieces, each after the promise of the one before is fulfilled; one body at a time. */
  readRawTo(entry: ZipEntry, take: (piece: Buffer) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** What an archive may cost, and what else to do with its contents while they are verified, which saves reading them again. */
export interface OpenZipOptions extends Partial<ZipLimits> {
  /** Hash the content of every file: always, or when the names in the directory say so. */
  digests?: boolean | ((names: readonly string[]) => boolean);
  /** Sees the inflated content of every file in pieces, which are not to be kept. A refusal of the archive may still follow. */
  visit?: (entry: ZipEntry, piece: Buffer) => void;
}

/** What an archive may cost. */
export interface ZipLimits {
  /** Size of the archive file. */
  archiveBytes: number;
  /** Inflated size of all entries together. */
  inflatedBytes: number;
  /** How many entries, directories included. */
  entries: number;
  /** Inflated bytes for one compressed byte; counts for what inflates to more than 1 MiB only. */
  ratio: number;
  /** Length of one entry name in UTF-8. */
  nameBytes: number;
  /** Size of one entry, inflated or not. */
  entryBytes: number;
}
