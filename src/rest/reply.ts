import type { Cookie } from '../http/cookies.ts';
import type { FileReply } from '../http/send-blob.ts';

interface JsonReply {
  kind: 'json';
  status: number;
  body: unknown;
  /** How long the client may cache the body, in seconds. */
  maxAge?: number;
}

/** A file of the blob store. `counted` is the download in the statistics, with the label of its source; null for files without them. */
interface DownloadReply {
  kind: 'file';
  file: FileReply;
  counted: { addonId: number; fileId: number; source: string } | null;
}

/** A redirect (302). */
interface RedirectReply {
  kind: 'redirect';
  location: string;
}

/** A response as a route returns it; `empty` is a 204. */
export type Reply = (JsonReply | DownloadReply | RedirectReply | { kind: 'empty' }) & { cookies?: readonly Cookie[] };

/** A reply with a JSON body. */
export function jsonReply(body: unknown, status = 200): JsonReply {
  return { kind: 'json', status, body };
}
