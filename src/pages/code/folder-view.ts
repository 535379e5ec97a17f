import { html } from 'hono/html';
import type { FolderContentsFragment, MessageFieldsFragment } from '../../generated/operations/graphql.ts';
import { dataTable } from '../components/data-table.ts';
import { fileName } from '../components/file-name.ts';
import { fileTree } from '../components/file-tree.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Rows of a folder on one page. */
const ROWS = 500;

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

/** The tree of all files. */
export function contentsTree({ ui, contents, query, messages, hrefOf }: Shown): Html {
  const counts = messageCounts(messages);
  return fileTree(ui, {
    files: contents.files.map(({ path, library }) => ({ path, library, messageCount: counts.get(path) ?? 0 })),
    current: query.file ?? query.folder ?? '',
    isOpen: false,
    fileHref: (path) => hrefOf({ file: path, folder: null, ...WITHOUT_VIEW }),
    folderHref: (folder) => hrefOf({ folder: folder === '' ? null : folder, file: null, ...WITHOUT_VIEW }),
  });
}

/** Numbers of messages by file. */
export function messageCounts(messages: readonly MessageFieldsFragment[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { file } of messages) if (file !== null) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

interface Row {
  name: string;
  href: string;
  /** Files in a folder; null for a file. */
  count: number | null;
  size: number;
}

/** The folders and files in a folder; null for one that the package does not have. */
export function folderView({ ui, contents, query, hrefOf }: Shown): Html | null {
  const folder = query.folder ?? '';
  const rows = rowsOf(contents, folder, hrefOf);
  if (rows.length === 0 && folder !== '') return null;
  const { t, format } = ui;
  const shown = rows.slice((query.page - 1) * ROWS, query.page * ROWS);
  return html`${pathLinks(ui, folder, hrefOf)}
${dataTable(ui, {
  id: 'files',
  caption: folder === '' ? t('code.files.root') : fileName(folder),
  isCaptionHidden: true,
  columns: ['code.files.name', { number: 'code.files.count' }, { number: 'code.files.size' }],
  rows: shown.map(({ name, href, count, size }) => [
    html`<a href="${href}">${fileName(name)}</a>`,
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
function rowsOf({ files }: FolderContentsFragment, folder: string, hrefOf: Shown['hrefOf']): Row[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const folders = new Map<string, Row>();
  const own: Row[] = [];
  for (const { path, size } of files) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...below] = path.slice(prefix.length).split('/');
    if (below.length === 0) {
      own.push({ name, href: hrefOf({ folder: null, file: path }), count: null, size });
      continue;
    }
    const row = folders.get(name) ?? { name: `${name}/`, href: hrefOf({ folder: prefix + name }), count: 0, size: 0 };
    folders.set(name, { ...row, count: (row.count ?? 0) + 1, size: row.size + size });
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
