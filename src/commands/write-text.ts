import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { CommandError } from './command.ts';

/**
 * Writes a text to a file, which appears when it is complete and is compressed when its name ends in `.gz`, or to standard output (`-`).
 * @throws errors of the disk and of the text; an existing file then stays unchanged. {CommandError} for a name that is no file's.
 */
export async function writeText(name: string, text: Readable): Promise<void> {
  if (name === '-') return writeToOutput(text);
  await requireFile(name);
  // Of this process: two exports may run at the same time.
  const draft = `${name}.${process.pid}.part`;
  try {
    const file = createWriteStream(draft);
    if (name.endsWith('.gz')) await pipeline(text, createGzip(), file);
    else await pipeline(text, file);
    await rename(draft, name);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A rename would replace a device such as /dev/null by a file. */
async function requireFile(name: string): Promise<void> {
  const found = await stat(name).catch(() => null);
  if (found === null || found.isFile()) return;
  throw new CommandError(`${name} is ${found.isDirectory() ? 'a folder' : 'no regular file'}; - is standard output`);
}

async function writeToOutput(text: Readable): Promise<void> {
  const output = process.stdout;
  for await (const chunk of text) if (!output.write(chunk)) await once(output, 'drain');
  await new Promise<void>((resolve) => output.write('', () => resolve()));
}
