/* Parts of the page that compares two versions. */
import { html } from 'hono/html';
import type { ComparedFilesQuery, MessageFieldsFragment } from '../../generated/operations/graphql.ts';
import { withParameter } from '../catalogue/addresses.ts';
import { type CodeLine, codeTable } from '../components/code-table.ts';
import { dataTable } from '../components/data-table.ts';
import { fileName, revealInvisible } from '../components/file-name.ts';
import { fileTree, lineSums } from '../components/file-tree.ts';
import { icon } from '../components/icon.ts';
import { messageBadge } from '../components/message-badge.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { FORMATTABLE_NAME, formattedNotice, pictureView } from './file-view.ts';
import { FILES_PER_PAGE, fileMessages, treeLinks } from './folder-view.ts';
import {
  type CommentedFile,
  type CommentPlace,
  canComment,
  commentHow,
  commentLinks,
  commentPages,
  commentRows,
  ownPlace,
  versionName,
} from './line-comments.ts';
import { byFormattedLine, byLine, cutLine, LINES_PER_PAGE, messageRows, placeMessages } from './lines.ts';

type Diff = NonNullable<ComparedFilesQuery['packageDiff']>;
type ChangedFile = Diff['files'][number];
type FileDiff = NonNullable<Diff['file']>;
type Hunk = FileDiff['hunks'][number];

/** What the page shows. */
interface Shown {
  ui: Ui;
  query: {
    file: string | null;
    folder: string | null;
    pretty: '1' | null;
    ws: string | null;
    full: string | null;
    page: number;
  };
  /** Those of the validator about the second package. */
  messages: readonly MessageFieldsFragment[];
  /** The address of the second version. */
  versionUrl: string;
  /** The address of the page with other parameters. It has the shown file. */
  hrefOf(changes: Record<string, string | null>): string;
  /** The shown file of each version; null without one. */
  from: CommentedFile | null;
  to: CommentedFile | null;
  /** The address of a file of one of the packages, with parameters of its page. */
  fileHref(side: 'from' | 'to', path: string, more: Record<string, string>): string;
}

/** Parameters about the file of the page or the list of files, which addresses of other files do not have. */
const WITHOUT_VIEW = { all: null, comment: null, comments: null, oldcomments: null };

/** The address of the list of all files. */
const listHref = ({ hrefOf }: Shown): string => hrefOf({ file: null, folder: null, ...WITHOUT_VIEW, all: '1' });

/** The files that differ, in their folders. */
export function changesTree(shown: Shown, files: readonly ChangedFile[]): Html {
  const { ui, query, messages, versionUrl, hrefOf } = shown;
  const found = fileMessages(messages, versionUrl, null);
  const links = treeLinks(hrefOf, WITHOUT_VIEW);
  return fileTree(ui, {
    files: files.map((file) => ({
      ...{ path: file.path, change: file, library: file.after?.library ?? null },
      messages: found.get(file.path) ?? null,
    })),
    current: query.file ?? query.folder ?? '',
    isOpen: true,
    fileHref: links.fileHref,
    folderHref: (folder) => (folder === '' ? listHref(shown) : links.folderHref(folder)),
  });
}

/** The files that differ, or those of a folder. */
export function changeList(shown: Shown, all: readonly ChangedFile[]): Html {
  const { ui, query, messages, versionUrl, hrefOf } = shown;
  const { t } = ui;
  if (all.length === 0) return html`<p>${t('code.compare.none')}</p>`;
  const found = fileMessages(messages, versionUrl, null);
  const files = query.folder === null ? all : all.filter(({ path }) => path.startsWith(`${query.folder}/`));
  const fileHref = withParameter(hrefOf({ file: null, folder: null, ...WITHOUT_VIEW }), 'file');
  return html`<p>${t('code.compare.sum', { count: files.length })}</p>
${query.folder !== null && html`<p>${fileName(`${query.folder}/`)} · <a href="${listHref(shown)}">${t('code.compare.all')}</a></p>`}
${dataTable(ui, {
  id: 'changes',
  caption: t('code.compare.files'),
  isCaptionHidden: true,
  isStacked: true,
  columns: ['code.files.name', 'code.kind', { number: 'code.lines' }, 'code.message-count'],
  rows: files.slice((query.page - 1) * FILES_PER_PAGE, query.page * FILES_PER_PAGE).map((file) => {
    const own = found.get(file.path);
    return [
      html`<a href="${fileHref(file.path)}">${fileName(file.path)}</a>`,
      t(`code.kind.${file.kind}`),
      lineCounts(ui, file),
      own === undefined ? '' : messageBadge(ui, own.sums, own.href),
    ];
  }),
})}
${pager(ui, {
  page: query.page,
  pageCount: Math.ceil(files.length / FILES_PER_PAGE),
  hrefOf: (number) => hrefOf({ page: number === 1 ? null : String(number) }),
})}`;
}

