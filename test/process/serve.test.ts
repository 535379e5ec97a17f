import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';

const app = setUpApp({ settings: { LOW_DISK_MB: 1_000_000_000 } });

it('the web part stays in read-only mode for a full disk until its last request has ended', async () => {
  const { serveWeb } = await import('../../src/process/serve.ts');
  const { wasReadOnly } = await import('../../src/infra/read-only.ts');
  await mkdir(app.config.DATA_DIR, { recursive: true });
  const web = await serveWeb();
  const stopped = web.stop();
  expect(wasReadOnly()).toBe(true);
  await stopped;
  expect(wasReadOnly()).toBe(false);
});
