/* Caches in front of a web process, with the files of `deploy/`, on loopback and without privileges. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../clients/client.ts';
import { exchange } from '../crash/support/http-exchange.ts';
import { freePort } from '../crash/support/installation.ts';
import { until } from '../crash/support/waiting.ts';
import { DEPLOY, launch, replaceAll, stop } from './proxy-processes.ts';

const READY_MS = 60_000;

/** A cache that runs. */
export interface CacheProcess {
  name: string;
  port: number;
  /** The folder with what it keeps; null without one. */
  kept: string | null;
  stop(): Promise<void>;
}

/** Starts a cache in front of the web process on `port`, with its files in `folder`. */
export type StartCache = (folder: string, port: number) => Promise<CacheProcess>;

const CACHES: Readonly<Record<string, { program: string; words: string[]; start: StartCache }>> = {
  nginx: { program: 'nginx', words: ['-v'], start: startNginx },
  varnish: { program: 'varnishd', words: ['-V'], start: startVarnish },
};

/** The caches of this machine, by name. */
export async function findCaches(): Promise<Map<string, StartCache>> {
  const found = new Map<string, StartCache>();
  for (const [name, { program, words, start }] of Object.entries(CACHES)) {
    if ((await runProgram(program, words)).exitCode === 0) found.set(name, start);
  }
  return found;
}

export const CACHE_NAMES = Object.keys(CACHES);

async function startNginx(folder: string, web: number): Promise<CacheProcess> {
  const [port, kept, file] = [await freePort(), join(folder, 'nginx-kept'), join(folder, 'nginx-cache.conf')];
  await mkdir(kept);
  const text = replaceAll(await readFile(join(DEPLOY, 'nginx-cache.conf'), 'utf8'), {
    '/var/cache/nginx/addons': kept,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx-${name};`,
  );
  const upstream = `upstream addons { server 127.0.0.1:${web}; keepalive 32; }`;
  const location = `proxy_pass http://addons; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; client_max_body_size 220m;`;
  await writeFile(
    file,
    `daemon off; master_process off; pid ${folder}/nginx.pid; events {}
http { access_log off; ${temporary.join(' ')} ${upstream} keepalive_requests 1000000;
${text}
server { listen 127.0.0.1:${port}; location / { ${location} include ${join(DEPLOY, 'nginx-cache-location.conf')}; } } }`,
  );
  const child = launch('nginx', ['-e', 'stderr', '-c', file], join(folder, 'nginx.log'));
  await untilServed('nginx', port, join(folder, 'nginx.log'));
  return { name: 'nginx', port, kept, stop: () => stop(child, 'SIGTERM') };
}

async function startVarnish(folder: string, web: number): Promise<CacheProcess> {
  const [port, file, log] = [await freePort(), join(folder, 'varnish.vcl'), join(folder, 'varnish.log')];
  const text = replaceAll(await readFile(join(DEPLOY, 'varnish.vcl'), 'utf8'), { '"8001"': `"${web}"` });
  await writeFile(file, text);
  const words = ['-F', '-j', 'none', '-n', join(folder, 'varnish'), '-a', `127.0.0.1:${port}`, '-f', file];
  const child = launch('varnishd', [...words, '-s', 'malloc,64m'], log);
  await untilServed('varnish', port, log);
  return { name: 'varnish', port, kept: null, stop: () => stop(child, 'SIGTERM') };
}

async function untilServed(name: string, port: number, log: string): Promise<void> {
  await until(`${name} to serve`, READY_MS, () =>
    exchange({ method: 'GET', url: `http://127.0.0.1:${port}/healthz` }).then(
      ({ status }) => (status === 200 ? true : null),
      () => null,
    ),
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await readFile(log, 'utf8')}`);
  });
}
