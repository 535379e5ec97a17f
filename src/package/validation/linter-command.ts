/**
 * The command line that starts a linter process, with as much isolation as the machine offers:
 *
 * - `unshare` puts it into an empty network namespace. Containers often forbid that; then it shares the network.
 * - `setpriv --pdeathsig` ends it with its parent even while it is busy parsing and cannot notice.
 * - Node's permission model, always: no writing, no other processes or threads, reading only what it needs.
 * - The shell forbids core dumps and offers the process to the kernel first when memory runs out.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the launch tools are looked for; the environment of this process is not consulted. */
export const TOOL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const ENTRY = fileURLToPath(new URL('./linter-process.ts', import.meta.url));
const SERVER = fileURLToPath(new URL('../../infra/process-pool/serve-requests.ts', import.meta.url));
const LINTER = createRequire(import.meta.url).resolve('addons-linter/package.json');

const LAUNCH_SCRIPT = '(echo 800 >/proc/self/oom_score_adj) 2>/dev/null; ulimit -c 0; exec "$@"';

/** How linter processes are started on this machine. `network` is `none` when they run in an empty network namespace. */
export type Isolation = { network: 'none' | 'shared'; prefix: string[] };

const CANDIDATES: Isolation[] = [
  { network: 'none', prefix: ['unshare', '-r', '-n', 'setpriv', '--pdeathsig', 'KILL'] },
  { network: 'none', prefix: ['unshare', '-n', 'setpriv', '--pdeathsig', 'KILL'] },
  { network: 'none', prefix: ['unshare', '-r', '-n'] },
  { network: 'none', prefix: ['unshare', '-n'] },
  { network: 'shared', prefix: ['setpriv', '--pdeathsig', 'KILL'] },
];

/** Tries the launch tools, strongest first, and resolves to the first set that works and can still read the linter. */
export async function probeIsolation(): Promise<Isolation> {
  for (const candidate of CANDIDATES) {
    if (await canLaunch(candidate.prefix)) return candidate;
  }
  return { network: 'shared', prefix: [] };
}

/** A root without power over other users' files, which `unshare -r` makes, may be unable to read a checkout of theirs. */
function canLaunch([tool = '', ...rest]: string[]): Promise<boolean> {
  const check = ['sh', '-c', 'test -r "$1" && test -r "$2" && test -x "$3"', 'sh', ENTRY, LINTER, process.execPath];
  return new Promise((resolve) => {
    execFile(tool, [...rest, ...check], { env: { PATH: TOOL_PATH }, timeout: 5000 }, (error) => resolve(!error));
  });
}

/**
 * Program and arguments that start a linter process with the launch tools `prefix` and a heap of at most `heapMb` MB. It reads
 * packages only in its own `folder`. `warmUp` is an unpacked package without errors.
 */
export function linterCommand(prefix: string[], heapMb: number, folder: string, warmUp: string) {
  const readable = [`${dirname(dirname(LINTER))}/`, ENTRY, SERVER, `${folder}/`, `${warmUp}/`];
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    '--expose-gc',
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ENTRY,
    warmUp,
  ];
  return { program: '/bin/sh', args: ['-c', LAUNCH_SCRIPT, 'sh', ...prefix, ...node] };
}
