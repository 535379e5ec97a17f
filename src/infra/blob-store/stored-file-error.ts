/** What is wrong with a stored file: it is not in the store, or its bytes are not those that were stored. */
export type FileProblem = 'lost' | 'damaged';

/**
 * The store cannot provide the bytes of a file, now or later: its operator has to put the file back. An outage of the store is an
 * `UnavailableError` instead.
 */
export class StoredFileError extends Error {
  override readonly name = 'StoredFileError';
  /** Name of the blob. */
  readonly sha256: string;
  readonly problem: FileProblem;

  constructor(sha256: string, problem: FileProblem) {
    super(`stored file ${sha256} is ${problem}`);
    this.sha256 = sha256;
    this.problem = problem;
  }
}
