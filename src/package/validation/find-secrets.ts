import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { openZip } from '../zip/read-zip.ts';

/** The largest entry that is searched, in bytes; `openZip` refuses packages with larger ones. */
const ENTRY_LIMIT = 104_857_600;

/** A shorter text is no secret, and would be found everywhere. */
const SHORTEST_SECRET = 16;

/**
 * Names of the files in the package at `path` that contain one of `secrets` as plain bytes, in the order of the archive.
 * One file is unpacked at a time. An OpenSearch package is no archive but one XML file, which goes by its own name.
 * Throws PackageError when the archive cannot be read completely.
 */
export async function findSecrets(path: string, format: string, secrets: readonly string[]): Promise<string[]> {
  const needles = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).map((secret) => Buffer.from(secret));
  if (needles.length === 0) return [];
  const holdsSecret = (bytes: Buffer) => needles.some((needle) => bytes.includes(needle));
  if (format === 'opensearch') return holdsSecret(await readFile(path)) ? [basename(path)] : [];
  const archive = await openZip(path);
  try {
    const found: string[] = [];
    for (const entry of archive.entries) {
      if (!entry.directory && holdsSecret(await archive.read(entry, ENTRY_LIMIT))) found.push(entry.name);
    }
    return found;
  } finally {
    await archive.close();
  }
}
