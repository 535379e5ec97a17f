/** The search server does not answer, or not as it should: somebody else has to. The message has nothing that is secret. */
export class SearchServerError extends Error {
  override readonly name = 'SearchServerError';
  /** The index or alias that was asked for is not there. */
  readonly isMissing: boolean;

  constructor(problem: string, { isMissing = false, cause }: { isMissing?: boolean; cause?: unknown } = {}) {
    super(`The search server ${problem}`, { cause });
    this.isMissing = isMissing;
  }
}

/** The search server has refused what we asked, and would do so again: a mistake of ours. */
export class SearchServerRefusal extends Error {
  override readonly name = 'SearchServerRefusal';
}
