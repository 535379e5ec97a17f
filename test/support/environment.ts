import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';

/**
 * Runs in each test file before its imports: the settings that `src/config.ts` reads when it is first imported. Nothing of
 * the developer's own environment gets through. The database's address is set by `createTestDatabase`, which a test calls
 * before it imports anything that connects.
 */
const folder = mkdtempSync(join(inject('runFolder'), 'file-'));

for (const name of Object.keys(process.env)) {
  if (/^(HOST|PORT|BASE_URL|DATABASE_|DATA_DIR|SIGNING_|MIRROR_URL|ELASTICSEARCH_|SITE_NAME|READ_ONLY)/.test(name)) {
    delete process.env[name];
  }
}
Object.assign(process.env, {
  HOST: '127.0.0.1',
  PORT: '0',
  DATA_DIR: join(folder, 'var'),
  ENVIRONMENT: 'development',
  RATE_LIMITS: 'off',
  DEMO: 'false',
  LOG_LEVEL: 'silent',
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
