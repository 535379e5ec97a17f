import { expect, it } from 'vitest';
import { z } from 'zod';
import { setUpApp } from '../support/app.ts';
import { upload } from '../support/signing-steps.ts';

const app = setUpApp();

it('a job records the id of the request that enqueued it', async () => {
  const reply = await upload(await app.developer(), 'request-id@example');
  const [job] = await app.sql('SELECT payload FROM graphile_worker._private_jobs');
  expect(job).toEqual({ payload: { versionId: expect.any(Number), requestId: reply.headers['x-request-id'] } });
});

it('an implementation receives the parsed payload and a logger with the ids of job and request', async () => {
  const { implementTask } = await import('../../src/jobs/implement-task.ts');
  const calls: unknown[] = [];
  const task = { name: 'example', payload: z.object({ count: z.int() }) };
  const [name, run] = implementTask(task, new AbortController().signal, async (payload, log) => {
    calls.push([payload, log.bindings()]);
  });
  expect(name).toBe('example');
  const helpers = { job: { id: '7' } } as Parameters<typeof run>[1];
  await run({ count: 1, requestId: 'request-1' }, helpers);
  expect(calls).toEqual([[{ count: 1 }, { task: 'example', jobId: '7', requestId: 'request-1' }]]);
  await expect(run({ count: 'one' }, helpers)).rejects.toThrow(z.ZodError);
});
