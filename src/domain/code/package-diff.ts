import { refuse } from '../../auth/permissions.ts';
import { refusedField } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import type { DiffHunk, DiffLine } from '../../package/code/compare-texts.ts';
import type { FileChange, NotCompared } from '../../package/code/file-changes.ts';
import type { TextPosition, TokenRange } from '../../package/code/text-lines.ts';
import { message } from '../../texts/messages.ts';
import { requireVisibleVersion, versionWithAddon } from '../versions/find-version.ts';
import { Version } from '../versions/version.ts';
import { type ComparedFile, comparedFile } from './compared-file.ts';
import { callOnce, LineRangeType, TextPositionType, TextTokenType } from './file-text.ts';
import { CODE_COST, FILE_ITEMS, PackageFileType, readableCode } from './package-contents.ts';
import { packageArchive, packageChanges } from './read-code.ts';
import { type LineRange, originLinesOf, type ShownText, tokensOf } from './shown-text.ts';

const DEFAULT_CONTEXT = 3;
/** More than any text that is compared has lines. */
const MAX_CONTEXT = 100_000;

/** The packages of two versions, by SHA-256. */
interface Packages {
  from: { id: number; sha256: string };
  to: { id: number; sha256: string };
}

/** A changed file with its packages: without one before it, all files are added. */
interface Change extends FileChange {
  packages: { from: { sha256: string } | null; to: { sha256: string } };
}

const ChangeKindEnum = enumOf<FileChange['kind']>('FileChangeKind', 'How a file differs in two packages.', {
  added: 'Only the second package has it.',
  deleted: 'Only the first package has it.',
  modified: 'Both have it, with different bytes.',
});

const NotComparedEnum = enumOf<NotCompared>('NotComparedReason', 'Why the lines of a file are not compared.', {
  binary: 'It is no text in one of the packages.',
  'too-large': 'It has more than 512 kB in one of the packages, or too many lines differ.',
  'too-slow': 'Comparing its lines, or those of the files before it, took too long.',
});

const LineKindEnum = enumOf<DiffLine['kind']>('DiffLineKind', 'What a line of a comparison is.', {
  context: 'Both texts have it.',
  deleted: 'Only the first text has it.',
  added: 'Only the second text has it.',
});

/** A line of a comparison with what is known of it in its text. */
interface ShownLine extends DiffLine {
  origin: TextPosition | null;
  oldOriginLines: LineRange | null;
  newOriginLines: LineRange | null;
  tokens(): Promise<TokenRange[]>;
}

const DiffLineType = builder.objectRef<ShownLine>('DiffLine').implement({
  description: 'A line of a comparison.',
  fields: (t) => ({
    kind: t.expose('kind', { type: LineKindEnum, description: 'Which text has it.' }),
    text: t.exposeString('text', { description: 'The line without its line feed.' }),
    oldNumber: t.exposeInt('oldNumber', {
      nullable: true,
      description: 'Its number in the first text; null for an added line.',
    }),
    newNumber: t.exposeInt('newNumber', {
      nullable: true,
      description: 'Its number in the second text; null for a deleted line.',
    }),
    isUnterminated: t.exposeBoolean('isUnterminated', {
      description: 'Whether it is the last line of a text that does not end with a line feed.',
    }),
    origin: t.expose('origin', {
      type: TextPositionType,
      nullable: true,
      description:
        'If formatted texts are compared: the place in the file of its first character that is no white space, in the first file for a deleted line.',
    }),
    oldOriginLines: t.expose('oldOriginLines', {
      type: LineRangeType,
      nullable: true,
      description: 'If formatted texts are compared: its lines in the first file, as `TextLine.originLines`.',
    }),
    newOriginLines: t.expose('newOriginLines', {
      type: LineRangeType,
      nullable: true,
      description: 'If formatted texts are compared: its lines in the second file, as `TextLine.originLines`.',
    }),
    tokens: t.field({
      type: [TextTokenType],
      description: 'Its keywords, strings, comments and numbers; empty when the lines are not highlighted.',
      resolve: ({ tokens }) => tokens(),
    }),
  }),
});

type ShownHunk = Omit<DiffHunk, 'lines'> & { lines: ShownLine[] };

