import { join } from 'node:path';
import { config } from '../../config.ts';

/** The folder of the blob store. It may be a file system of its own. */
export const storeFolder = (): string => join(config.DATA_DIR, 'blobs');