/** Added and deleted lines; why there are none to count. */
const lineCounts = (ui: Ui, file: ChangedFile): Html =>
  file.notCompared === null ? lineSums(ui, file) : ui.t(`code.not-compared.short.${file.notCompared}`);

/** The lines of one file that differ, with links to the files before and after it in `all`. */
export function changeView(shown: Shown, all: readonly ChangedFile[], file: FileDiff): Html {
  const { ui, query, hrefOf } = shown;
  const { t } = ui;
  const back = hrefOf({ file: null, ws: null, full: null, pretty: null, ...WITHOUT_VIEW, all: '1' });
  const switches = html`<ul class="code-switches">
<li><a href="${back}">${t('code.compare.all')}</a></li>
${
  file.notCompared !== 'BINARY' &&
  html`<li><a href="${hrefOf({ ws: query.ws === null ? 'ignore' : null })}">${t(query.ws === null ? 'code.ws.ignore' : 'code.ws.show')}</a></li>
<li><a href="${hrefOf({ full: query.full === null ? '1' : null })}">${t(query.full === null ? 'code.full' : 'code.part')}</a></li>`
}
${
  FORMATTABLE_NAME.test(file.path) &&
  html`<li><a href="${hrefOf({ pretty: query.pretty === null ? '1' : null })}">${t(query.pretty === null ? 'code.pretty' : 'code.pretty.off')}</a></li>`
}
</ul>`;
  const messagesOf = newLineMessages(file, shown.messages);
  const own = fileMessages(shown.messages, shown.versionUrl, null).get(file.path);
  return html`<h2>${fileName(file.path)}</h2>
<p>${t(`code.kind.${file.kind}`)}${own !== undefined && html` ${messageBadge(ui, own.sums, own.href)}`}</p>
${switches}
${query.pretty !== null && file.notCompared === null && formattedNotice(ui, file)}
${messageRows(ui, file.notCompared === null ? messagesOf.get(0) : [...messagesOf.values()].flat())}
${file.notCompared === null ? hunkViews(shown, file, messagesOf) : notCompared(shown, file)}
${otherFiles(shown, all, file)}`;
}

function otherFiles({ ui, hrefOf }: Shown, all: readonly ChangedFile[], { path }: FileDiff): Html {
  const at = all.findIndex((file) => file.path === path);
  const [previous, next] = [all[at - 1], all[at + 1]];
  if (previous === undefined && next === undefined) return html``;
  const href = (file: ChangedFile) => hrefOf({ file: file.path, folder: null, ...WITHOUT_VIEW });
  return html`<nav class="pager" aria-label="${ui.t('code.compare.files')}"><ul>
${previous && html`<li><a rel="prev" href="${href(previous)}">${icon(ui, 'previous')}<span>${ui.t('code.compare.previous', { file: fileName(previous.path) })}</span></a></li>`}
${next && html`<li><a rel="next" href="${href(next)}"><span>${ui.t('code.compare.next', { file: fileName(next.path) })}</span>${icon(ui, 'next')}</a></li>`}
</ul></nav>`;
}

/** The file in each version, without its lines: pictures, sizes and hashes. */
function notCompared({ ui, fileHref, from, to }: Shown, file: FileDiff): Html {
  const { path, notCompared: reason, before, after } = file;
  const sides = [
    { name: 'from', side: before, version: from },
    { name: 'to', side: after, version: to },
  ] as const;
  // Pictures are the comparison.
  const isPicture = sides.every(({ side }) => side === null || side.picture !== null);
  return html`${reason !== null && !isPicture && notice(ui, { kind: 'info', title: ui.t(`code.not-compared.${reason}`), text: ui.t('code.not-compared.replaced') })}
<div class="code-sides">
${sides.map(
  ({ name, side, version }) =>
    side &&
    html`<section>
<h3>${version && versionName(ui, version.version)}</h3>
${side.picture !== null && pictureView(ui, side.picture, fileHref(name, path, { picture: '1' }))}
<p class="small">${ui.format.bytes(side.size)} <code class="hash">${side.hash}</code></p>
</section>`,
)}</div>`;
}

const KINDS = { CONTEXT: 'same', ADDED: 'inserted', DELETED: 'deleted' } as const;

/** A line of a comparison. */
interface ChangeLine extends CodeLine {
  isUnterminated: boolean;
  /** Where comments on each version are shown. */
  from: CommentPlace | null;
  to: CommentPlace | null;
}

