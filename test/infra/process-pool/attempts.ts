import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { serveRequests } from '../../../src/infra/process-pool/serve-requests.ts';

/** What the process tries to do: by default, to read the file of the request. */
export type Attempt = { read?: string } | { write: string } | { start: string } | { wait: number } | { work: number };

async function make(attempt: Attempt & { path: string }): Promise<unknown> {
  if ('write' in attempt) return writeFile(attempt.write, '');
  if ('start' in attempt) return spawnSync(attempt.start);
  if ('wait' in attempt) await setTimeout(attempt.wait);
  if ('work' in attempt) for (const end = performance.now() + attempt.work; performance.now() < end; );
  return readFile('read' in attempt ? (attempt.read ?? '') : attempt.path, 'utf8');
}

serveRequests((attempt: Attempt & { path: string }) =>
  make(attempt).then(
    (result) => (typeof result === 'string' ? result : 'done'),
    (error: NodeJS.ErrnoException) => error.code,
  ),
);
