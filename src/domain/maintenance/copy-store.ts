/* Copies the files that rows reference from one store to another, such as from the folder to a bucket, while the service runs. */
import { unlink } from 'node:fs/promises';
import { type BlobStore, type FileProblem, StoredFileError } from '../../infra/blob-store/blob-store.ts';
import { copyVerified } from '../../infra/blob-store/verified-copy.ts';
import { db } from '../../infra/db.ts';
import { stagingPath } from '../../infra/staging/staging.ts';

const BATCH = 256;
const AT_A_TIME = 4;
/** An interrupted copy is continued within this time. */
const RESUME_MS = 24 * 3_600_000;
/** The row of `service_state` with an unfinished copy. */
const RUN = 'storage-copy';

/** What a copy has done, in files. */
export interface StoreCopy {
  copied: number;
  /** The target had them, with the right bytes. */
  present: number;
  /** The source has lost them, or has other bytes. */
  lost: string[];
  damaged: string[];
  /** Files before the point where an interrupted copy was continued. */
  resumed: number;
}

interface Run extends StoreCopy {
  started: number;
  from: string;
  to: string;
  /** All names up to this one are done. */
  position: string;
}

/**
 * Copies every file that a row references and that the target lacks or has with other bytes. The hash of each file is compared: of a copied one
 * while it is read, of one that is there by reading it. Continues a copy between the same stores that was interrupted in the last day.
 * @throws {UnavailableError} during an outage of a store; the next call continues.
 */
export async function copyStore(from: BlobStore, to: BlobStore): Promise<StoreCopy> {
  const run = await openRun(from.location, to.location);
  for (;;) {
    const names = await referencedAfter(run.position);
    if (names.length === 0) break;
    const queue = names.values();
    const work = async (): Promise<void> => {
      for (const name of queue) await copyFile(run, from, to, name);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    run.position = names.at(-1)?.sha256 ?? run.position;
    await saveRun(run);
  }
  await db.serviceState.deleteMany({ where: { name: RUN } });
  const { copied, present, lost, damaged, resumed } = run;
  return { copied, present, lost, damaged, resumed };
}

async function openRun(from: string, to: string): Promise<Run> {
  const row = await db.serviceState.findUnique({ where: { name: RUN } });
  const run = row === null ? null : (row.value as unknown as Run);
  const isSame = run !== null && run.from === from && run.to === to && Date.now() - run.started < RESUME_MS;
  if (isSame) return { ...run, resumed: run.copied + run.present };
  return { started: Date.now(), from, to, position: '', copied: 0, present: 0, lost: [], damaged: [], resumed: 0 };
}

async function saveRun(run: Run): Promise<void> {
  const value = { ...run };
  await db.serviceState.upsert({ where: { name: RUN }, create: { name: RUN, value }, update: { value } });
}

/** A file that a row references. */
interface Referenced {
  sha256: string;
  /** False for a hash of metadata, whose file may be missing. */
  isNeeded: boolean;
}

const referencedAfter = (position: string): Promise<Referenced[]> =>
  db.$queryRaw<Referenced[]>`
    SELECT sha256, bool_or(is_needed) AS "isNeeded" FROM stored_file_use
    WHERE sha256 COLLATE "C" > ${position} GROUP BY sha256 ORDER BY sha256 COLLATE "C" LIMIT ${BATCH}::int`;

async function copyFile(run: Run, from: BlobStore, to: BlobStore, { sha256, isNeeded }: Referenced): Promise<void> {
  if ((await to.check(sha256)) === null) {
    run.present += 1;
    return;
  }
  const path = await stagingPath();
  try {
    if (!isNeeded && (await from.size(sha256)) === null) return;
    await copyVerified(sha256, path, from);
    await to.put({ path, sha256 });
    run.copied += 1;
  } catch (error) {
    if (!(error instanceof StoredFileError)) throw error;
    const problem: FileProblem = error.problem;
    run[problem].push(sha256);
  } finally {
    await unlink(path).catch(() => {});
  }
}
