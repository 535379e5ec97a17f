import { expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { xpi } from '../../support/packages.ts';
import { childrenRunning } from '../../support/processes.ts';

const app = setUpApp();

const readers = () => childrenRunning('package-process.ts');

async function upload(guid: string): Promise<number> {
  const developer = await app.developer();
  const reply = await developer.put(`/api/v4/addons/${guid}/versions/1.0/`, {
    upload: await xpi({ guid, version: '1.0' }),
  });
  return reply.status;
}

it('reads an upload in a child process', async () => {
  expect(await readers()).toEqual([]);
  expect(await upload('child-process@example')).toBe(201);
  expect(await readers()).toHaveLength(1);
});

it('accepts an upload whose reader process is killed', async () => {
  const [pid = 0] = await readers();
  process.kill(pid, 'SIGSTOP');
  const running = upload('killed@example');
  await new Promise((resolve) => setTimeout(resolve, 500));
  process.kill(pid, 'SIGKILL');
  expect(await running).toBe(201);
});
