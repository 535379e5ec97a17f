import type { ImportOptions, ImportResult } from '../../../src/domain/transfer/import-catalogue.ts';

/** Lines in place of a file. */
export async function* inOrder(lines: Iterable<unknown>): AsyncGenerator<string> {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
}

/** Imports lines: texts as they are, objects as JSON. */
export async function importLines(
  lines: Iterable<unknown>,
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> {
  const { importCatalogue } = await import('../../../src/domain/transfer/import-catalogue.ts');
  return importCatalogue({ lines: inOrder(lines), ...options });
}

/** What bad lines an import of these lines is refused for, as an operator reads them. */
export async function refusalsOf(lines: Iterable<unknown>, options: Partial<ImportOptions> = {}): Promise<string[]> {
  const { BadCatalogueError, describeBadLine } = await import('../../../src/domain/transfer/import-catalogue.ts');
  try {
    await importLines(lines, options);
    return [];
  } catch (error) {
    if (!(error instanceof BadCatalogueError)) throw error;
    return error.lines.map(describeBadLine);
  }
}

/** Everything that an export writes, as objects. */
export async function exportedLines(): Promise<Record<string, unknown>[]> {
  const { exportCatalogue } = await import('../../../src/domain/transfer/export-catalogue.ts');
  const lines: Record<string, unknown>[] = [];
  for await (const line of exportCatalogue()) lines.push(JSON.parse(line));
  return lines;
}
