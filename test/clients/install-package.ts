import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './client.ts';

/** The package registry cannot be reached from this machine. */
export class NoRegistryError extends Error {}

const NO_NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

/**
 * Installs this version of an npm package in a folder of its own below `root`, unless it is installed, without running its
 * scripts. Returns the path of its `node_modules`.
 * @throws {NoRegistryError} if the registry cannot be reached.
 */
export async function installPackage(root: string, name: string, version: string): Promise<string> {
  const own = join(root, `${name}-${version}`);
  const modules = join(own, 'node_modules');
  const isThere = await access(join(modules, name, 'package.json')).then(
    () => true,
    () => false,
  );
  if (isThere) return modules;
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'package.json'), '{ "private": true }\n');
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const words = ['install', '--ignore-scripts', ...quiet, `${name}@${version}`];
  const { exitCode, output } = await runProgram('npm', words, { cwd: own });
  if (exitCode === 0) return modules;
  const message = `npm could not install ${name} ${version}:\n${output}`;
  throw NO_NETWORK.test(output) ? new NoRegistryError(message) : new Error(message);
}
