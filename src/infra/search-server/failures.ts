/* The two ways in which a request to the search server fails. */

/** The search server does not respond correctly; the caller uses its fallback. The message holds no secrets. */
export class SearchServerError extends Error {
  override readonly name = 'SearchServerError';
  /** The requested index or alias does not exist. */
  readonly isMissing: boolean;

  constructor(problem: string, { isMissing = false, cause }: { isMissing?: boolean; cause?: unknown } = {}) {
    super(`The search server ${problem}`, { cause });
    this.isMissing = isMissing;
  }
}

/** The search server refused an invalid request; a retry would fail as well. */
export class SearchServerRefusal extends Error {
  override readonly name = 'SearchServerRefusal';
}
