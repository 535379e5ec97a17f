import { NotFoundError, PackageError, UnavailableError, UnfinishedError, WorkLimitError } from '../../errors.ts';
import type { FileChange, PackageFile } from '../../package/code/file-changes.ts';
import type { ManifestFact } from '../../package/code/manifest-facts.ts';
import type { PackageCalls } from '../../package/code/script-calls.ts';
import { manifestFacts, packageCalls, packageChanges, packageFiles } from '../code/read-code.ts';

/** A part of what reviewers see of a package, once it is read. */
type Reviewed<Part> = ({ state: 'read' } & Part) | { state: 'reading' | 'unreadable' };

/** What of a package reviewers compare with others. */
export type ReviewedPackage = Reviewed<{ files: readonly PackageFile[]; calls: PackageCalls }>;

/** What of a package differs from that of its base. */
export type ReviewedChanges = Reviewed<{
  files: readonly FileChange[];
  manifest: readonly ManifestFact[] | null;
  /** Of the files of both packages as they were sent, in bytes; null without a base. */
  sizes: { base: number | null; shown: number };
}>;

/** A page has other parts that a reviewer can begin with. */
const WAIT_MS = 1_500;

const UNREADABLE = [NotFoundError, PackageError, UnavailableError, WorkLimitError];

/** The files of the package with this SHA-256 and the calls of its scripts, unless reading them takes longer than a page waits. */
export const readReviewedPackage = (sha256: string): Promise<ReviewedPackage> =>
  inTime(async () => {
    const [files, calls] = await Promise.all([packageFiles(sha256, WAIT_MS), packageCalls(sha256, WAIT_MS)]);
    return { files, calls };
  });

/** The changes of the package with this SHA-256 since the one of its base, with the same exception; `base` is null without one. */
export const readReviewedChanges = (base: string | null, sha256: string): Promise<ReviewedChanges> =>
  inTime(async () => {
    const [files, manifest, baseSize, shown] = await Promise.all([
      packageChanges(base, sha256, WAIT_MS),
      manifestFacts(base, sha256, WAIT_MS),
      base === null ? null : sizeOfFiles(base),
      sizeOfFiles(sha256),
    ]);
    return { files, manifest, sizes: { base: baseSize, shown } };
  });

const sizeOfFiles = async (sha256: string): Promise<number> =>
  (await packageFiles(sha256, WAIT_MS)).reduce((sum, { size }) => sum + size, 0);

async function inTime<Part>(read: () => Promise<Part>): Promise<Reviewed<Part>> {
  try {
    return { state: 'read', ...(await read()) };
  } catch (error) {
    if (error instanceof UnfinishedError) return { state: 'reading' };
    if (UNREADABLE.some((kind) => error instanceof kind)) return { state: 'unreadable' };
    throw error;
  }
}