/** The hunks of one page, which may begin or end within one. */
function hunkViews(shown: Shown, file: FileDiff, messagesOf: ReturnType<typeof newLineMessages>): Html {
  const { ui, query, hrefOf, from, to } = shown;
  const { path, hunks, lineCount, isFormatted } = file;
  if (lineCount === 0) return html`<p>${ui.t('code.compare.no-lines')}</p>`;
  const below = ({ kind, number, isUnterminated, ...places }: ChangeLine): Html[] => [
    ...(isUnterminated ? [html`<span class="muted">${ui.t('code.unterminated')}</span>`] : []),
    ...(kind === 'deleted' ? [] : messageRows(ui, messagesOf.get(number ?? 0))),
    ...(from === null ? [] : commentRows(ui, from, places.from)),
    ...(to === null ? [] : commentRows(ui, to, places.to)),
  ];
  const linkTo = to !== null && canComment(to.version) ? commentLinks(ui, to) : null;
  const action = linkTo === null ? {} : { action: (line: ChangeLine) => linkTo(line.to) };
  const shownLine = (line: Hunk['lines'][number]): ChangeLine => {
    const [side, number] =
      line.kind === 'DELETED' ? (['from', line.oldNumber] as const) : (['to', line.newNumber] as const);
    const form: Record<string, string> = isFormatted ? { pretty: '1' } : {};
    return cutLine(changeLine(line, isFormatted), () => shown.fileHref(side, path, { ...form, line: String(number) }));
  };
  const lines = hunks.flatMap((hunk) => hunk.lines.map(shownLine));
  const headings = new Map<ChangeLine | undefined, string>();
  let start = 0;
  for (const hunk of hunks) {
    headings.set(lines[start], rangeOf(hunk));
    start += hunk.lines.length;
  }
  return html`${from !== null && commentPages(ui, from)}
${to !== null && commentPages(ui, to)}
${linkTo !== null && commentHow(ui, { isComparison: true })}
${hasOtherEnds(hunks) && notice(ui, { kind: 'info', text: ui.t('code.compare.line-ends') })}
${codeTable(ui, {
  ...{ id: 'diff', label: revealInvisible(path), lines },
  ...{ above: (line: ChangeLine) => headings.get(line) ?? null, below, ...action },
})}
${pager(ui, {
  page: query.page,
  pageCount: Math.ceil(lineCount / LINES_PER_PAGE),
  hrefOf: (number) => hrefOf({ page: number === 1 ? null : String(number) }),
})}`;
}

/** Whether lines that end with a carriage return replace lines that do not, or the other way round: the page shows none. */
function hasOtherEnds(hunks: readonly Hunk[]): boolean {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const textsOf = (kind: 'ADDED' | 'DELETED') =>
    new Set(lines.filter((line) => line.kind === kind).map(({ text }) => text));
  const added = textsOf('ADDED');
  return [...textsOf('DELETED')].some((text) => added.has(text.endsWith('\r') ? text.slice(0, -1) : `${text}\r`));
}

/** Messages by the number of the line in the second text; 0 for those about the whole file. */
function newLineMessages({ path, after, hunks, isFormatted }: FileDiff, messages: readonly MessageFieldsFragment[]) {
  const own = messages.filter(({ file }) => file === path);
  const found = placeMessages(path, after?.content?.text ?? '', own);
  if (!isFormatted) return byLine(found);
  const lines = hunks.flatMap((hunk) => hunk.lines.filter(({ kind }) => kind !== 'DELETED'));
  return byFormattedLine(
    found,
    lines.map(({ newNumber, origin }) => ({ number: newNumber ?? 0, origin })),
  );
}

const rangeOf = ({ oldStart, oldLines, newStart, newLines }: Hunk): string =>
  `@@ −${oldStart},${oldLines} +${newStart},${newLines} @@`;

function changeLine(line: Hunk['lines'][number], isFormatted: boolean): ChangeLine {
  const { kind, text, oldNumber, newNumber, isUnterminated, tokens, origin } = line;
  const placeOf = (number: number | null, lines: { first: number; last: number } | null): CommentPlace | null => {
    if (number === null) return null;
    return isFormatted ? lines && { number, ...lines } : ownPlace(number);
  };
  return {
    ...{ number: newNumber ?? oldNumber, text: text.replace(/\r$/, ''), kind: KINDS[kind] },
    ...{ tokens, origin, isUnterminated },
    from: placeOf(oldNumber, line.oldOriginLines),
    to: placeOf(newNumber, line.newOriginLines),
  };
}
