import type { Readable } from 'node:stream';

/** A file that a client is sending or has sent: what GraphQL's multipart request and a REST form both turn into. */
export interface UploadedFile {
  fileName: string;
  mimeType: string;
  /** The bytes so far unread. Destroyed with an error when the client goes away or a limit is passed. */
  open(): Readable;
  /** Set when the bytes already lie in staging, checked against the limits. */
  staged?: StagedFile;
}

/** A complete upload in the staging folder. Whoever holds it moves it into the store or discards it. */
export interface StagedFile {
  path: string;
  /** In bytes. */
  size: number;
  /** Of the whole file, hex. */
  sha256: string;
  discard(): Promise<void>;
}
