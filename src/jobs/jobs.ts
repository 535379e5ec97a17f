/** Every job that other code may ask for: its name and what it carries. Jobs carry ids and re-read the row. */
export interface Jobs {
  /** Runs the validators over a received version, decides what comes next, and signs an unlisted version that passed. */
  'validate-version': { versionId: number };
  /** Signs the files of a version that passed and was approved, or whose other job is gone. */
  'sign-version': { versionId: number };
  /** Brings the search server up to date with some add-ons. */
  'sync-search': { addonIds: number[] };
  /** Sees to it that the search server has an index that can be searched. */
  'check-search-index': Record<string, never>;
}

export type JobName = keyof Jobs;

/** A job that fails is tried again with growing pauses, for about three days. */
export const MAX_ATTEMPTS = 25;

/** Two requests for the same work are one job: the key names the work. */
export function jobKey<Name extends JobName>(name: Name, payload: Jobs[Name]): string {
  return `${name}:${Object.values(payload).join(':')}`;
}
