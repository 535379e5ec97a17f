/* Lost and damaged files that readers or `storage verify` found, until they are put back. */

import type { FileProblem } from '../../infra/blob-store/blob-store.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { db } from '../../infra/db.ts';

/** Files that `currentProblems` reads again. */
const MAX_READ = 100;

interface StoredFileProblem {
  sha256: string;
  problem: FileProblem;
}

/**
 * The recorded problems of files that a row needs, the oldest first. The first hundred files are read again, and forgotten when they are
 * whole.
 */
export async function currentProblems(): Promise<StoredFileProblem[]> {
  await db.$executeRaw`
    DELETE FROM stored_file_problem p
    WHERE NOT EXISTS (SELECT FROM stored_file_use used WHERE used.sha256 = p.sha256 AND used.is_needed)`;
  const recorded = await db.$queryRaw<StoredFileProblem[]>`
    SELECT sha256, problem FROM stored_file_problem ORDER BY found, sha256`;
  const current: StoredFileProblem[] = [];
  for (const { sha256 } of recorded.slice(0, MAX_READ)) {
    const problem = await blobs.check(sha256);
    if (problem === null) await db.storedFileProblem.deleteMany({ where: { sha256 } });
    else current.push({ sha256, problem });
  }
  return [...current, ...recorded.slice(MAX_READ)];
}

/** The number of files that a row needs and that are recorded as lost or damaged. Reads no file. */
export async function countProblems(): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM stored_file_problem p
    WHERE EXISTS (SELECT FROM stored_file_use used WHERE used.sha256 = p.sha256 AND used.is_needed)`;
  return row?.count ?? 0;
}
