import type { Buffer } from 'node:buffer';
import { readEntries } from './zip/read-entries.ts';

/** A place in a file of a package; line and column count from 1. */
export interface SourcePlace {
  file: string;
  line: number;
  column: number | null;
}

/** A line of a file. Lengths are in UTF-16 units. */
export interface SourceLine {
  /** From 1. */
  number: number;
  /** At most `LINE_LIMIT` units, without the line break. */
  text: string;
  /** How much of the line before and after `text` is left out. */
  cutBefore: number;
  cutAfter: number;
}

/** Lines shown before and after the one of a place. */
const LINES_AROUND = 2;

const LINE_LIMIT = 400;

/** Scripts that were packed into one file are seldom larger than 4 MB. */
const READ_LIMITS = { fileBytes: 4 * 1024 * 1024, totalBytes: 16 * 1024 * 1024 };

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Line terminators of ECMAScript (ECMA-262, section 12.3), by which the validator counts lines. */
const LINE_ENDS: ReadonlySet<number> = new Set([LINE_FEED, CARRIAGE_RETURN, 0x2028, 0x2029]);

/**
 * The lines around places in the package at `path`, whose archive was verified, in the same order. Null for places outside its text
 * files, and in files above 4 MB or after the first 16 MB that are read.
 * @throws {PackageError} when the archive cannot be read.
 */
export async function readExcerpts(path: string, places: readonly SourcePlace[]): Promise<(SourceLine[] | null)[]> {
  const byFile = Map.groupBy(places, ({ file }) => file);
  const contents = await readEntries(path, new Set(byFile.keys()), READ_LIMITS);
  const excerpts = new Map<SourcePlace, SourceLine[] | null>();
  for (const [file, ofFile] of byFile) {
    const content = contents.get(file);
    if (content === undefined || !isText(content)) continue;
    const lines = linesOf(content, ofFile);
    for (const place of ofFile) excerpts.set(place, excerptOf(lines, place));
  }
  return places.map((place) => excerpts.get(place) ?? null);
}

/** Text files have no NUL; those in UTF-16 do, and browsers do not load them from packages. */
const isText = (content: Buffer): boolean => !content.includes(0);

const numbersAround = ({ line }: SourcePlace): number[] =>
  Array.from({ length: 2 * LINES_AROUND + 1 }, (_, index) => line - LINES_AROUND + index);

/** The lines of a file that places need, by number. Invalid UTF-8 becomes U+FFFD. */
function linesOf(content: Buffer, places: readonly SourcePlace[]): Map<number, string> {
  const wanted = new Set(places.flatMap(numbersAround));
  const last = Math.max(...wanted);
  const text = new TextDecoder().decode(content);
  const lines = new Map<number, string>();
  let start = 0;
  // The empty rest after the last line break is no line.
  for (let number = 1; number <= last && (start < text.length || number === 1); number++) {
    const end = lineEnd(text, start);
    if (wanted.has(number)) lines.set(number, text.slice(start, end));
    start = text.charCodeAt(end) === CARRIAGE_RETURN && text.charCodeAt(end + 1) === LINE_FEED ? end + 2 : end + 1;
  }
  return lines;
}

function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !LINE_ENDS.has(text.charCodeAt(end))) end++;
  return end;
}

function excerptOf(lines: ReadonlyMap<number, string>, place: SourcePlace): SourceLine[] | null {
  if (!lines.has(place.line)) return null;
  return numbersAround(place).flatMap((number) => {
    const text = lines.get(number);
    return text === undefined ? [] : [cut(number, text, number === place.line ? place.column : null)];
  });
}

/** A line around a column; from its start without one. */
function cut(number: number, line: string, column: number | null): SourceLine {
  const latest = Math.max(0, line.length - LINE_LIMIT);
  const start = Math.min(latest, Math.max(0, (column ?? 0) - LINE_LIMIT / 2));
  const text = line.slice(start, start + LINE_LIMIT);
  // A cut may leave half of a character.
  return { number, text: text.toWellFormed(), cutBefore: start, cutAfter: line.length - start - text.length };
}
