/*
 * A backup is a folder:
 *   backup.json            what it has, with the hash of every other file but those of `keys`; written last
 *   database/*.copy.zst    one file per table: COPY text, zstd
 *   files.list             the hash of every stored file that rows reference; `t` after those that must exist
 *   files/ab/<sha256>      the stored files
 *   keys/                  key files of DATA_DIR
 *   log.checkpoint         the newest signed checkpoint of the logs
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';

/** The newest format that this program reads, and the one that it writes. */
const FORMAT = 1;

export const MANIFEST_NAME = 'backup.json';
export const FILE_LIST = 'files.list';
export const CHECKPOINT_NAME = 'log.checkpoint';

/** A backup cannot be made, read or restored; the message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const name = z.object({ schema: z.string(), name: z.string() });
const hashed = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int() });

const tableSchema = name.extend({
  /** Those of the file, in its order. */
  columns: z.array(z.string()),
  rows: z.int(),
  /** Below the folder of the backup. */
  file: z.string().regex(/^database\/[\w.]+$/),
  ...hashed.shape,
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Version of the program that made it. */
  release: z.string(),
  /** Time of the snapshot of the database. */
  created: z.iso.datetime(),
  installation: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(tableSchema),
  /** Partitions by the tables that they are of, with their bounds as in SQL. */
  partitions: z.array(name.extend({ parent: name, bound: z.string() })),
  sequences: z.array(name.extend({ value: z.string() })),
  files: z.object({ count: z.int(), ...hashed.shape }),
  /** Files that rows need and that the store did not have when the backup was made. */
  missing: z.array(z.object({ sha256: z.string(), problem: z.enum(['lost', 'damaged']) })),
  /** Paths below `keys`. */
  keys: z.array(z.string()),
});

export type TableDump = z.infer<typeof tableSchema>;
export type BackupManifest = z.infer<typeof manifestSchema>;
export type NewManifest = Omit<BackupManifest, 'format'>;

/** The text of the file that describes a backup. */
export const manifestText = (manifest: NewManifest): string =>
  `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;

/** Reads the manifest of a backup. @throws {BackupError} for a folder that is none, and for a newer format. */
export async function readBackup(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST_NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${folder} is no complete backup: ${MANIFEST_NAME} cannot be read (${error.code}).`);
  });
  const parsed = parseJson(text);
  const { format } = (parsed ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format > FORMAT) {
    throw new BackupError(`${folder} has format ${format}, which a newer release wrote. Restore it with that release.`);
  }
  const manifest = manifestSchema.safeParse(parsed);
  if (manifest.success) return manifest.data;
  throw new BackupError(`${join(folder, MANIFEST_NAME)} is damaged: ${z.prettifyError(manifest.error)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Size and hash of a file. */
interface Hashed {
  sha256: string;
  bytes: number;
}

/** A stream that passes all bytes on and hashes them. */
function hashing(): { stream: Transform; result(): Hashed } {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ sha256: hash.digest('hex'), bytes }) };
}

/** Writes a stream to a durable file that only this user can read, through `steps`, and hashes what is written. */
export async function writeHashed(path: string, source: Readable, ...steps: Transform[]): Promise<Hashed> {
  const { stream, result } = hashing();
  await pipeline([source, ...steps, stream, createWriteStream(path, { mode: 0o600, flush: true })]);
  return result();
}

/** Reads a file. */
export async function hashFile(path: string): Promise<Hashed> {
  const { stream, result } = hashing();
  await pipeline(createReadStream(path), stream.resume());
  return result();
}
