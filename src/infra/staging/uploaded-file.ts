import type { Readable } from 'node:stream';

/** A file of a GraphQL multipart request or a REST form, received completely or not. */
export interface UploadedFile {
  fileName: string;
  mimeType: string;
  /** The bytes. The stream fails when the client disconnects or a limit is exceeded. */
  open(): Readable;
  /** Set when the bytes are in staging and within the limits. */
  staged?: StagedFile;
}

/** A complete upload in the staging folder. Its holder moves it to the blob store or discards it. */
export interface StagedFile {
  path: string;
  /** In bytes. */
  size: number;
  /** Of the whole file, hex. */
  sha256: string;
  discard(): Promise<void>;
}
