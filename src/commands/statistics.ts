import { COMMAND_LINE } from '../domain/activity/record-audit.ts';
import { importStatistics } from '../domain/statistics/import-statistics.ts';
import { openLineFile } from '../domain/transfer/line-file.ts';
import { InvalidInputError } from '../errors.ts';
import { BAD_LINES, type Invocation, print, printJson } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Stores the daily statistics of a file. `--json` prints `{"rows","addons","skipped"}`. Invalid lines give status 2. */
export async function importStatisticsFile(invocation: Invocation): Promise<void> {
  const { lines } = await openLineFile(invocation.argument('FILE'));
  const skipBad = invocation.flag('skip-bad');
  try {
    const done = await withDatabase(() => importStatistics(COMMAND_LINE, lines, { skipBad }));
    if (done.skipped.length > 0) process.exitCode = BAD_LINES;
    if (invocation.flag('json')) return printJson({ ...done });
    print(
      `${done.rows} days stored; the numbers of ${done.addons} add-ons have changed.`,
      ...done.skipped.map((problem) => `left out: ${problem}`),
    );
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    process.exitCode = BAD_LINES;
    process.stderr.write(`addons: ${error.message}\naddons: Nothing was stored.\n`);
  }
}
