/* The folder that packers pack. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { noise } from '../support/hostile-archive.ts';

export type Names = 'ASCII' | 'other';

const OTHER = ['_locales/ja/説明 – café.txt', 'größe/naïve.js'];

/** Writes a small extension below `folder`: text, binary and empty files, in folders. */
export async function writeTree(folder: string, guid: string, names: Names): Promise<void> {
  const manifest = {
    manifest_version: 2,
    name: 'Packed',
    version: '1.0',
    description: 'Says that it was packed.',
    background: { scripts: ['background.js'] },
    browser_specific_settings: { gecko: { id: guid } },
  };
  const files: Record<string, string | Buffer> = {
    'manifest.json': JSON.stringify(manifest, null, 2),
    'background.js': 'console.log("packed");\n',
    'content/empty.css': '',
    'content/deep/table.txt': 'one line of many\n'.repeat(5_000),
    'icons/noise.bin': noise(50_000),
    ...(names === 'other' ? Object.fromEntries(OTHER.map((name) => [name, `${name}\n`])) : {}),
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** The paths of all files below `folder`, with `/`, sorted. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
}
