import { join } from 'node:path';
import { config } from '../../config.ts';
import type { BlobStore } from './blob-store.ts';
import { DiskBlobStore } from './disk-blob-store.ts';
import { reportProblem } from './report-problem.ts';

/** The blob store of this installation. */
export const blobs: BlobStore = new DiskBlobStore(join(config.DATA_DIR, 'blobs'), reportProblem);
