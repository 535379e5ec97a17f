/* Writes docs/limits.md from the limits in the code: `npm run generate:docs`. A test fails while it is stale. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LimitPart, SERVICE_LIMITS } from './service-limits.ts';

/** Path of the file. */
export const LIMITS_FILE = join(import.meta.dirname, '../../../docs/limits.md');

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function markdownOf(part: LimitPart): string[] {
  if ('lines' in part) return [...part.lines, ''];
  return [row(part.columns), row(part.columns.map(() => '---')), ...part.rows.map(row), ''];
}

/** The text of docs/limits.md. */
export function limitsMarkdown(): string {
  return [
    '# Limits',
    '',
    '<!-- Written by `npm run generate:docs`; src/pages/docs/service-limits.ts names the sources. -->',
    '',
    ...SERVICE_LIMITS.flatMap(({ title, parts }) => [`## ${title}`, '', ...parts.flatMap(markdownOf)]),
  ].join('\n');
}

if (import.meta.main) await writeFile(LIMITS_FILE, limitsMarkdown());
