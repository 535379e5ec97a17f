import { open } from 'node:fs/promises';

/** Makes the entries of a folder durable: files created, renamed or removed in it. */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}
