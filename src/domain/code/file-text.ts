import { refusedField } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { FileText } from '../../package/code/package-files.ts';
import {
  countLinesOf,
  lineStart,
  linesOf,
  type TextPosition,
  type TokenKind,
  type TokenRange,
} from '../../package/code/text-lines.ts';
import { message } from '../../texts/messages.ts';
import { type LineRange, originLinesOf, type ShownText, tokensOf } from './shown-text.ts';

/** Lines of one list. */
const MAX_LINES = 5_000;
const DEFAULT_LINES = 2_000;
/** Lines and tokens that a list of them counts as. Most files are short. */
const LINE_ITEMS = 500;

const EncodingEnum = enumOf<FileText['encoding']>('TextEncoding', 'The encoding of a text.', {
  'utf-8': 'UTF-8.',
  'utf-16le': 'UTF-16, little-endian.',
  'utf-16be': 'UTF-16, big-endian.',
});

const TokenKindEnum = enumOf<TokenKind>('TokenKind', 'What a part of a line is in its language.', {
  keyword:
    'A keyword, or a name that belongs to the language or the format: of an element, an attribute or a property.',
  string: 'A string or regular expression.',
  comment: 'A comment.',
  number: 'A number, or a literal such as `true`.',
});

/** A part of a line in its language. */
export const TextTokenType = builder.objectRef<TokenRange>('TextToken').implement({
  description: 'A part of a line in its language. Positions are in UTF-16 code units from 0.',
  fields: (t) => ({
    kind: t.expose('kind', { type: TokenKindEnum, description: 'What it is.' }),
    start: t.exposeInt('start', { description: 'Position of its first unit in the line.' }),
    end: t.exposeInt('end', { description: 'Position after its last unit.' }),
  }),
});

/** A place in a text. */
export const TextPositionType = builder.objectRef<TextPosition>('TextPosition').implement({
  description: 'A place in a text.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'Number of the line, from 1.' }),
    column: t.exposeInt('column', { description: 'UTF-16 code unit in the line, from 1.' }),
  }),
});

export const LineRangeType = builder.objectRef<LineRange>('LineRange').implement({
  description: 'Lines of a text that follow one another.',
  fields: (t) => ({
    first: t.exposeInt('first', { description: 'Number of the first line, from 1.' }),
    last: t.exposeInt('last', { description: 'Number of the last line.' }),
  }),
});

interface TextLine {
  number: number;
  text: string;
  origin: TextPosition | null;
  originLines: LineRange | null;
  /** The tokens of its list, read once for all of its lines; `index` is that of the line in it. */
  tokens(): Promise<TokenRange[][] | null>;
  index: number;
}

const TextLineType = builder.objectRef<TextLine>('TextLine').implement({
  description: 'A line of a text.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Its number, from 1. Line feeds alone end lines.' }),
    text: t.exposeString('text', { description: 'The line without its line feed.' }),
    origin: t.expose('origin', {
      type: TextPositionType,
      nullable: true,
      description:
        'Of a formatted text: the place in the file of its first character that is no white space. Null for lines of white space.',
    }),
    originLines: t.expose('originLines', {
      type: LineRangeType,
      nullable: true,
      description:
        'Of a formatted text: the lines of the file from that of `origin` to the last one before the next. Null for lines that continue a line of the file, and for lines of white space.',
    }),
    tokens: t.field({
      type: [TextTokenType],
      description: 'Its keywords, strings, comments and numbers; empty when the lines are not highlighted.',
      resolve: async ({ tokens, index }) => (await tokens())?.[index] ?? [],
    }),
  }),
});

/** A text of a package as it is shown. */
export const FileTextType = builder.objectRef<ShownText>('FileText').implement({
  description: 'The text of a file.',
  fields: (t) => ({
    text: t.exposeString('text', {
      description: 'All of it, without a byte order mark. Bytes that are not valid in its encoding are U+FFFD.',
    }),
    encoding: t.expose('encoding', { type: EncodingEnum, description: 'The encoding that it was decoded from.' }),
    isFormatted: t.boolean({
      description: 'Whether lines and indents differ from those of the file. Nothing but white space differs.',
      resolve: ({ origins }) => origins !== null,
    }),
    lineCount: t.int({ description: 'Number of its lines.', resolve: ({ text }) => countLinesOf(text) }),
    lines: t.field({
      type: [TextLineType],
      description: 'Some of its lines.',
      extensions: { items: LINE_ITEMS },
      args: {
        from: t.arg.int({ defaultValue: 1, description: 'Number of the first line.' }),
        count: t.arg.int({ defaultValue: DEFAULT_LINES, description: 'How many lines, at most 5,000.' }),
      },
      resolve: (shown, { from, count }) => {
        const first = inRange('from', from ?? 1, Number.MAX_SAFE_INTEGER) - 1;
        return textLines(shown, first, inRange('count', count ?? DEFAULT_LINES, MAX_LINES));
      },
    }),
  }),
});

function inRange(field: string, value: number, max: number): number {
  if (value >= 1 && value <= max) return value;
  throw refusedField(field, message('code.invalid_lines', { max: MAX_LINES }));
}

function textLines(shown: ShownText, from: number, count: number): TextLine[] {
  const tokens = callOnce(() => tokensOf(shown, from, count));
  const { text: all, origins } = shown;
  return linesOf(all.slice(lineStart(all, from), lineStart(all, from + count))).map((text, index) => ({
    ...{ number: from + index + 1, text, tokens, index },
    origin: origins?.[from + index] ?? null,
    originLines: originLinesOf(shown, from + index),
  }));
}

/** Calls `read` at the first call only. */
export function callOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
}
