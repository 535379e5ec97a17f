import { dirname } from 'node:path';
import type { WriteStream } from 'node:tty';
import { withCatalogueFile } from '../domain/transfer/catalogue-archive.ts';
import {
  BadCatalogueError,
  type ImportProgress,
  type ImportResult,
  ImportRunningError,
  importCatalogue,
  MAX_BAD_LINES,
} from '../domain/transfer/import-catalogue.ts';
import { type BadLine, describeBadLine } from '../domain/transfer/line-error.ts';
import { openLineFile } from '../domain/transfer/line-file.ts';
import { requireOwnStore } from '../infra/blob-store/installation.ts';
import { englishText } from '../texts/messages.ts';
import { BAD_LINES, CommandError, type Invocation, print, printJson } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Interval between updates of the line. */
const EVERY_MS = 250;

const WORDS: Readonly<Record<ImportProgress['phase'], string>> = {
  reading: 'reading lines',
  loading: 'loading, step',
  publishing: 'publishing add-ons',
};

/** A progress line of an import. */
interface Meter {
  show(progress: ImportProgress): void;
  /** Clears the line. */
  clear(): void;
}

function seconds(time: number): string {
  return time < 90 ? `${Math.ceil(time)} s` : `${Math.ceil(time / 60)} min`;
}

/** The line of a phase after `elapsed` seconds; `part` is its progress, 0 to 1. */
export function meterLine({ phase, done, total }: ImportProgress, elapsed: number, part: number | null): string {
  const words = [`${WORDS[phase]} ${done}${total === null || phase === 'reading' ? '' : ` of ${total}`}`];
  if (phase !== 'loading' && elapsed > 0) words.push(`${Math.round(done / elapsed)} a second`);
  if (phase !== 'loading' && part !== null && part > 0 && part < 1) {
    words.push(`${seconds((elapsed * (1 - part)) / part)} left in this step`);
  }
  return words.join(', ');
}

/** A progress line on a stream; silent unless it is a terminal. `read` returns the read share of the file. */
function importMeter(stream: WriteStream, read: () => number | null): Meter {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  let phase: ImportProgress['phase'] | null = null;
  let began = 0;
  let shown = 0;
  return {
    show: (progress) => {
      const now = performance.now();
      if (progress.phase !== phase) [phase, began, shown] = [progress.phase, now, 0];
      if (now - shown < EVERY_MS) return;
      shown = now;
      const part =
        progress.phase === 'reading' ? read() : progress.total === null ? null : progress.done / progress.total;
      stream.write(`\r\x1b[K${meterLine(progress, (now - began) / 1000, part)}`);
    },
    clear: () => {
      if (phase !== null) stream.write('\r\x1b[K');
    },
  };
}

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
