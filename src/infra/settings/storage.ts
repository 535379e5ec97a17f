import { MAX_NETWORK_LIMIT } from '../network.ts';
import { count, dataFolder, flag, meta, url } from './types.ts';

/** Settings of the folder of the service, of uploads in it, and of downloads. */
export const storageSettings = {
  DATA_DIR: [dataFolder, meta('Storage', 'Folder of the embedded database, the files and the development CA.')],
  DEMO: [
    flag.optional(),
    meta(
      'Storage',
      'true or false: fill an empty database with demo data. Default: when the embedded database is new, and not in production.',
    ),
  ],
  STAGING_QUOTA_MB: [
    count(1, 1_000_000).default(4096),
    meta('Storage', 'Maximum size of the open uploads of all accounts in one process, in MB; further ones get 503.'),
  ],
  STAGING_ACCOUNT_MB: [
    count(256, 1_000_000).default(1024),
    meta('Storage', 'Maximum size of the open uploads of one account in one process, in MB; further ones get 429.'),
  ],
  UPLOAD_RETENTION_DAYS: [
    count(1, 3_650).default(30),
    meta('Storage', 'Days that an upload is kept which is not submitted as a version.'),
  ],
  LOW_DISK_MB: [
    count(0, 1_000_000_000).default(256),
    meta('Storage', 'Below this much free space, in MB, the service is in read-only mode. 0 switches the check off.'),
  ],
  MIRROR_URL: [
    url.optional(),
    meta('Storage', 'Mirror of the public files: their downloads are redirected (302) to MIRROR_URL/<sha256>/<name>.'),
  ],
  DOWNLOADS_PER_NETWORK: [
    count(1, MAX_NETWORK_LIMIT).default(20),
    meta(
      'Storage',
      'Downloads of one add-on on one day that count in its statistics for one address (IPv6: /64), in each process.',
    ),
  ],
} as const;
