import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import type { LaunchedProcess } from './pooled-process.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** What a process needs to run: its modules, and the file that says which kind they are. Data and settings are elsewhere. */
const PROGRAM = [join(ROOT, 'src'), join(ROOT, 'node_modules'), join(ROOT, 'package.json')];

/** What a process may do in addition to running its program, and how it is scheduled. */
interface LaunchOptions {
  /** Paths of files that it reads, which need not exist yet. */
  inputs?: readonly string[];
  /** Flags of Node.js for what else it needs, such as native modules. */
  flags?: readonly string[];
  /** How far its priority is below that of this process, from 0 to 19. Default: 0. */
  niceness?: number;
}

/**
 * Starts the module at `entry` as a process without the environment of this one, with a heap of at most `heapMb`. By the permission
 * model of Node.js it may read its program and its inputs, and do nothing else.
 */
export async function launchNode(
  entry: string,
  heapMb: number,
  { inputs = [], flags = [], niceness = 0 }: LaunchOptions = {},
): Promise<LaunchedProcess> {
  const readable = [entry, ...PROGRAM].flatMap((path) => [path, realpathSync(path)]);
  readable.push(...inputs.map((input) => resolve(input)));
  const rights = ['--permission', ...new Set(readable.map((path) => `--allow-fs-read=${path}`)), ...flags];
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, '--expose-gc', ...rights, entry], {
    env: { NODE_ENV: 'production' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  if (niceness > 0) lowerPriority(child.pid, niceness);
  return { child };
}

/** Lowers the priority of a process that was just started below that of this process; its threads inherit it. */
export function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
  } catch {
    // The process has ended, which its pool notices.
  }
}
