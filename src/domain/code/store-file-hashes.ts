/*
 * Stores the hashes of the files of every package, so that reviewers see which other add-ons have a file. A scheduled job reads the
 * packages that were not read yet: new ones within a minute, and gradually those of an older installation. A package that cannot
 * be read gets a job of its own, which is retried like all jobs. Several workers may read the same package; its hashes are stored once.
 */
import { PackageError, ServiceError, UnavailableError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import { isReadOnly } from '../../infra/read-only.ts';
import { enqueue, hashPackageTask } from '../../jobs/tasks.ts';
import { packageFiles } from './read-code.ts';

/** In bytes; smaller files are alike by chance. */
export const MIN_HASHED_SIZE = 256;

const BATCH = 20;
/** How long one run of the job reads packages, in milliseconds. */
const RUN_MS = 40_000;

/** Stores the hashes of packages until all are stored, the time is over or the worker stops; newest packages first. */
export async function storeFileHashes(stopping?: AbortSignal): Promise<void> {
  const end = performance.now() + RUN_MS;
  while (performance.now() < end && !(await isReadOnly())) {
    const files = await db.file.findMany({
      where: { areFilesHashed: false, isStored: true, format: { not: 'opensearch' } },
      orderBy: { id: 'desc' },
      select: { id: true, originalSha256: true },
      take: BATCH,
    });
    if (files.length === 0) return;
    for (const { id, originalSha256 } of files) {
      if (stopping?.aborted) return;
      try {
        await storeHashes(id, await hashesOf(originalSha256));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        await passToJob(id);
        // The others could probably not be read either.
        if (error instanceof UnavailableError) return;
      }
    }
  }
}

/**
 * Stores the hashes of a package that could not be read before.
 * @throws {ServiceError} when it cannot be read now, so that the job is retried.
 */
export async function hashPackage(fileId: number): Promise<void> {
  const file = await db.file.findUnique({ where: { id: fileId, isStored: true }, select: { originalSha256: true } });
  if (file !== null) await storeHashes(fileId, await hashesOf(file.originalSha256));
}

/** Leaves a package to a job. */
async function passToJob(fileId: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.file.update({ where: { id: fileId }, data: { areFilesHashed: true } });
    await enqueue(tx, hashPackageTask, { fileId });
  });
}

/**
 * SHA-256 (hex) of the files of a package; none of one that is no valid archive, which no attempt changes.
 * @throws {ServiceError} when it is lost, exceeds the limits, or cannot be read now.
 */
async function hashesOf(sha256: string): Promise<string[]> {
  try {
    const files = await packageFiles(sha256, null);
    return [...new Set(files.filter(({ size }) => size >= MIN_HASHED_SIZE).map((file) => file.sha256))];
  } catch (error) {
    if (error instanceof PackageError) return [];
    throw error;
  }
}

async function storeHashes(fileId: number, hashes: readonly string[]): Promise<void> {
  await db.$transaction([
    db.$executeRaw`INSERT INTO package_file (sha256, addon_id, file_id)
      SELECT decode(hex, 'hex'), v.addon_id, f.id FROM unnest(${hashes}::text[]) AS hex, file f JOIN version v ON v.id = f.version_id
      WHERE f.id = ${fileId}
      ON CONFLICT DO NOTHING`,
    db.$executeRaw`UPDATE file SET are_files_hashed = true WHERE id = ${fileId}`,
  ]);
}
