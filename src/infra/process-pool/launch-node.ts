import { spawn } from 'node:child_process';
import type { LaunchedProcess } from './pooled-process.ts';

/** Starts the module at `entry` as a process without the environment of this one, with a heap of at most `heapMb`. */
export async function launchNode(entry: string, heapMb: number, ...flags: string[]): Promise<LaunchedProcess> {
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, '--expose-gc', ...flags, entry], {
    env: { NODE_ENV: 'production' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  return { child };
}
