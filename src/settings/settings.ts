import { z } from 'zod';
import { SUPPORTED_LOCALES } from '../texts/locales.ts';
import { apiWords } from './api-words.ts';
import { mailSettings } from './mail.ts';
import { monitoringSettings } from './monitoring.ts';
import { operatorSettings } from './operator.ts';
import { ratingSettings } from './ratings.ts';
import { retentionSettings } from './retention.ts';
import { searchSettings } from './search.ts';
import { signInSettings } from './sign-in.ts';
import { signerSettings } from './signing.ts';
import { storageSettings } from './storage.ts';
import { commaList, count, databaseUrl, flag, meta, onOff, proxyList, type SettingMeta, url } from './types.ts';
import { updateSettings } from './updates.ts';
import { webhookSettings } from './webhooks.ts';

/** Every setting, in the order of the printed documentation. An empty value counts as not set. */
export const settings = {
  HOST: [z.string().default('127.0.0.1'), meta('Web', 'Address to listen on.')],
  PORT: [count(0, 65535).default(3000), meta('Web', 'Port to listen on; 0 picks a free one.')],
  BASE_URL: [
    url.optional(),
    meta('Web', 'Public address of the service, the start of every absolute URL. Default: http://HOST:PORT.'),
  ],
  WEB_PROCESSES: [
    count(1, 64).default(1),
    meta(
      'Web',
      'Processes of `addons serve` on this port, under a supervisor. More than this machine has processors serve no more.',
    ),
  ],
  TRUSTED_PROXIES: [
    proxyList.default([]),
    meta('Web', 'Comma-separated addresses of proxies whose X-Forwarded-For is trusted.'),
  ],
  OUTGOING_URL: [
    url.optional(),
    meta(
      'Web',
      'Prefix of URLs that redirect to other sites, with a path of this service. Default: BASE_URL/outgoing.',
    ),
  ],
  OUTGOING_ALLOWED_HOSTS: [
    commaList.default([]),
    meta('Web', 'Comma-separated hosts whose links are not wrapped, as those of this site.'),
  ],
  SITE_NAME: [z.string().default('Add-ons'), meta('Web', 'Name of the site in texts.')],
  DEFAULT_LOCALE: [
    z.enum(SUPPORTED_LOCALES, 'Expected a supported language such as en-US').default('en-US'),
    meta('Web', 'Language when nothing else decides.'),
  ],
  ENVIRONMENT: [
    z.enum(['production', 'staging', 'development']).optional(),
    meta(
      'Web',
      'production, staging or development. Default: development with the embedded database, production with DATABASE_URL. The v4dev API exists on staging and development only.',
    ),
  ],
  PERSISTED_ONLY: [
    flag.default(false),
    meta(
      'Web',
      'true refuses GraphQL operations other than those of schema/samples, which clients send by their SHA-256.',
    ),
  ],
  API_WORDS: [
    apiWords,
    meta(
      'Web',
      'JSON file with other words for some of the contract, which clients of v3, v4 and v5 send and read (docs/operating.md). Unset: only those of the contract.',
    ),
  ],
  LOG_LEVEL: [
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    meta('Web', 'Lowest level of log lines to write.'),
  ],
  RATE_LIMITS: [
    onOff.optional(),
    meta('Web', 'on or off. Default: on, and off in the demo. See docs/limits.md for the numbers.'),
  ],
  READ_ONLY: [flag.default(false), meta('Web', 'true starts the service in read-only (maintenance) mode.')],
  SEND_TIMEOUT: [
    count(1, 3_600).default(30),
    meta('Web', 'Seconds without progress after which a response that its client does not read is cut off.'),
  ],
  SEND_BUFFER_MB: [
    count(1, 1_000).default(2),
    meta('Web', 'Unread response data of one connection, in MB; a connection above it for ten seconds is closed.'),
  ],
  CONNECTIONS_PER_ADDRESS: [
    count(1, 100_000).default(600),
    meta('Web', 'Connections of one address (IPv6: /64), trusted proxies excluded; further ones are closed.'),
  ],
  EVENT_STREAMS_PER_ADDRESS: [
    count(1, 100_000).default(20),
    meta('Web', 'Open event streams of one address (IPv6: /64) in each process; further ones get 429.'),
  ],
  SHARED_MAX_AGE: [
    count(0, 86_400).default(0),
    meta(
      'Web',
      'Seconds that caches in front of the service may keep responses that are equal for all anonymous clients, and may send them once more while they request a new one (docs/caching.md). 0: they must ask each time.',
    ),
  ],
  SHUTDOWN_DELAY: [
    count(0, 300).default(10),
    meta('Web', 'Seconds between SIGTERM, when /readyz fails, and the end of the listener.'),
  ],
  RETRY_AFTER: [
    count(1, 86_400).optional(),
    meta('Web', 'Seconds in the Retry-After header of responses in read-only mode; no header when unset.'),
  ],

  ...operatorSettings,

  DATABASE_URL: [
    databaseUrl.optional(),
    meta('Database', 'PostgreSQL 15 or newer. Unset: an embedded PostgreSQL in DATA_DIR.', true),
  ],
  DATABASE_SESSION_URL: [
    databaseUrl.optional(),
    meta(
      'Database',
      'The same database at PostgreSQL itself, when DATABASE_URL leads to a pooler in transaction mode such as PgBouncer: for notifications, locks, migrations and bulk work. Unset: DATABASE_URL leads to PostgreSQL itself.',
      true,
    ),
  ],
  MIGRATE_DATABASE_URL: [
    databaseUrl.optional(),
    meta(
      'Database',
      'The same database with the role that owns the logs; migrations run as it, and the role of DATABASE_URL may only append to the logs.',
      true,
    ),
  ],
  DATABASE_POOL: [
    count(1, 100).default(8),
    meta(
      'Database',
      'Connections of each process; SEARCH_CONNECTIONS are added, up to 4 for look-ups, and up to 4 that keep their session. docs/pooler.md lists them.',
    ),
  ],
  SEARCH_CONNECTIONS: [
    count(1, 100).optional(),
    meta(
      'Database',
      'Further connections of each process, for searches in PostgreSQL. More of them than the database has processors make every request slower. Default: the number of processors of this machine, from 2 to 8.',
    ),
  ],
  ...storageSettings,

  ...retentionSettings,
  ...ratingSettings,

  SECRET_KEY: [
    z.string().min(32).optional(),
    meta(
      'Identity',
      'Seals API secrets and signs links: at least 32 characters. Default: a random key kept in DATA_DIR/secret.key (0600).',
      true,
    ),
  ],
  SECRET_KEY_PREVIOUS: [
    z.string().min(32).optional(),
    meta('Identity', 'The key before SECRET_KEY, while it is replaced. Ends with: npx addons secrets reseal.', true),
  ],
  LOG_KEY_FILE: [
    z.string().optional(),
    meta(
      'Identity',
      'Ed25519 key (PEM, 0600) that signs checkpoints of the logs. Default: DATA_DIR/log.key, made when missing.',
    ),
  ],
  LOG_CHECKPOINT_FILE: [
    z.string().optional(),
    meta('Identity', 'File with the newest checkpoint of the logs. Default: DATA_DIR/log.checkpoint.'),
  ],
  JWT_JTI: [
    z.enum(['lenient', 'strict']).default('lenient'),
    meta(
      'Identity',
      'strict refuses tokens without jti on the signing endpoints and under API v5 too, and tokens that return under v5.',
    ),
  ],
  DENIED_USERNAMES: [commaList.default([]), meta('Identity', 'Comma-separated usernames that no user may choose.')],
  DENIED_DISPLAY_NAMES: [
    commaList.default([]),
    meta('Identity', 'Comma-separated words that a display name may not contain.'),
  ],

  ...signInSettings,

  SIGNING_KEY_FILE: [
    z.string().optional(),
    meta(
      'Signing',
      'Private key (PEM) of the intermediate certificate. Without a key: a development CA in DATA_DIR/ca.',
    ),
  ],
  SIGNING_CHAIN_FILE: [z.string().optional(), meta('Signing', 'Intermediate, then root certificate (PEM).')],
  ...signerSettings,
  ALLOW_DEV_CA: [flag.default(false), meta('Signing', 'true lets ENVIRONMENT=production run with a development CA.')],
  SIGNATURE_BASE_NAME: [
    z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,32}$/)
      .default('addon'),
    meta('Signing', 'Base name of the signature files inside META-INF.'),
  ],
  PRIVILEGED_CLASS: [
    z.string().min(1).default('Privileged'),
    meta('Signing', 'Class (OU) of certificates that only the operator signs with; files of that class are refused.'),
  ],
  RESERVED_GUID_SUFFIXES: [commaList.default([]), meta('Signing', 'Add-on id endings that only staff may use.')],
  RESERVED_NAMES: [commaList.default([]), meta('Signing', 'Words that an add-on name may not contain.')],
  DENIED_SLUGS: [commaList.default([]), meta('Listing', 'Denied slugs, in addition to words of the site.')],
  DENIED_TAGS: [commaList.default([]), meta('Listing', 'Tags that no add-on may have.')],
  REVIEW_AUTO_APPROVE_HOURS: [
    z.coerce.number().positive().max(1_000_000).optional(),
    meta(
      'Reviewing',
      'Hours after which a listed version is approved if no reviewer has claimed it, requested information or referred it; fractions are allowed. Unset: never.',
    ),
  ],

  ...updateSettings,
  ...monitoringSettings,

  ...mailSettings,
  ...webhookSettings,

  WORKER_CONCURRENCY: [count(1, 64).default(4), meta('Worker', 'Jobs that one worker runs at the same time.')],
  VALIDATOR_CONCURRENCY: [count(1, 16).default(2), meta('Worker', 'Validator processes of one worker.')],
  VALIDATOR_TIMEOUT: [
    count(1, 600).default(90),
    meta(
      'Worker',
      'Seconds of processor time that one validation may take. By the clock it may take five times as long.',
    ),
  ],
  VALIDATOR_MEMORY_MB: [count(64, 16_384).default(3072), meta('Worker', 'Heap limit of a validator process, in MB.')],

  ...searchSettings,

  RECOMMENDATION_URL: [
    url.optional(),
    meta(
      'Recommendations',
      'Service that recommends add-ons: GET RECOMMENDATION_URL/<guid>/ returns {"results": [guid, …]} within a second.',
    ),
  ],
} as const satisfies Record<string, readonly [z.ZodType, SettingMeta]>;

/** The values of all settings. */
export type Settings = { -readonly [Name in keyof typeof settings]: z.output<(typeof settings)[Name][0]> };