const DiffHunkType = builder.objectRef<ShownHunk>('DiffHunk').implement({
  description: 'Lines that differ with those around them, as in a unified diff.',
  fields: (t) => ({
    oldStart: t.exposeInt('oldStart', { description: 'Number of its first line in the first text.' }),
    oldLines: t.exposeInt('oldLines', { description: 'Number of its lines in the first text.' }),
    newStart: t.exposeInt('newStart', { description: 'Number of its first line in the second text.' }),
    newLines: t.exposeInt('newLines', { description: 'Number of its lines in the second text.' }),
    lines: t.expose('lines', {
      type: [DiffLineType],
      description: 'Those of its lines that were requested, in order, deleted before added ones.',
    }),
  }),
});

const FileChangeType = builder.interfaceRef<Change>('FileChange').implement({
  description: 'A file that differs in two packages.',
  resolveType: (change) => ('compared' in change ? 'FileDiff' : 'ChangedFile'),
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Its path in the packages.' }),
    kind: t.expose('kind', { type: ChangeKindEnum, description: 'How it differs.' }),
    before: t.field({
      type: PackageFileType,
      nullable: true,
      description: 'The file of the first package; null for an added one.',
      resolve: ({ before, packages: { from } }) =>
        before && from && { ...before, archive: packageArchive(from.sha256) },
    }),
    after: t.field({
      type: PackageFileType,
      nullable: true,
      description: 'The file of the second package; null for a deleted one.',
      resolve: ({ after, packages }) => after && { ...after, archive: packageArchive(packages.to.sha256) },
    }),
    additions: t.exposeInt('additions', {
      nullable: true,
      description: 'Number of added lines; null if they are not compared.',
    }),
    deletions: t.exposeInt('deletions', {
      nullable: true,
      description: 'Number of deleted lines; null if they are not compared.',
    }),
    notCompared: t.expose('notCompared', {
      type: NotComparedEnum,
      nullable: true,
      description: 'Why its lines are not compared; null if they are.',
    }),
  }),
});

export const ChangedFile = builder.objectRef<Change>('ChangedFile').implement({
  description: 'A file that differs in two packages, without its lines.',
  interfaces: [FileChangeType],
});

const FileDiff = builder.objectRef<Change & { compared: ComparedFile }>('FileDiff').implement({
  description: 'A file that differs in two packages, with its lines.',
  interfaces: [FileChangeType],
  fields: (t) => ({
    isFormatted: t.boolean({
      description: 'Whether formatted texts are compared, which differ from the files in white space.',
      resolve: ({ compared }) => compared.isFormatted,
    }),
    lineCount: t.int({
      description: 'Number of lines in all hunks.',
      resolve: ({ compared }) => compared.hunks.reduce((sum, { lines }) => sum + lines.length, 0),
    }),
    hunks: t.field({
      type: [DiffHunkType],
      description:
        'The lines that differ, of which a hunk may have the first or the last ones only; empty if they are not compared.',
      args: {
        from: t.arg.int({ defaultValue: 1, description: 'Number of the first line, counted through all hunks.' }),
        count: t.arg.int({ description: 'How many lines; all by default.' }),
      },
      resolve: ({ compared }, { from, count }) => {
        const first = Math.max(0, (from ?? 1) - 1);
        return shownHunks(compared, first, first + Math.max(0, count ?? MAX_CONTEXT));
      },
    }),
  }),
});

const PackageDiff = builder.objectRef<Packages>('PackageDiff').implement({
  description: 'The packages of two versions in comparison.',
  fields: (t) => ({
    from: t.field({ type: Version, description: 'The version of the first package.', resolve: ({ from }) => from.id }),
    to: t.field({ type: Version, description: 'The version of the second package.', resolve: ({ to }) => to.id }),
    files: t.field({
      type: [ChangedFile],
      description: 'The files that differ, by path.',
      extensions: { items: FILE_ITEMS },
      resolve: async (packages) =>
        (await packageChanges(packages.from.sha256, packages.to.sha256)).map((change) => ({ ...change, packages })),
    }),
    file: t.field({
      type: FileDiff,
      nullable: true,
      description: 'A file with its lines, by default the first text; null for one that does not differ.',
      args: {
        path: t.arg.string({ description: 'Path in the packages. Unchanged files of libraries are no default.' }),
        context: t.arg.int({
          defaultValue: DEFAULT_CONTEXT,
          description: 'Number of equal lines before and after those that differ.',
        }),
        isWhitespaceIgnored: t.arg.boolean({
          defaultValue: false,
          description: 'Whether white space at the start and end of lines makes no difference.',
        }),
        isFormatted: t.arg.boolean({
          defaultValue: false,
          description:
            'Whether the texts are formatted first, as `PackageFile.content` formats them. Files that cannot be formatted are compared as they are.',
        }),
      },
      resolve: async (packages, { path, context, isWhitespaceIgnored, isFormatted }) => {
        const compared = await comparedFile(packages.from.sha256, packages.to.sha256, path ?? null, {
          context: readContext(context),
          ignoreWhitespace: isWhitespaceIgnored ?? false,
          isFormatted: isFormatted ?? false,
        });
        return compared && { ...compared.change, compared, packages };
      },
    }),
  }),
});

