import { NotFoundError, PackageError, UnavailableError, UnfinishedError, WorkLimitError } from '../../errors.ts';
import type { PackageFile } from '../../package/code/file-changes.ts';
import type { PackageCalls } from '../../package/code/find-calls.ts';
import { packageCalls, packageFiles } from '../code/read-code.ts';

/** What of a package reviewers compare with others, and whether it is read. */
export type ReviewedPackage =
  | { state: 'read'; files: readonly PackageFile[]; calls: PackageCalls }
  | { state: 'reading' | 'unreadable' };

/** A page has other parts that a reviewer can begin with. */
const WAIT_MS = 1_500;

const UNREADABLE = [NotFoundError, PackageError, UnavailableError, WorkLimitError];

/** The files of the package with this SHA-256 and the calls of its scripts, unless reading them takes longer than a page waits. */
export async function readReviewedPackage(sha256: string): Promise<ReviewedPackage> {
  try {
    const [files, calls] = await Promise.all([packageFiles(sha256, WAIT_MS), packageCalls(sha256, WAIT_MS)]);
    return { state: 'read', files, calls };
  } catch (error) {
    if (error instanceof UnfinishedError) return { state: 'reading' };
    if (UNREADABLE.some((kind) => error instanceof kind)) return { state: 'unreadable' };
    throw error;
  }
}
