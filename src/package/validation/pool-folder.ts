/**
 * The folder in which the linter processes of one pool have theirs. A killed process cannot clean up after itself, so the
 * next pool does. Process ids do not identify processes of other containers that share the folder for temporary files.
 * Therefore, the process of a pool listens on a Unix socket, which the kernel closes with it.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

const FOLDER_NAME = /^package-linter-[0-9a-f]{12}$/;

/** The socket of a folder. It exists before the folder and is removed after it. */
const socketOf = (folder: string): string => `${folder}.alive`;

/** Path of the unpacked package without errors that every process lints before it is ready. */
export const warmUpFolder = (poolFolder: string): string => join(poolFolder, 'warm-up');

export interface PoolFolder {
  path: string;
  remove(): Promise<void>;
}

/** Makes the folder of a pool inside `parent`, with the warm-up package in it. */
export async function makePoolFolder(parent: string): Promise<PoolFolder> {
  await removeAbandoned(parent);
  const path = join(parent, `package-linter-${randomBytes(6).toString('hex')}`);
  const server = await listen(socketOf(path));
  const remove = async () => {
    await rm(path, { recursive: true, force: true });
    server.close();
  };
  try {
    await mkdir(path, { mode: 0o700 });
    await writeWarmUp(warmUpFolder(path));
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeWarmUp(warmUp: string): Promise<void> {
  await mkdir(warmUp);
  const manifest = { manifest_version: 2, name: 'Warm-up', version: '1.0', background: { scripts: ['script.js'] } };
  await writeFile(join(warmUp, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(warmUp, 'script.js'), 'const ready = () => true;\nready();\n');
  await writeFile(join(warmUp, 'page.html'), '<!doctype html><title>Warm-up</title>\n');
}

/** Listens on a socket, which does not keep the process running. */
async function listen(path: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy()).listen(path);
  await once(server, 'listening');
  // Clients connect even while this process cannot accept connections.
  server.on('error', () => {});
  return server.unref();
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    if (!FOLDER_NAME.test(name) || !(await isAbandoned(folder))) continue;
    await rm(folder, { recursive: true, force: true })
      .then(() => rm(socketOf(folder), { force: true }))
      .catch(() => {});
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const connection = connect(socketOf(folder));
  try {
    await once(connection, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    connection.destroy();
  }
}
