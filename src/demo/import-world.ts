import { dirname } from 'node:path';
import { importCatalogue } from '../domain/transfer/import-catalogue.ts';
import { describeBadLine, type LineError } from '../domain/transfer/line-error.ts';
import { openLineFile } from '../domain/transfer/line-file.ts';
import { log } from '../infra/log.ts';
import { movedToDay } from './demo-catalogue.ts';
import { updateDemoState } from './state.ts';

/**
 * Imports the demo catalogue, a file of lines, in one transaction and records that it exists. Lines that conflict with existing
 * rows are left out.
 * @throws when `stopping` is aborted before all lines have been read, and what `importCatalogue` throws.
 */
export async function importWorld(file: string, stopping: AbortSignal): Promise<void> {
  log.info('Importing the demo catalogue.');
  const { lines } = await openLineFile(file);
  const { imported, skipped } = await importCatalogue({
    lines: movedToToday(lines, stopping),
    baseFolder: dirname(file),
    skipBad: true,
  });
  for (const line of skipped) log.warn(`A line of the demo catalogue was left out: ${describeBadLine(line)}`);
  await updateDemoState({ hasWorld: true });
  log.info(`The demo catalogue is imported: ${imported.addon} add-ons.`);
}

/** The lines with dates up to today; throws once `stopping` is aborted. */
async function* movedToToday(lines: AsyncIterable<string | LineError>, stopping: AbortSignal) {
  const today = new Date();
  for await (const line of lines) {
    stopping.throwIfAborted();
    yield typeof line === 'string' ? movedToDay(line, today) : line;
  }
}
