import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LaunchedProcess } from './pooled-process.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** What a process needs to run: its modules, and the file that says which kind they are. Data and settings are elsewhere. */
const PROGRAM = [join(ROOT, 'src'), join(ROOT, 'node_modules'), join(ROOT, 'package.json')];

/** What a process may do in addition to running its program. */
interface Rights {
  /** Path of a file that it reads, which need not exist yet. */
  input?: string;
  /** Flags of Node.js for what else it needs, such as native modules. */
  flags?: readonly string[];
}

/**
 * Starts the module at `entry` as a process without the environment of this one, with a heap of at most `heapMb`. By the permission
 * model of Node.js it may read its program and its input, and do nothing else.
 */
export async function launchNode(
  entry: string,
  heapMb: number,
  { input, flags = [] }: Rights = {},
): Promise<LaunchedProcess> {
  const readable = [entry, ...PROGRAM].flatMap((path) => [path, realpathSync(path)]);
  if (input !== undefined) readable.push(resolve(input));
  const rights = ['--permission', ...new Set(readable.map((path) => `--allow-fs-read=${path}`)), ...flags];
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, '--expose-gc', ...rights, entry], {
    env: { NODE_ENV: 'production' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  return { child };
}
