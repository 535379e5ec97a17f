/* What pages of code have in common: lines in pages, the part of a long line that is shown, and messages in their place. */
import type { MessageFieldsFragment } from '../../generated/operations/graphql.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { listedMessage } from '../catalogue/validation-messages.ts';
import type { CodeLine } from '../components/code-table.ts';
import { messageList } from '../components/message-list.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Lines of one page. */
export const LINES_PER_PAGE = 2_000;

const LINE_LIMIT = 400;

/** The address of a line of a file of a version; of the file for null. `url` is that of the version. */
export function lineUrl(url: string, path: string, line: number | null): string {
  const page = Math.ceil((line ?? 1) / LINES_PER_PAGE);
  const query = new URLSearchParams({ file: path, ...(page > 1 ? { page: String(page) } : {}) });
  return `${pathOf(url)}files/?${query}${line === null ? '' : `#file-L${line}`}`;
}

/** A line, cut after 400 characters. `wholeHref` returns the page with the whole line. */
export function cutLine<Line extends CodeLine>(line: Line, wholeHref: () => string): Line {
  if (line.text.length <= LINE_LIMIT) return line;
  // A cut may leave half of a character.
  return { ...line, text: line.text.slice(0, LINE_LIMIT).toWellFormed(), isCutAfter: true, wholeHref: wholeHref() };
}

/** Characters of a line that the page of this line shows. */
const PART = 100_000;

/** How many pages show a line of this length. */
export const partCount = (length: number): number => Math.max(1, Math.ceil(length / PART));

/** A part of a line, from 1, with the tokens in it. */
export function linePart<Line extends CodeLine>(line: Line, part: number): Line {
  const { text, tokens = [] } = line;
  const [start, end] = [borderAt(text, (part - 1) * PART), borderAt(text, part * PART)];
  return {
    ...{ ...line, text: text.slice(start, end), isCutBefore: start > 0, isCutAfter: end < text.length },
    tokens: tokens
      .filter((token) => token.end > start && token.start < end)
      .map((token) => ({
        ...token,
        start: Math.max(token.start, start) - start,
        end: Math.min(token.end, end) - start,
      })),
  };
}

/** The position at or after `at` that is not within a character. */
function borderAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}

/** A line number in a parameter of an address; null for anything else. */
export const lineIn = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

/** Ends of lines as the validator counts them (CSS Syntax Module, section 3.3; ECMA-262, section 12.3). */
const ENDS = { css: /\r\n|[\n\r\f]/g, other: /\r\n|[\n\r\u2028\u2029]/g };

/** A message, and its place in the text in which line feeds alone end lines; null for one about the whole file. */
interface PlacedMessage {
  message: MessageFieldsFragment;
  place: Place | null;
}

interface Place {
  line: number;
  column: number;
}

/** Messages about a file with their places in its text. */
export function placeMessages(path: string, text: string, messages: readonly MessageFieldsFragment[]): PlacedMessage[] {
  if (messages.length === 0) return [];
  const ends = text.matchAll(path.endsWith('.css') ? ENDS.css : ENDS.other);
  const starts = [0, ...[...ends].map((end) => end.index + end[0].length)];
  const feeds = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return messages.map((message) => {
    const start = message.line === null ? undefined : starts[message.line - 1];
    if (start === undefined) return { message, place: null };
    const before = feeds.filter((feed) => feed < start);
    return {
      message,
      place: { line: before.length + 1, column: start - (before.at(-1) ?? -1) + (message.column ?? 1) - 1 },
    };
  });
}

/** Messages by the number of their line; 0 for those about the whole file. */
export function byLine(messages: readonly PlacedMessage[]): Map<number, MessageFieldsFragment[]> {
  const lines = new Map<number, MessageFieldsFragment[]>();
  for (const { message, place } of messages) {
    const line = place?.line ?? 0;
    lines.set(line, [...(lines.get(line) ?? []), message]);
  }
  return lines;
}

/**
 * Messages by the number of the line of a formatted text, of which `lines` are those of the page and the first one after it, if any. Those
 * of other pages are absent.
 */
export function byFormattedLine(
  messages: readonly PlacedMessage[],
  lines: readonly { number: number; origin: Place | null }[],
): Map<number, MessageFieldsFragment[]> {
  return byLine(
    messages.flatMap(({ message, place }) => {
      if (place === null) return { message, place };
      const isBefore = ({ line, column }: Place) =>
        line < place.line || (line === place.line && column <= place.column);
      const line = lines.findLast(({ origin }) => origin !== null && isBefore(origin));
      return line === undefined ? [] : { message, place: { line: line.number, column: 1 } };
    }),
  );
}

/** The row with the messages about a line. */
export const messageRows = (ui: Ui, messages: readonly MessageFieldsFragment[] = []): Html[] =>
  messages.length === 0 ? [] : [messageList(ui, messages.map(listedMessage))];
