import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type ServiceProcess, startService } from '../support/program.ts';

let database: TestDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ DATABASE_URL: database.url, SHUTDOWN_DELAY: '300', LOG_LEVEL: 'info' });
});

afterAll(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

async function killWorkers(): Promise<void> {
  const children = await readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8');
  for (const child of children.split(' ').filter(Boolean)) {
    const words = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (words.includes('--supervised')) process.kill(Number(child), 'SIGKILL');
  }
}

it('logs why a worker cannot be started again', async () => {
  const chain = join(process.env.DATA_DIR ?? '', 'ca/chain.pem');
  await rename(chain, `${chain}.lost`);
  await killWorkers();
  await service.printed(/"problem":"[^"]*chain\.pem[^"]*".*"The worker cannot start\."/, 30_000);
  await rename(`${chain}.lost`, chain);
  await service.printed(/The worker cannot start[\s\S]*The worker takes jobs/, 60_000);
});

it('stops the worker at once, not after the last request of the web part', async () => {
  process.kill(service.pid, 'SIGTERM');
  await service.printed(/The worker stops after/, 60_000);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
});
