import type { BlobStore } from './blob-store.ts';
import { DiskBlobStore } from './disk-blob-store.ts';
import { reportProblem } from './report-problem.ts';
import { storeFolder } from './store-folder.ts';

/** The blob store of this installation. */
export const blobs: BlobStore = new DiskBlobStore(storeFolder(), reportProblem);
