import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeBadLine, importCatalogue } from '../domain/transfer/import-catalogue.ts';
import { openLineFile } from '../domain/transfer/line-file.ts';
import { log } from '../infra/log.ts';
import { updateDemoState } from './state.ts';
import { DAY_MS } from './world/catalogue-line.ts';
import { writeWorld } from './world/write-world.ts';

/**
 * Imports the demo catalogue from a catalogue file in one transaction and records that it exists. Lines that conflict with existing
 * rows are left out.
 * @throws when `stopping` is aborted before all lines have been read, and what `importCatalogue` throws.
 */
export async function importWorld(stopping: AbortSignal): Promise<void> {
  log.info('Importing the demo catalogue.');
  const folder = await mkdtemp(join(tmpdir(), 'addons-world-'));
  try {
    const today = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
    const file = await writeWorld(folder, today, stopping);
    const { lines } = await openLineFile(file);
    const { imported, skipped } = await importCatalogue({
      lines: unlessStopping(lines, stopping),
      baseFolder: dirname(file),
      skipBad: true,
    });
    for (const line of skipped) log.warn(`A line of the demo catalogue was left out: ${describeBadLine(line)}`);
    await updateDemoState({ hasWorld: true });
    log.info(`The demo catalogue is imported: ${imported.addon} add-ons.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same lines; throws once `stopping` is aborted. */
async function* unlessStopping<Line>(lines: AsyncIterable<Line>, stopping: AbortSignal): AsyncGenerator<Line> {
  for await (const line of lines) {
    stopping.throwIfAborted();
    yield line;
  }
}
