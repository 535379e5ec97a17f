import { dirname, isAbsolute, join, posix, sep } from 'node:path';
import { Readable } from 'node:stream';
import { exportCatalogue } from '../domain/transfer/export-catalogue.ts';
import type { ExportedFiles, FilesFolder } from '../domain/transfer/export-files.ts';
import { requireOwnStore } from '../infra/blob-store/installation.ts';
import { CommandError, type Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';
import { writeText } from './write-text.ts';

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
