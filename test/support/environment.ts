import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, inject, vi } from 'vitest';
import { hasPooler } from './has-pooler.ts';

/**
 * Runs in each test file before its imports. A process runs many files sequentially and keeps the loaded libraries; the service's
 * modules are evaluated again for each file, so that files share no caches, pools or settings. Sets the settings that `src/config.ts`
 * reads at its first import, and removes those of the developer's environment. `createTestDatabase` sets DATABASE_URL; a test calls
 * it before importing a module that connects.
 */
vi.resetModules();

/** The default of Node; files with thousands of refusals set it to 0. */
Error.stackTraceLimit = 10;

const before = { ...process.env };
const folder = mkdtempSync(join(inject('runFolder'), 'file-'));

const settingNames = new RegExp(
  '^(HOST|PORT|WEB_PROCESSES|OPERATOR_|SECURITY_|IMPRINT_|PRIVACY_|BASE_URL|OUTGOING_|TRUSTED_PROXIES|SITE_NAME|DEFAULT_LOCALE|READ_ONLY|RETRY_AFTER|PERSISTED_|DATABASE_|' +
    'STORAGE|S3_|STAGING_|LOW_DISK_|UPDATE_|DOWNLOADS_|MIRROR_|SECRET_KEY|LOG_KEY_|LOG_CHECKPOINT_|MIGRATE_|EVENT_STREAMS_|JWT_|SIGNING_|SHUTDOWN_|SIGNATURE_|ALLOW_DEV_CA|PRIVILEGED_|RESERVED_|DENIED_|WORKER_|OIDC_|COOKIE_|IDP_|SUPER_CREATE|' +
    'VALIDATOR_|SMTP_|MAIL_|INBOUND_|ELASTICSEARCH_|SEARCH_(?!SERVER_|TEST_)|RECOMMENDATION_)',
);
for (const name of Object.keys(process.env)) {
  if (settingNames.test(name)) delete process.env[name];
}
Object.assign(process.env, {
  HOST: '127.0.0.1',
  PORT: '0',
  DATA_DIR: join(folder, 'var'),
  ENVIRONMENT: 'development',
  RATE_LIMITS: 'off',
  DEMO: 'false',
  LOG_LEVEL: 'silent',
  SHUTDOWN_DELAY: '0',
  // A linter takes seconds of processor time to load, and most workers here have one job at a time.
  VALIDATOR_CONCURRENCY: '1',
});

// A process that reads the settings before its database exists must know that it will be behind a pooler.
if (hasPooler) {
  const nowhere = 'postgresql://none.invalid/none';
  Object.assign(process.env, { DATABASE_URL: nowhere, DATABASE_SESSION_URL: nowhere });
}

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  rmSync(folder, { recursive: true, force: true });
});
