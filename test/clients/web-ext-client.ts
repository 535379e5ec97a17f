import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openZip } from '../../src/package/zip/read-zip.ts';
import { runProgram, type SigningClient } from './client.ts';

/** The file in which web-ext stores an id that the service assigned: comments, then the id. */
const ID_FILE = '.web-extension-id';

/**
 * `web-ext sign` at the installed script `program`. It packs and signs a folder, so the package is unpacked first. `home` is
 * its home folder; `idKey` is the manifest key in which this version reads the id.
 */
export function webExtClient(
  name: string,
  program: string,
  home: string,
  idKey: SigningClient['idKey'] = 'browser_specific_settings',
): SigningClient {
  return {
    name,
    sendsFile: false,
    idKey,
    sign: async ({ prefix, key, secret, file, id, channel, saveTo }) => {
      const source = await mkdtemp(join(home, 'source-'));
      try {
        const hasId = await unpack(file, source);
        const credentials = ['--api-key', key, '--api-secret', secret, '--api-url-prefix', prefix];
        const choices = [...(id === null || hasId ? [] : ['--id', id]), ...(channel ? ['--channel', channel] : [])];
        const folders = ['--source-dir', source, '--artifacts-dir', saveTo];
        const words = [program, 'sign', ...folders, ...credentials, ...choices, '--no-input'];
        const { exitCode, output } = await runProgram(process.execPath, words, {
          cwd: source,
          settings: { HOME: home },
        });
        return { exitCode, output, id: await keptId(source) };
      } finally {
        await rm(source, { recursive: true, force: true });
      }
    },
  };
}

/** Unpacks a package and returns whether its manifest has an id. If it has one, web-ext refuses one on the command line. */
async function unpack(file: string, folder: string): Promise<boolean> {
  const archive = await openZip(file);
  try {
    for (const entry of archive.entries) {
      if (entry.directory) continue;
      const path = join(folder, entry.name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await archive.read(entry));
    }
  } finally {
    await archive.close();
  }
  return (await readFile(join(folder, 'manifest.json'), 'utf8')).includes('"gecko"');
}

async function keptId(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, ID_FILE), 'utf8').catch(() => '');
  return text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? null;
}
