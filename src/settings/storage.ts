import { z } from 'zod';
import { count, dataFolderPath, flag, MAX_NETWORK_LIMIT, meta, url } from './types.ts';

/** Settings of the folder of the service, of its files, of uploads, and of downloads. */
export const storageSettings = {
  DATA_DIR: [dataFolderPath, meta('Storage', 'Folder of the embedded database, the files and the development CA.')],
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
  STORAGE: [
    z.enum(['fs', 's3'], 'Expected fs or s3').default('fs'),
    meta(
      'Storage',
      'Where the files of add-ons are: fs, the folder DATA_DIR/blobs, or s3, a bucket. See docs/storage.md.',
    ),
  ],
  S3_BUCKET: [
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'Expected the name of a bucket')
      .optional(),
    meta('Storage', 'Name of the bucket. Required with STORAGE=s3.'),
  ],
  S3_ENDPOINT: [
    url.optional(),
    meta('Storage', 'Address of a server with the S3 API, such as https://s3.example.org. Unset: Amazon S3.'),
  ],
  S3_REGION: [z.string().min(1).default('us-east-1'), meta('Storage', 'Region of the bucket, as the server names it.')],
  S3_ACCESS_KEY_ID: [
    z.string().optional(),
    meta('Storage', 'Access key of the bucket. Unset: what the AWS SDK finds, such as the role of the machine.', true),
  ],
  S3_SECRET_ACCESS_KEY: [z.string().optional(), meta('Storage', 'Its secret. Required with S3_ACCESS_KEY_ID.', true)],
  S3_FORCE_PATH_STYLE: [
    flag.optional(),
    meta(
      'Storage',
      'true puts the bucket into the path of addresses, false into the host. Default: true with S3_ENDPOINT.',
    ),
  ],
  S3_PREFIX: [
    z
      .string()
      .regex(/^(?:[\w.-]+\/)*[\w.-]+$/, 'Expected names with / in between')
      .optional(),
    meta(
      'Storage',
      'Folder in the bucket. Installations that share a bucket need different ones. Unset: the bucket itself.',
    ),
  ],
  S3_CACHE_MB: [
    count(0, 1_000_000_000).default(2048),
    meta(
      'Storage',
      'Size of DATA_DIR/cache, where files of the bucket are kept that were read lately, in MB. 0: no cache.',
    ),
  ],
  S3_REDIRECTS: [
    flag.default(false),
    meta(
      'Storage',
      'true redirects (302) downloads of public files to addresses of the bucket that are valid for minutes.',
    ),
  ],
  S3_PUBLIC_ENDPOINT: [
    url.optional(),
    meta('Storage', 'Address of the S3 server for clients, in these redirects. Default: S3_ENDPOINT.'),
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
