import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '../../../src/config.ts';

/** SHA-256 of `hello`. */
export const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

/** A new file with the bytes of `hello`. */
export async function helloFile(): Promise<{ path: string; sha256: string }> {
  const folder = await mkdtemp(`${config.DATA_DIR}-hello-`);
  const path = join(folder, 'file');
  await writeFile(path, 'hello');
  return { path, sha256: HELLO };
}
