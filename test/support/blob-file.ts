import { join } from 'node:path';

/** Path of a blob's file in the data folder of an installation, for tests that damage or inspect it. */
export const blobFile = (dataDir: string, sha256: string): string => join(dataDir, 'blobs', sha256.slice(0, 2), sha256);
