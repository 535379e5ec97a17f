import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of `src` with the code that responses are built from. */
const FOLDERS = [
  'auth',
  'domain',
  'generated/operations',
  'graphql',
  'http',
  'infra',
  'package',
  'pages',
  'rest',
  'texts',
];
const FILES = ['src/config.ts', 'src/errors.ts', 'package-lock.json'];

/** SHA-256 of the source code that responses are built from, and of the versions of all libraries. `root` is the folder of the project. */
export function hashCode(root: string): string {
  const files = [...FILES, ...FOLDERS.flatMap((folder) => filesIn(root, join('src', folder)))];
  const texts = files.sort().flatMap((file) => [file, readFileSync(join(root, file), 'utf8')]);
  return hash('sha256', texts.join('\0'), 'base64url').slice(0, 10);
}

const filesIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
    .filter((file) => /\.(?:ts|json)$/.test(file))
    .map((file) => join(folder, file));
