/* Parses the lines of a statistics file: CSV with a header line, or JSON Lines. Pure. */
import { z } from 'zod';
import { MAX_INT4 } from '../../infra/int4.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { LineError } from '../transfer/line-error.ts';
import { isAddonId, isoDay, textLike, valueLike } from '../transfer/line-values.ts';

/** Numbers of an add-on on one day. Ratings, when present, are totals. */
export interface DailyNumbers {
  guid: string;
  /** YYYY-MM-DD, in UTC. */
  date: string;
  users: number;
  downloads: number;
  ratings: RatingNumbers | null;
}

/** Sums of the ratings of an add-on since its creation. */
export interface RatingNumbers {
  count: number;
  /** Ratings with a text. */
  textCount: number;
  average: number;
}

/** Column names of CSV and keys of JSON lines. The last three are all present or all absent. */
const COLUMNS = ['guid', 'date', 'users', 'downloads', 'rating_count', 'rating_text_count', 'rating_average'] as const;
type Column = (typeof COLUMNS)[number];
const REQUIRED: readonly Column[] = ['guid', 'date', 'users', 'downloads'];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Parser of one file. The first line decides about the format. */
export class StatisticsReader {
  #columns: Column[] | null = null;
  #isJson = false;

  /** Whether the format is known; CSV cannot be parsed without its header. */
  get hasFormat(): boolean {
    return this.#isJson || this.#columns !== null;
  }

  /**
   * The numbers of a line; null for an empty line and the header.
   * @throws {LineError} for an invalid line.
   */
  read(text: string): DailyNumbers | null {
    const line = text.trim();
    if (line === '') return null;
    if (!this.hasFormat && !line.startsWith('{')) {
      this.#columns = readColumns(line);
      return null;
    }
    this.#isJson ||= this.#columns === null;
    return readNumbers(this.#columns === null ? readObject(line) : readCells(line, this.#columns));
  }
}

function readColumns(line: string): Column[] {
  const names = splitCells(line);
  const unknown = names.find((name) => !COLUMNS.some((column) => column === name));
  if (unknown !== undefined)
    throw new LineError(
      '',
      message('line.unknown_column', { name: printable(unknown.slice(0, 64)), columns: COLUMNS.join(', ') }),
    );
  const missing = REQUIRED.find((column) => !names.includes(column));
  if (missing !== undefined) throw new LineError('', message('line.column_missing', { column: missing }));
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new LineError('', message('line.column_twice', { column: repeated }));
  return names as Column[];
}

/** Cells of a CSV line (RFC 4180); cells cannot contain line ends. */
function splitCells(line: string): string[] {
  const cells: string[] = [];
  const cell = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;
  while (cell.lastIndex <= line.length) {
    const match = cell.exec(line);
    if (match === null) throw new LineError('', message('line.quotation_marks'));
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2]?.trim() ?? '');
    if (match[3] === '') break;
  }
  return cells;
}

function readCells(line: string, columns: readonly Column[]): Partial<Record<Column, string>> {
  const cells = splitCells(line);
  if (cells.length !== columns.length) {
    throw new LineError('', message('line.expected_cells', { columns: columns.length, cells: cells.length }));
  }
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
}

function readObject(line: string): Partial<Record<Column, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new LineError('', message('line.expected_json'));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new LineError('', message('line.expected_object'));
  const entries = Object.entries(value).filter(([name]) => name !== 'kind');
  const unknown = entries.find(([name]) => !COLUMNS.some((column) => column === name));
  if (unknown !== undefined)
    throw new LineError(
      '',
      message('line.unknown_name', { name: printable(unknown[0].slice(0, 64)), names: COLUMNS.join(', ') }),
    );
  return Object.fromEntries(entries);
}

/** A number, or a text that is one: cells of CSV are texts. */
const numberLike = (form: RegExp, max: number, problem: Message) =>
  valueLike<string | number>(
    (value) =>
      (typeof value === 'string' || typeof value === 'number') && form.test(String(value)) && Number(value) <= max,
    problem,
  ).transform(Number);

const count = numberLike(/^\d{1,10}$/, MAX_INT4, message('line.expected_whole', { min: 0, max: MAX_INT4 }));
const average = numberLike(/^\d(?:\.\d{1,6})?$/, 5, message('line.expected_number', { min: 0, max: 5 }));

/** Empty cells count as absent. */
const nullIfEmpty = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => ((given ?? '') === '' ? null : given), value.nullable());

/** Up to tomorrow in UTC, since sources may be in other time zones. */
const pastDay = isoDay.refine((day) => Date.parse(day) <= Date.now() + DAY_MS, {
  params: { ...message('line.future_day') },
});

const numbersLine = z
  .object({
    guid: textLike(isAddonId, message('line.expected_addon')),
    date: pastDay,
    users: count,
    downloads: count,
    rating_count: nullIfEmpty(count),
    rating_text_count: nullIfEmpty(count),
    rating_average: nullIfEmpty(average),
  })
  .transform(({ rating_count, rating_text_count, rating_average, ...numbers }, context): DailyNumbers => {
    const refused = (problem: Message, path: Column[] = []) => {
      context.issues.push({ code: 'custom', params: { ...problem }, path, input: null });
      return z.NEVER;
    };
    const given = [rating_count, rating_text_count, rating_average].filter((number) => number !== null);
    if (given.length === 0) return { ...numbers, ratings: null };
    if (rating_count === null || rating_text_count === null || rating_average === null)
      return refused(message('line.incomplete_ratings'));
    if (rating_text_count > rating_count) return refused(message('line.too_many_text_ratings'), ['rating_text_count']);
    return { ...numbers, ratings: { count: rating_count, textCount: rating_text_count, average: rating_average } };
  });

/** @throws {LineError} naming the first invalid key. */
export function readNumbers(values: Readonly<Partial<Record<Column, unknown>>>): DailyNumbers {
  const { data, error } = numbersLine.safeParse(values);
  if (data !== undefined) return data;
  const issue = error?.issues[0] as z.core.$ZodIssueCustom;
  throw new LineError(issue.path.join('.'), issue.params as Message & typeof issue.params);
}
