import type { FileReply } from '../http/send-blob.ts';

/**
 * What a route answers: a JSON body, still to be written or as it is sent, a file, or only headers. `revision` names the state
 * that a body was made from, where that is known without the body. `maxAge` is for how many seconds a body may be kept by
 * whoever it was sent to.
 */
export type Reply =
  | { kind: 'json'; status: number; body: unknown; revision?: string; maxAge?: number }
  | { kind: 'not-modified'; etag: string }
  | { kind: 'written'; payload: Buffer; revision: string }
  | { kind: 'file'; file: FileReply }
  | { kind: 'redirect'; location: string; headers: Record<string, string> };

/** A JSON body with the given status; 200 unless told. */
export function json(body: unknown, status = 200): Reply {
  return { kind: 'json', status, body };
}
