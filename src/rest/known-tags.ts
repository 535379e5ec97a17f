/*
 * The tags of answers, for as long as nothing is written to the database. A reader who names the tag of an answer that depends
 * on rows alone has it still when the database is as it was when the tag was found: that is one question for all who ask at
 * the same time, and nothing has to be looked up.
 */
import type { IncomingMessage } from 'node:http';
import { type Circumstances, isKnown, settingsDigest } from '../http/conditional.ts';
import { RecentlyUsed } from '../infra/recently-used.ts';

/** In characters of keys and tags. */
const MOST_TOGETHER = 4_000_000;
/** In characters: what an entry takes beside its texts. */
const OVERHEAD = 200;

export interface KnownTag {
  tag: string;
  /** The snapshot of the database that was the present one before the answer was made. */
  snapshot: string;
  settings: string;
}

const known = new RecentlyUsed<string, KnownTag>(MOST_TOGETHER);

/** A request of somebody who may have the answer already, and what decides about that answer beside rows. */
export interface Visit {
  key: string;
  settings: string;
  /** Tells the snapshot of the database at one moment after the request has come. */
  snapshot(): Promise<string>;
}

/** The visit that a request is, null for one that is none. `presentSnapshot` names the snapshot of some moment after its call. */
export function visitOf(
  { method, url = '', headers }: IncomingMessage,
  { sampleLink }: Circumstances,
  presentSnapshot: () => Promise<string>,
): Visit | null {
  const { authorization, range, 'if-none-match': tags } = headers;
  if (tags === undefined || method !== 'GET' || authorization !== undefined || range !== undefined) return null;
  let asked: Promise<string> | undefined;
  const snapshot = () => {
    asked ??= presentSnapshot();
    return asked;
  };
  return { key: `${headers['accept-language'] ?? ''} ${url}`, settings: settingsDigest(sampleLink()), snapshot };
}

/** The tag that the answer had in some snapshot, if the reader names it. */
export function knownTag(request: IncomingMessage, { key, settings }: Visit): KnownTag | null {
  const found = known.get(key);
  return found !== undefined && found.settings === settings && isKnown(request, found.tag) ? found : null;
}

/** Remembers the tag of an answer that depends on rows alone, all of them read after `snapshot` was told. */
export function rememberTag({ key, settings }: Visit, snapshot: string, tag: string): void {
  known.set(key, { tag, snapshot, settings }, key.length + tag.length + OVERHEAD);
}
