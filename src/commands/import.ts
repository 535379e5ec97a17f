import { dirname } from 'node:path';
import { withCatalogueFile } from '../domain/transfer/catalogue-archive.ts';
import {
  BadCatalogueError,
  type ImportResult,
  ImportRunningError,
  importCatalogue,
  MAX_BAD_LINES,
} from '../domain/transfer/import-catalogue.ts';
import { type BadLine, describeBadLine } from '../domain/transfer/line-error.ts';
import { openLineFile } from '../domain/transfer/line-file.ts';
import { requireOwnStore } from '../infra/blob-store/installation.ts';
import { englishText } from '../texts/messages.ts';
import { BAD_LINES, CommandError, type Invocation } from './command.ts';
import { importMeter } from './import-meter.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** Maximum number of printed bad lines; `--json` prints all. */
const MAX_PRINTED = 20;

const GROUPS_HINT = 'Groups that do not exist are made, without permissions, when --create-groups is given.';

/** Imports a catalogue: the whole file or nothing, unless `--skip-bad` is given. */
export function runImport(invocation: Invocation): Promise<void> {
  return withCatalogueFile(invocation.argument('FILE'), (name) => importFile(name, invocation));
}

async function importFile(name: string, invocation: Invocation): Promise<void> {
  const file = await openLineFile(name);
  const meter = importMeter(process.stderr, file.progress);
  try {
    const result = await withDatabase(async () => {
      await requireOwnStore();
      return importCatalogue({
        lines: file.lines,
        baseFolder: name === '-' ? process.cwd() : dirname(name),
        skipBad: invocation.flag('skip-bad'),
        createGroups: invocation.flag('create-groups'),
        onProgress: meter.show,
      });
    });
    meter.clear();
    report(result, invocation.flag('json'));
  } catch (error) {
    meter.clear();
    if (error instanceof ImportRunningError) throw new CommandError(error.message);
    if (!(error instanceof BadCatalogueError)) throw error;
    refuse(error, invocation.flag('json'));
  }
}

function report({ imported, skipped }: ImportResult, json: boolean): void {
  if (skipped.length > 0) process.exitCode = BAD_LINES;
  if (json) {
    printJson({ imported, skipped: skipped.map(asJson) });
    return;
  }
  const counts = Object.entries(imported).filter(([, lines]) => lines > 0);
  print(
    counts.length === 0
      ? 'Imported nothing.'
      : `Imported ${counts.map(([kind, lines]) => `${lines} ${kind}`).join(', ')}.`,
  );
  if (skipped.length > 0) print(`Left out ${skipped.length} bad lines:`, ...printable(skipped));
}

function refuse({ lines }: BadCatalogueError, json: boolean): void {
  process.exitCode = BAD_LINES;
  if (json) printJson({ imported: {}, skipped: [], bad: lines.map(asJson) });
  const problems = printable(lines, lines.length >= MAX_BAD_LINES ? 'at least ' : '');
  if (lines.some(({ key }) => key === 'account.groups')) problems.push(GROUPS_HINT);
  process.stderr.write([...problems, 'Nothing was imported.'].map((line) => `addons: ${line}\n`).join(''));
}

const asJson = ({ line, key, problem }: BadLine) => ({ line, key, message: englishText(problem), ...problem });

function printable(lines: readonly BadLine[], atLeast = ''): string[] {
  const printed = lines.slice(0, MAX_PRINTED).map(describeBadLine);
  return lines.length > MAX_PRINTED ? [...printed, `and ${atLeast}${lines.length - MAX_PRINTED} more`] : printed;
}
