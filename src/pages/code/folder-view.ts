import { html } from 'hono/html';
import type { FolderContentsFragment, MessageFieldsFragment } from '../../generated/operations/graphql.ts';
import { withParameter } from '../catalogue/addresses.ts';
import { dataTable } from '../components/data-table.ts';
import { fileName } from '../components/file-name.ts';
import { fileTree } from '../components/file-tree.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Rows of a list of files on one page. */
export const ROWS = 200;

/** What pages of files show. */
export interface Shown {
  ui: Ui;
  contents: FolderContentsFragment;
  query: { folder: string | null; file: string | null; page: number; line: string | null; pretty: '1' | null };
  /** Those of the validator about the package. */
  messages: readonly MessageFieldsFragment[];
  /** The address of the page with other parameters. */
  hrefOf(changes: Record<string, string | null>): string;
}

/** Parameters about the file of the page, which addresses of other files do not have. */
const WITHOUT_VIEW = { pretty: null, line: null, comment: null, comments: null };

/** The tree of the files. */
export function contentsTree({ ui, contents, query, messages, hrefOf }: Shown): Html {
  const counts = messageCounts(messages);
  return fileTree(ui, {
    files: contents.files.map(({ path, library }) => ({ path, library, messageCount: counts.get(path) ?? 0 })),
    current: query.file ?? query.folder ?? '',
    isOpen: false,
    ...treeLinks(hrefOf, WITHOUT_VIEW),
  });
}

/** The links of a tree of files. `without` are parameters about the file of the page, which addresses of others do not have. */
export function treeLinks(hrefOf: Shown['hrefOf'], without: Readonly<Record<string, null>>) {
  const root = hrefOf({ file: null, folder: null, ...without });
  const folderHref = withParameter(root, 'folder');
  return {
    fileHref: withParameter(root, 'file'),
    folderHref: (folder: string) => (folder === '' ? root : folderHref(folder)),
  };
}

/** Numbers of messages by file. */
export function messageCounts(messages: readonly MessageFieldsFragment[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { file } of messages) if (file !== null) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

interface Row {
  path: string;
  /** Files in a folder; null for a file. */
  count: number | null;
  size: number;
}

/** The folders and files in a folder; null for one that the package does not have. */
export function folderView({ ui, contents, query, hrefOf }: Shown): Html | null {
  const folder = query.folder ?? '';
  const rows = rowsOf(contents, folder);
  if (rows.length === 0 && folder !== '') return null;
  const { t, format } = ui;
  const shown = rows.slice((query.page - 1) * ROWS, query.page * ROWS);
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
  pageCount: Math.ceil(rows.length / ROWS),
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
export function pathLinks(ui: Ui, path: string, hrefOf: Shown['hrefOf']): Html {
  if (path === '') return html``;
  const parts = path.split('/');
  const folders = parts.slice(0, -1).map((name, index) => ({ name, folder: parts.slice(0, index + 1).join('/') }));
  const linkOf = (folder: string | null) => hrefOf({ folder, file: null, ...WITHOUT_VIEW });
  return html`<p class="code-path" dir="ltr"><a href="${linkOf(null)}">${ui.t('code.files.root')}</a> / ${folders.map(
    ({ name, folder }) => html`<a href="${linkOf(folder)}">${fileName(name)}</a> / `,
  )}${fileName(parts.at(-1) ?? '')}</p>`;
}
