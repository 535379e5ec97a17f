import { Readable } from 'node:stream';
import { type BenchmarkSize, benchmarkLines } from '../demo/world/benchmark.ts';
import { type ImportResult, ImportRunningError, importCatalogue } from '../domain/transfer/import-catalogue.ts';
import { CommandError, type Invocation } from './command.ts';
import { importMeter } from './import-meter.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';
import { writeText } from './write-text.ts';

const MAX_NUMBER = 5_000_000;

/**
 * Generates a catalogue of any size for benchmarks and imports it, or writes it to a file. Lines are streamed,
 * so that memory does not depend on the size.
 */
export async function makeDemo(invocation: Invocation): Promise<void> {
  const size: BenchmarkSize = {
    addons: readNumber('size', invocation.text('size')),
    personas: readNumber('personas', invocation.optionalText('personas') ?? '0'),
    seed: readNumber('seed', invocation.optionalText('seed') ?? '1'),
  };
  const output = invocation.optionalText('output');
  if (output !== undefined) return writeText(output, Readable.from(madeUp(size, '\n')));
  const { imported } = await importMadeUp(size);
  if (invocation.flag('json')) printJson({ imported });
  else print(`Imported ${imported.addon} made-up add-ons of ${imported.account} accounts.`);
}

/** @throws {CommandError} for anything but a number within the limits. */
function readNumber(option: string, text: string): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= MAX_NUMBER) return number;
  throw new CommandError(`--${option}: '${text}' is not a number from 0 to ${MAX_NUMBER}`);
}

function* madeUp(size: BenchmarkSize, end: string): Generator<string> {
  for (const line of benchmarkLines(size)) yield JSON.stringify(line) + end;
}

async function importMadeUp(size: BenchmarkSize): Promise<ImportResult> {
  const meter = importMeter(process.stderr, () => null);
  try {
    const lines = Readable.from(madeUp(size, ''));
    return await withDatabase(() => importCatalogue({ lines, onProgress: meter.show }));
  } catch (error) {
    if (error instanceof ImportRunningError) throw new CommandError(error.message);
    throw error;
  } finally {
    meter.clear();
  }
}
