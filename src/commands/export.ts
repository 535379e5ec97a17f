import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { exportCatalogue } from '../domain/catalogue/export-catalogue.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Moves a catalogue out, to a file that is there when it is complete, or to standard output. */
export async function runExport(invocation: Invocation): Promise<void> {
  const name = invocation.argument('FILE');
  const lines = await withDatabase(() => (name === '-' ? writeToOutput() : writeFile(name)));
  // Standard output has the catalogue, and nothing else.
  if (name === '-') return;
  if (invocation.flag('json')) printJson({ exported: lines });
  else print(`Wrote ${lines} lines to ${name}.`);
}

/** The text of the file, and how many lines it has had so far. */
function catalogueText(): { text: Readable; lines: () => number } {
  let lines = 0;
  async function* ended(): AsyncGenerator<string> {
    for await (const line of exportCatalogue()) {
      lines += 1;
      yield `${line}\n`;
    }
  }
  return { text: Readable.from(ended()), lines: () => lines };
}

async function writeFile(name: string): Promise<number> {
  const draft = `${name}.part`;
  const { text, lines } = catalogueText();
  try {
    const file = createWriteStream(draft);
    if (name.endsWith('.gz')) await pipeline(text, createGzip(), file);
    else await pipeline(text, file);
    await rename(draft, name);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return lines();
}

async function writeToOutput(output: Writable = process.stdout): Promise<number> {
  const { text, lines } = catalogueText();
  for await (const chunk of text) if (!output.write(chunk)) await once(output, 'drain');
  await new Promise<void>((resolve) => output.write('', () => resolve()));
  return lines();
}
