import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addon } from '../support/factories.ts';
import { PROGRAM } from '../support/program.ts';

const app = setUpApp();

const start = () => spawn(process.execPath, [PROGRAM, 'changes'], { stdio: ['ignore', 'pipe', 'pipe'] });

it('addons changes prints each change, everything after a lost connection, and ends with 0 at SIGTERM', async () => {
  const program = start();
  const errors = text(program.stderr);
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value));
  expect(await next()).toEqual({ all: true });

  const { id } = await addon({ guid: 'seen@example', slug: 'seen' });
  expect(await next()).toEqual({ id, guid: 'seen@example', slug: 'seen' });

  await app.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'addons listen'`,
  );
  while (!('all' in (await next())));
  await app.sql(`SELECT pg_notify('addon_updates', 'deleted@example')`);
  expect(await next()).toEqual({ id: null, guid: 'deleted@example', slug: null });

  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
  expect(await errors).toMatch(/^addons: The database does not respond, and is tried again: .+\n$/);
});

it('addons changes ends with 1 when its reader has closed the pipe', async () => {
  const program = start();
  const errors = text(program.stderr);
  await once(program.stdout, 'data');
  program.stdout.destroy();
  const exited = once(program, 'exit');
  await app.sql(`SELECT pg_notify('addon_updates', '')`);
  expect(await exited).toEqual([1, null]);
  expect(await errors).toBe('addons: The reader of the changes has closed its pipe.\n');
});
