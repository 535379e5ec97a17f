import type { Viewer } from '../auth/viewer.ts';

/** What every resolver knows about the request it works for. */
export interface Context {
  viewer: Viewer;
  /** The language of constant texts and the start of the fallback chain, canonical case: `en-US`. */
  locale: string;
  /** The client's address, for limits; null for work that no request asked for. */
  ip: string | null;
  /** The id under which the log lines of this request are found. */
  requestId: string;
}