function readContext(context: number | null | undefined): number {
  const lines = context ?? DEFAULT_CONTEXT;
  if (lines >= 0 && lines <= MAX_CONTEXT) return lines;
  throw refusedField('context', message('code.invalid_context', { max: MAX_CONTEXT }));
}

/** The lines of a comparison between two indices, counted through all hunks. */
function shownHunks(compared: ComparedFile, from: number, to: number): ShownHunk[] {
  let passed = 0;
  const parts = compared.hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(Math.max(0, from - passed), Math.max(0, to - passed));
    passed += hunk.lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
  const all = parts.flatMap(({ lines }) => lines);
  const sides = {
    old: lineSide(
      compared.before,
      all.filter(({ kind }) => kind === 'deleted').map(({ oldNumber }) => oldNumber ?? 1),
    ),
    recent: lineSide(
      compared.after,
      all.filter(({ kind }) => kind !== 'deleted').map(({ newNumber }) => newNumber ?? 1),
    ),
  };
  const shown = (line: DiffLine): ShownLine => ({
    ...line,
    oldOriginLines: originLinesAt(compared.before, line.oldNumber),
    newOriginLines: originLinesAt(compared.after, line.newNumber),
    ...(line.kind === 'deleted' ? sides.old(line.oldNumber ?? 1) : sides.recent(line.newNumber ?? 1)),
  });
  return parts.map((hunk) => ({ ...hunk, lines: hunk.lines.map(shown) }));
}

const originLinesAt = (text: ShownText | null, number: number | null): LineRange | null =>
  text === null || number === null ? null : originLinesOf(text, number - 1);

/** What is known of lines of one text, by number. Tokens are read once for all `numbers`, which are in order. */
function lineSide(text: ShownText | null, numbers: readonly number[]) {
  const first = numbers[0] ?? 1;
  const tokens = callOnce(async () => text && tokensOf(text, first - 1, (numbers.at(-1) ?? first) - first + 1));
  return (number: number): Pick<ShownLine, 'origin' | 'tokens'> => ({
    origin: text?.origins?.[number - 1] ?? null,
    tokens: async () => (await tokens())?.[number - first] ?? [],
  });
}

/** The package of a version. @throws as `requireVisibleVersion` does; what `refuse` returns for viewers who may not read it. */
async function requireCode(context: Context, field: string, globalId: string | number): Promise<Packages['from']> {
  const id = idOf('Version', globalId, field);
  const { facts, addon } = await versionWithAddon(context, id);
  requireVisibleVersion(context.viewer, addon, facts);
  const sha256 = await readableCode(context, facts);
  if (sha256 === null) throw refuse(context.viewer);
  return { id, sha256 };
}

builder.queryField('packageDiff', (t) =>
  t.field({
    type: PackageDiff,
    nullable: true,
    description:
      'Compares the packages of two versions, as they were uploaded; null with an error unless the viewer may read the contents of both. An operation compares two packages.',
    args: {
      from: t.arg.id({ required: true, description: 'Global id of the first version, such as the last approved one.' }),
      to: t.arg.id({ required: true, description: 'Global id of the second version.' }),
    },
    extensions: { cost: CODE_COST },
    resolve: async (_root, { from, to }, context) => {
      const [first, second] = [await requireCode(context, 'from', from), await requireCode(context, 'to', to)];
      return { from: first, to: second };
    },
  }),
);
