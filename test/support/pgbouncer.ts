import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const CONFIGURATION = join(import.meta.dirname, '../../deploy/pgbouncer.ini');
export const PGBOUNCER = 'pgbouncer';
const READY_MS = 10_000;
/** PgBouncer does not run as root. */
const UNPRIVILEGED = ['--reuid=nobody', '--regid=nogroup', '--clear-groups'];

/** A pooler in front of all databases of a server. */
export interface Pgbouncer {
  /** The URL through the pooler for a URL of the server. */
  through(url: string): string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer on loopback with the configuration of `deploy/`, in front of the server of a URL. It ends with this process. Its files are
 * in `parent`, which every account may enter.
 */
export async function startPgbouncer(
  url: string,
  settings: Record<string, string> = {},
  parent = tmpdir(),
): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(parent, 'addons-pgbouncer-'));
  await chmod(folder, 0o755);
  const [port, { hostname, port: serverPort, username, password }] = [await freePort(), new URL(url)];
  const users = join(folder, 'userlist.txt');
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  const changed = { listen_port: String(port), auth_file: users, unix_socket_dir: '', ...settings };
  const server = `* = host=${hostname} port=${serverPort || 5432}`;
  const lines = (await readFile(CONFIGURATION, 'utf8')).split('\n');
  const kept = lines.filter((line) => !Object.keys(changed).some((name) => line.startsWith(`${name} =`)));
  const text = kept.map((line) => (line.startsWith('addons =') ? server : line)).join('\n');
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, [text, ...Object.entries(changed).map(([name, value]) => `${name} = ${value}`)].join('\n'));
  const child = start(file);
  const through = (to: string) => Object.assign(new URL(to), { hostname: '127.0.0.1', port: String(port) }).href;
  await untilReady(through(url), child);
  return {
    through,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function start(file: string): ChildProcess {
  const isRoot = process.getuid?.() === 0;
  const words = ['--pdeathsig=KILL', ...(isRoot ? UNPRIVILEGED : []), PGBOUNCER, '--quiet', file];
  return spawn('setpriv', words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    const problem = await client.connect().then(
      () => null,
      (error: Error) => error,
    );
    await client.end().catch(() => {});
    if (problem === null) return;
    if (child.exitCode !== null || performance.now() > deadline) throw problem;
    await sleep(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
