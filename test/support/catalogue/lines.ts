import type { ImportOptions, ImportResult } from '../../../src/domain/transfer/import-catalogue.ts';

/** The lines of a catalogue file, as a stream. */
async function* inOrder(lines: Iterable<unknown>): AsyncGenerator<string> {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
}

/** Imports lines: strings unchanged, objects as JSON. */
export async function importLines(
  lines: Iterable<unknown>,
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> {
  const { importCatalogue } = await import('../../../src/domain/transfer/import-catalogue.ts');
  return importCatalogue({ lines: inOrder(lines), ...options });
}

/** The messages about invalid lines with which an import fails; empty if it succeeds. */
export async function refusalsOf(lines: Iterable<unknown>, options: Partial<ImportOptions> = {}): Promise<string[]> {
  const { BadCatalogueError } = await import('../../../src/domain/transfer/import-catalogue.ts');
  const { describeBadLine } = await import('../../../src/domain/transfer/line-error.ts');
  try {
    await importLines(lines, options);
    return [];
  } catch (error) {
    if (!(error instanceof BadCatalogueError)) throw error;
    return error.lines.map(describeBadLine);
  }
}

/** The lines of an export, as objects. */
export async function exportedLines(): Promise<Record<string, unknown>[]> {
  const { exportCatalogue } = await import('../../../src/domain/transfer/export-catalogue.ts');
  const lines: Record<string, unknown>[] = [];
  for await (const line of exportCatalogue()) lines.push(JSON.parse(line));
  return lines;
}
