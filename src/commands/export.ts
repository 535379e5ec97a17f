import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { exportCatalogue } from '../domain/transfer/export-catalogue.ts';
import type { ExportedFiles, FilesFolder } from '../domain/transfer/export-files.ts';
import { requireOwnStore } from '../infra/blob-store/installation.ts';
import { CommandError, type Invocation, print, printJson } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Exit status of an export whose files are incomplete. */
const FILES_MISSING = 2;

/**
 * Exports the catalogue to a file, which appears when it is complete, or to standard output. With `--files`, packages and
 * pictures are copied to a folder first.
 */
export async function runExport(invocation: Invocation): Promise<void> {
  const name = invocation.argument('FILE');
  const files = filesFolder(name, invocation.optionalText('files'));
  const outcome: Outcome = { lines: 0 };
  await withDatabase(async () => {
    if (files !== undefined) await requireOwnStore();
    await writeText(name, catalogueText(files, outcome));
  });
  report(name, outcome, invocation.flag('json'));
}

interface Outcome {
  lines: number;
  files?: ExportedFiles;
}

/** @throws {CommandError} for a folder above that of the file: lines name files by relative paths. */
function filesFolder(name: string, given: string | undefined): FilesFolder | undefined {
  if (given === undefined) return undefined;
  const path = posix.normalize(given.replaceAll(sep, '/')).replace(/\/$/, '');
  const isBelow = given !== '' && !isAbsolute(given) && path !== '.' && path.split('/')[0] !== '..';
  if (!isBelow) throw new CommandError(`--files: expected a folder below the folder of the file, not '${given}'`);
  return { path, folder: join(name === '-' ? process.cwd() : dirname(name), path) };
}

function report(name: string, { lines, files }: Outcome, json: boolean): void {
  const { copied = 0, missing = [] } = files ?? {};
  if (missing.length > 0) {
    process.exitCode = FILES_MISSING;
    process.stderr.write(
      `addons: ${missing.length} files of the store are lost or damaged, the first is ${missing[0]}\n`,
    );
  }
  // Standard output contains only the catalogue.
  if (name === '-') return;
  if (json) printJson({ exported: lines, ...(files ? { files: copied, missing } : {}) });
  else print(`Wrote ${lines} lines${files ? ` and ${copied} files` : ''} to ${name}.`);
}

/** The text of the file. Counts written lines in `outcome`. */
function catalogueText(files: FilesFolder | undefined, outcome: Outcome): Readable {
  const onFiles = (exported: ExportedFiles) => {
    outcome.files = exported;
  };
  async function* ended(): AsyncGenerator<string> {
    for await (const line of exportCatalogue({ files, onFiles })) {
      outcome.lines += 1;
      yield `${line}\n`;
    }
  }
  return Readable.from(ended());
}

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
