import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { importStatistics } from '../domain/statistics/import-statistics.ts';
import type { Invocation } from './command.ts';
import { print, printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

/** The lines of a file, unpacked where its name ends in `.gz`; `-` is standard input. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  const input = file.endsWith('.gz') ? bytes.compose(createGunzip()) : bytes;
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

/** Stores the daily statistics of a file. `--json` prints `{"rows","addons","skipped"}`. */
export async function importStatisticsFile(invocation: Invocation): Promise<void> {
  const file = invocation.argument('FILE');
  const skipBad = invocation.flag('skip-bad');
  const done = await withDatabase(() => importStatistics('command line', linesOf(file), { skipBad }));
  if (invocation.flag('json')) return printJson({ ...done });
  print(
    `${done.rows} days stored; the numbers of ${done.addons} add-ons have changed.`,
    ...done.skipped.map((problem) => `left out: ${problem}`),
  );
}
