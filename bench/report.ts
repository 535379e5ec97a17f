import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

/** A row of a table. Rows without a `goal` are informational. */
export interface Row {
  what: string;
  value: number;
  unit: string;
  /** Both bounds are equal for a value that must be exact. */
  goal?: { min?: number; max?: number };
}

/** Whether a row reaches its goal; null without one. */
export function passes({ value, goal }: Row): boolean | null {
  if (goal === undefined) return null;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = goal;
  return value >= min && value <= max;
}

/** A description of the machine on one line. `more` adds what else the numbers depend on. */
export function machine(more: string[]): string {
  const [cpu] = cpus();
  const parts = [
    `${cpus().length} × ${cpu?.model ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    ...more,
  ];
  return parts.join(', ');
}

function print(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

function goalText({ goal, unit }: Row): string {
  if (goal === undefined) return '';
  if (goal.min === goal.max) return `${goal.min} ${unit}`;
  return goal.max === undefined ? `≥ ${goal.min} ${unit}` : `≤ ${goal.max} ${unit}`;
}

/** The rows as a Markdown table. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const passed = passes(row);
    const verdict = passed === null ? '' : passed ? 'pass' : '**miss**';
    return `| ${row.what} | ${print(row.value)} ${row.unit} | ${goalText(row)} | ${verdict} |`;
  });
  return ['| Measured | Result | Goal | |', '|---|---|---|---|', ...lines].join('\n');
}

const DOCUMENT = join(import.meta.dirname, '..', 'docs/benchmarks.md');

/** Replaces the part `name` of docs/benchmarks.md. */
export async function writePart(name: string, markdown: string): Promise<void> {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = await readFile(DOCUMENT, 'utf8');
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${DOCUMENT} has no part between ${start} and ${end}`);
  await writeFile(DOCUMENT, `${text.slice(0, from + start.length)}\n\n${markdown}\n\n${text.slice(to)}`);
}
