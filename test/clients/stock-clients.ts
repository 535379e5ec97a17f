/*
 * Runs unmodified signing clients of several years against a new installation, on both versions of the API. Prints one line
 * per scenario and exits with 1 if one fails. Option: --clients FOLDER with installed clients, which are installed there if
 * missing. Without it npm installs them into a temporary folder, which takes about a minute.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { SigningClient } from './client.ts';
import { curlClient } from './curl-client.ts';
import { installPackage } from './install-package.ts';
import { createContext } from './scenario-context.ts';
import { scenarios } from './scenarios.ts';
import { signAddonClient } from './sign-addon-client.ts';
import { openSite, type Site } from './site.ts';
import { webExtClient } from './web-ext-client.ts';

const APIS = ['v3', 'v4'] as const;

const { values } = parseArgs({ options: { clients: { type: 'string' } } });
const folder = await mkdtemp(join(tmpdir(), 'addons-stock-clients-'));
const counts = { passed: 0, failed: 0 };
try {
  const clients = await installClients(resolve(values.clients ?? join(folder, 'clients')));
  const site = await openSite();
  try {
    for (const client of clients) await Promise.all(APIS.map(async (api) => runAll(site, await client, api)));
    if (!site.isRunning()) report(false, 'a process of the service ended unexpectedly');
  } finally {
    if (counts.failed > 0)
      console.log(`The data folder of the service is kept, with its logs next to it: ${site.dataDir}`);
    await site.close({ keepFolder: counts.failed > 0 });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

function report(isGood: boolean, line: string): void {
  counts[isGood ? 'passed' : 'failed'] += 1;
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${line}`);
}

async function runAll(site: Site, client: SigningClient, api: (typeof APIS)[number]): Promise<void> {
  const context = await createContext(site, client, api, folder);
  for (const { name, needsOwnFile, run } of scenarios) {
    if (needsOwnFile && !client.sendsFile) continue;
    const started = performance.now();
    const problem = await run(context).then(
      () => null,
      (error: unknown) => error,
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    report(problem === null, `${client.name} on ${api} ${name} (${seconds} s)`);
    if (problem !== null) console.log(`      ${String(problem).replaceAll('\n', '\n      ')}`);
  }
}

/** The clients in the order of their runs. While one runs, the next ones are installed. */
async function installClients(root: string): Promise<Promise<SigningClient>[]> {
  const home = join(folder, 'home');
  await mkdir(home);
  const signAddon = installPackage(root, 'sign-addon', '0.3.1');
  const webExt2 = signAddon.then(() => installPackage(root, 'web-ext', '2.9.3'));
  const webExt7 = webExt2.then(() => installPackage(root, 'web-ext', '7.12.0'));
  const clients = [
    Promise.resolve(curlClient),
    signAddon.then((modules) =>
      signAddonClient('sign-addon 0.3.1', join(modules, 'sign-addon', 'dist', 'sign-addon.js')),
    ),
    webExt2.then((modules) => webExtClient('web-ext 2.9.3', join(modules, '.bin', 'web-ext'), home, 'applications')),
    webExt7.then((modules) => webExtClient('web-ext 7.12.0', join(modules, '.bin', 'web-ext'), home)),
  ];
  // The run of a client reports that it was not installed.
  for (const client of clients) client.catch(() => {});
  return clients;
}
