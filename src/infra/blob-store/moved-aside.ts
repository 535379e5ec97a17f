/*
 * Files of blobs that a removal has moved aside: `<sha256>.removed.<random>` next to the blob. No two removals use one name, so a removal
 * deletes the file that it moved, however late it does. Other processes put such files back; `<sha256>.removed` is one of release 0.1.0.
 */
import { randomBytes } from 'node:crypto';
import { link, open, readdir, rename, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unlessExists } from './folder-marker.ts';

const FILE = /^([0-9a-f]{64})(\.removed(?:\.[0-9a-f]+)?)?$/;
/** Each time another collection moves the blob aside; one that does so again and again is none. */
const MAX_ATTEMPTS = 5;

/** What a file of the folder is of; null for what is no blob. */
export function blobOfFile(name: string): { sha256: string; isAside: boolean } | null {
  const [, sha256, suffix] = FILE.exec(name) ?? [];
  return sha256 === undefined ? null : { sha256, isAside: suffix !== undefined };
}

/**
 * Moves the file of a blob aside. `modified` is when it was stored, in milliseconds since 1970: of the file that was moved, which may be
 * another one than at a look before. It is opened for that, as a network file system has the age of an open file only from its server.
 * @throws with the code ENOENT when there is none, or another process has put it back.
 */
export async function moveAside(path: string): Promise<{ path: string; modified: number }> {
  const aside = `${path}.removed.${randomBytes(8).toString('hex')}`;
  await rename(path, aside);
  await using handle = await open(aside);
  return { path: aside, modified: (await handle.stat()).mtimeMs };
}

/**
 * Puts back what removals have moved aside. The blob counts as stored now, so that no collection removes it for some time: which of its files
 * was the youngest is not known any more. Returns whether there was one.
 */
export async function putBack(path: string): Promise<boolean> {
  const [folder, name] = [dirname(path), basename(path)];
  const files = await readdir(folder).catch(unlessMissing([]));
  const aside = files.filter((file) => blobOfFile(file)?.isAside && file.startsWith(name));
  for (const file of aside) await putOneBack(path, join(folder, file));
  return aside.length > 0;
}

async function putOneBack(path: string, aside: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      // A link, because a rename would replace a file that was stored in the meantime.
      await unlessExists(link(aside, path));
      await utimes(path, new Date(), new Date());
      await unlink(aside);
      return;
    } catch (error) {
      // Another process has put it back, its removal has ended, or a collection has moved the file at `path` aside: the link is tried again.
      unlessMissing(null)(error as NodeJS.ErrnoException);
    }
  }
}

/** For `catch`: a value for what does not exist. Other errors are thrown again. */
export const unlessMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
