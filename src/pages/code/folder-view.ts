import { html } from 'hono/html';
import type { FolderContentsFragment, MessageFieldsFragment } from '../../generated/operations/graphql.ts';
import { withParameter } from '../catalogue/addresses.ts';
import { dataTable } from '../components/data-table.ts';
import { fileName } from '../components/file-name.ts';
import { fileTree } from '../components/file-tree.ts';
import type { MessageSums } from '../components/message-badge.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { lineUrl } from './lines.ts';

/** Rows of a list of files on one page. */
export const FILES_PER_PAGE = 200;

/** What pages of files show. */
export interface FilesPageView {
  ui: Ui;
  contents: FolderContentsFragment;
  query: { folder: string | null; file: string | null; page: number; line: string | null; pretty: '1' | null };
  /** Those of the validator about the package. */
  messages: readonly MessageFieldsFragment[];
  /** The address of the version. */
  versionUrl: string;
  /** The address of the page with other parameters. */
  hrefOf(changes: Record<string, string | null>): string;
}

/** Parameters about the file of the page, which addresses of other files do not have. */
const WITHOUT_VIEW = { pretty: null, line: null, comment: null, comments: null };

/** The tree of the files. */
export function contentsTree({ ui, contents, query, messages, versionUrl, hrefOf }: FilesPageView): Html {
  const found = fileMessages(messages, versionUrl);
  return fileTree(ui, {
    files: contents.files.map(({ path, library }) => ({ path, library, messages: found.get(path) ?? null })),
    current: query.file ?? query.folder ?? '',
    isOpen: false,
    ...treeLinks(hrefOf, WITHOUT_VIEW),
  });
}

/** The links of a tree of files. `without` are parameters about the file of the page, which addresses of others do not have. */
export function treeLinks(hrefOf: FilesPageView['hrefOf'], without: Readonly<Record<string, null>>) {
  const root = hrefOf({ file: null, folder: null, ...without });
  const folderHref = withParameter(root, 'folder');
  return {
    fileHref: withParameter(root, 'file'),
    folderHref: (folder: string) => (folder === '' ? root : folderHref(folder)),
  };
}

/**
 * The numbers of messages by file, with the address in the files of the version where the first one is shown. `added` are those that the
 * version before it does not have: null if that is not known, absent if the page compares nothing.
 */
export function fileMessages(
  messages: readonly MessageFieldsFragment[],
  versionUrl: string,
  added?: readonly MessageFieldsFragment[] | null,
): Map<string, { sums: MessageSums; href: string }> {
  const groups = Map.groupBy(messages, ({ file }) => file ?? '');
  const addedGroups = Map.groupBy(added ?? [], ({ file }) => file ?? '');
  groups.delete('');
  return new Map(
    [...groups].map(([path, found]) => {
      const countOf = (kind: MessageFieldsFragment['type']) => found.filter(({ type }) => type === kind).length;
      const sums = { errors: countOf('ERROR'), warnings: countOf('WARNING'), notices: countOf('NOTICE') };
      // Those without a line are above the first one.
      const line = found.some((message) => message.line === null) ? null : (found[0]?.line ?? null);
      const ofAdded = added === undefined ? {} : { added: added && (addedGroups.get(path)?.length ?? 0) };
      return [path, { sums: { ...sums, ...ofAdded }, href: lineUrl(versionUrl, path, line) }];
    }),
  );
}

interface Row {
  path: string;
  /** Files in a folder; null for a file. */
  count: number | null;
  size: number;
}

/** The folders and files in a folder; null for one that the package does not have. */
export function folderView({ ui, contents, query, hrefOf }: FilesPageView): Html | null {
  const folder = query.folder ?? '';
  const rows = rowsOf(contents, folder);
  if (rows.length === 0 && folder !== '') return null;
  const { t, format } = ui;
  const shown = rows.slice((query.page - 1) * FILES_PER_PAGE, query.page * FILES_PER_PAGE);
  const root = hrefOf({ file: null, folder: null });
  const [fileHref, folderHref] = [withParameter(root, 'file'), withParameter(root, 'folder')];
  const start = folder === '' ? 0 : folder.length + 1;
  return html`${pathLinks(ui, folder, hrefOf)}
${dataTable(ui, {
  id: 'files',
  caption: folder === '' ? t('code.files.root') : fileName(folder),
  isCaptionHidden: true,
  columns: ['code.files.name', { number: 'code.files.count' }, { number: 'code.files.size' }],
  rows: shown.map(({ path, count, size }) => [
    count === null
      ? html`<a href="${fileHref(path)}">${fileName(path.slice(start))}</a>`
      : html`<a href="${folderHref(path)}">${fileName(`${path.slice(start)}/`)}</a>`,
    count === null ? '' : format.number(count),
    format.bytes(size),
  ]),
})}
${pager(ui, {
  page: query.page,
  pageCount: Math.ceil(rows.length / FILES_PER_PAGE),
  hrefOf: (number) => hrefOf({ page: number === 1 ? null : String(number) }),
})}`;
}

/** Folders first. */
function rowsOf({ files }: FolderContentsFragment, folder: string): Row[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const folders = new Map<string, Row & { count: number }>();
  const own: Row[] = [];
  for (const { path, size } of files) {
    if (!path.startsWith(prefix)) continue;
    const end = path.indexOf('/', prefix.length);
    if (end < 0) {
      own.push({ path, count: null, size });
      continue;
    }
    const below = path.slice(0, end);
    const row = folders.get(below) ?? { path: below, count: 0, size: 0 };
    row.count += 1;
    row.size += size;
    folders.set(below, row);
  }
  return [...folders.values(), ...own];
}

/** The way from the root of the package to a folder or file. */
export function pathLinks(ui: Ui, path: string, hrefOf: FilesPageView['hrefOf']): Html {
  if (path === '') return html``;
  const parts = path.split('/');
  const folders = parts.slice(0, -1).map((name, index) => ({ name, folder: parts.slice(0, index + 1).join('/') }));
  const linkOf = (folder: string | null) => hrefOf({ folder, file: null, ...WITHOUT_VIEW });
  return html`<p class="code-path" dir="ltr"><a href="${linkOf(null)}">${ui.t('code.files.root')}</a> / ${folders.map(
    ({ name, folder }) => html`<a href="${linkOf(folder)}">${fileName(name)}</a> / `,
  )}${fileName(parts.at(-1) ?? '')}</p>`;
}
