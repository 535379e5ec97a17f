import { afterAll, expect, it } from 'vitest';
import { superviseWorker } from '../../src/process/supervise-worker.ts';

const { execPath } = process;
// No database listens there, so a worker that starts ends soon.
process.env.DATABASE_URL = 'postgres://any@127.0.0.1:1/any';

afterAll(() => {
  process.execPath = execPath;
});

// The start fails with an event, as for EAGAIN, and at once, as for ENOMEM.
it.each(['/does-not-exist', 'not a path\0'])('starts a worker again that could not be started: %j', async (program) => {
  process.execPath = program;
  const worker = superviseWorker();
  expect(worker.pid()).toBeUndefined();
  process.execPath = execPath;
  await expect.poll(worker.pid).toBeGreaterThan(0);
  await worker.stop();
  expect(worker.pid()).toBeUndefined();
});

it('stops while no worker can be started', async () => {
  process.execPath = '/does-not-exist';
  const worker = superviseWorker();
  await worker.stop();
});
