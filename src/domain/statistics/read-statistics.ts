/* Parses the lines of a statistics file: CSV with a header line, or JSON Lines. Pure. */
import { MAX_INT4 } from '../../infra/int4.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { LineError } from '../transfer/line-error.ts';
import { isAddonId } from '../transfer/line-values.ts';

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

const WHOLE_NUMBER = /^\d{1,10}$/;
const DECIMAL = /^\d(?:\.\d{1,6})?$/;
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

function readCells(line: string, columns: readonly Column[]): Map<string, unknown> {
  const cells = splitCells(line);
  if (cells.length !== columns.length) {
    throw new LineError('', message('line.expected_cells', { columns: columns.length, cells: cells.length }));
  }
  return new Map(columns.map((column, index) => [column, cells[index]]));
}

function readObject(line: string): Map<string, unknown> {
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
  return new Map(entries);
}

/** @throws {LineError} naming the first invalid key. */
export function readNumbers(values: ReadonlyMap<string, unknown>): DailyNumbers {
  const guid = values.get('guid');
  if (typeof guid !== 'string' || !isAddonId(guid)) throw new LineError('guid', message('line.expected_addon'));
  return {
    guid,
    date: readDate(values.get('date')),
    users: readCount(values, 'users'),
    downloads: readCount(values, 'downloads'),
    ratings: readRatings(values),
  };
}

/** A day up to tomorrow in UTC, since sources may be in other time zones. */
function readDate(value: unknown): string {
  const date = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : null;
  if (date === null || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value) {
    throw new LineError('date', message('line.expected_day', { day: '2026-01-31' }));
  }
  if (date.getTime() > Date.now() + DAY_MS) throw new LineError('date', message('line.future_day'));
  return value;
}

/** The number that a value is, or that it has as text; NaN for a value of another form. */
const numberIn = (value: unknown, form: RegExp): number =>
  (typeof value === 'number' || typeof value === 'string') && form.test(String(value)) ? Number(value) : Number.NaN;

function readCount(values: ReadonlyMap<string, unknown>, name: Column): number {
  const number = numberIn(values.get(name), WHOLE_NUMBER);
  if (number <= MAX_INT4) return number;
  throw new LineError(name, message('line.expected_whole', { min: 0, max: MAX_INT4 }));
}

function readRatings(values: ReadonlyMap<string, unknown>): RatingNumbers | null {
  const given = COLUMNS.slice(REQUIRED.length).filter((name) => (values.get(name) ?? '') !== '');
  if (given.length === 0) return null;
  if (given.length < COLUMNS.length - REQUIRED.length) {
    throw new LineError('', message('line.incomplete_ratings'));
  }
  const [count, textCount] = [readCount(values, 'rating_count'), readCount(values, 'rating_text_count')];
  if (textCount > count) throw new LineError('rating_text_count', message('line.too_many_text_ratings'));
  const average = numberIn(values.get('rating_average'), DECIMAL);
  if (!(average <= 5)) throw new LineError('rating_average', message('line.expected_number', { min: 0, max: 5 }));
  return { count, textCount, average };
}
