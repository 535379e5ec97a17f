import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { serveRequests } from '../../../src/infra/process-pool/serve-requests.ts';

/** What the process tries to do. */
export type Attempt = { read: string } | { write: string } | { start: string };

async function make(attempt: Attempt): Promise<void> {
  if ('read' in attempt) await readFile(attempt.read);
  else if ('write' in attempt) await writeFile(attempt.write, '');
  else spawnSync(attempt.start);
}

serveRequests((attempt: Attempt) =>
  make(attempt).then(
    () => 'done',
    (error: NodeJS.ErrnoException) => error.code,
  ),
);
