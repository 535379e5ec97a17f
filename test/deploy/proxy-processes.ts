import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../clients/client.ts';
import { freePort } from '../crash/support/installation.ts';
import { until } from '../crash/support/waiting.ts';
import { send } from './proxy-client.ts';

export const DEPLOY = join(import.meta.dirname, '../../deploy');
const READY_MS = 90_000;

/** A proxy that runs. */
export interface ProxyProcess {
  name: string;
  /** Ports of http and https. */
  ports: { http: number; https: number };
  /** The requests that it logged so far, as text. */
  log(): Promise<string>;
  /** Whether it sends requests to both web processes. */
  hasAll(): boolean;
  stop(): Promise<void>;
}

/** The names of the proxies that this machine lacks. */
export async function missingProxies(): Promise<string[]> {
  const programs = [
    { name: 'haproxy', words: ['-v'] },
    { name: 'nginx', words: ['-v'] },
  ];
  const runs = await Promise.all(programs.map(({ name, words }) => runProgram(name, words)));
  return programs.filter((_, index) => runs[index]?.exitCode !== 0).map(({ name }) => name);
}

/** Starts both proxies on loopback, with the files of `deploy/` and these addresses of the web processes. */
export async function startProxies(folder: string, ports: readonly [number, number]): Promise<ProxyProcess[]> {
  const certificate = await makeCertificate(folder);
  return Promise.all([startHaproxy(folder, ports, certificate), startNginx(folder, ports, certificate)]);
}

/** A certificate of its own and its key, in one file. */
async function makeCertificate(folder: string): Promise<string> {
  const [key, cert, both] = ['proxy.key', 'proxy.crt', 'proxy.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const { exitCode, output } = await runProgram('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=addons.example.org', '-keyout', key, '-out', cert],
  ]);
  if (exitCode !== 0) throw new Error(`openssl could not make a certificate:\n${output}`);
  await writeFile(both, (await readFile(cert, 'utf8')) + (await readFile(key, 'utf8')));
  return both;
}

/** Replaces each text, which the file must contain. */
export function replaceAll(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The configuration does not contain ${from}.`);
    return result.replaceAll(from, to);
  }, text);
}

async function startHaproxy(
  folder: string,
  [first, second]: readonly [number, number],
  pem: string,
): Promise<ProxyProcess> {
  const [http, https] = [await freePort(), await freePort()];
  const text = replaceAll(await readFile(join(DEPLOY, 'haproxy.cfg'), 'utf8'), {
    // Needs twice as many file descriptors.
    'maxconn 20000': 'maxconn 2000',
    'bind :80\n': `bind 127.0.0.1:${http}\n`,
    'bind :443 ssl': `bind 127.0.0.1:${https} ssl`,
    '/etc/haproxy/addons.pem': pem,
    '127.0.0.1:8001': `127.0.0.1:${first}`,
    '127.0.0.1:8002': `127.0.0.1:${second}`,
  });
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  const log = join(folder, 'haproxy.log');
  const child = launch('haproxy', ['-W', '-db', '-f', file], log);
  const up = new Map<string, boolean>();
  child.stdout?.on('data', (chunk) => noteStates(String(chunk), up));
  const proxy = { name: 'haproxy', ports: { http, https }, stop: () => stop(child, 'SIGTERM') };
  await untilServed(proxy.name, https, log);
  return { ...proxy, log: () => readFile(log, 'utf8'), hasAll: () => ![...up.values()].includes(false) };
}

/** `Server ready/web1 is DOWN, …` and `… is UP, …`. */
function noteStates(text: string, up: Map<string, boolean>): void {
  for (const [, server = '', state] of text.matchAll(/Server (ready\/\w+) is (UP|DOWN)/g))
    up.set(server, state === 'UP');
}

async function startNginx(
  folder: string,
  [first, second]: readonly [number, number],
  pem: string,
): Promise<ProxyProcess> {
  const [http, https] = [await freePort(), await freePort()];
  const log = join(folder, 'nginx-access.log');
  const output = join(folder, 'nginx.log');
  const text = replaceAll(await readFile(join(DEPLOY, 'nginx.conf'), 'utf8'), {
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl': `listen 127.0.0.1:${https} ssl`,
    '/etc/nginx/addons.pem': pem,
    '/var/log/nginx/access.log': log,
    '127.0.0.1:8001': `127.0.0.1:${first}`,
    '127.0.0.1:8002': `127.0.0.1:${second}`,
  });
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/nginx-${name};`)
    .join('\n');
  await writeFile(
    file,
    `daemon off;\nmaster_process off;\npid ${folder}/nginx.pid;\nevents {}\nhttp {\n${temporary}\n${text}\n}\n`,
  );
  const child = launch('nginx', ['-e', 'stderr', '-c', file], output);
  await untilServed('nginx', https, output);
  return {
    name: 'nginx',
    ports: { http, https },
    log: () => readFile(log, 'utf8'),
    // It tries both for each request.
    hasAll: () => true,
    stop: () => stop(child, 'SIGTERM'),
  };
}

export function launch(program: string, words: string[], log: string): ChildProcess {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = createWriteStream(log, { flags: 'a' });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function untilServed(name: string, port: number, log: string): Promise<void> {
  await until(`${name} to serve`, READY_MS, async () => {
    const response = await send(port, { path: '/healthz' }).catch(() => null);
    return response?.status === 200 ? true : null;
  }).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await readFile(log, 'utf8')}`);
  });
}
