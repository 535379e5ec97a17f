import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { fileName, revealInvisible } from './file-name.ts';
import { addedSums, type MessageSums, messageBadge } from './message-badge.ts';

interface TreeFile {
  path: string;
  /** How it differs from another package. */
  change?: { kind: 'ADDED' | 'DELETED' | 'MODIFIED'; additions: number | null; deletions: number | null };
  /** Messages of the validator about it, and the address where the first one is shown; null without one. */
  messages: { sums: MessageSums; href: string } | null;
  /** The published library of which it is an unchanged file. */
  library: { name: string; version: string } | null;
}

interface FileTree {
  files: readonly TreeFile[];
  /** The file or folder that the page shows; empty for the root. */
  current: string;
  /** Whether folders are open that the tree has room for, such as those with changes. */
  isOpen: boolean;
  /** Called for the files and folders that have a row. */
  fileHref(path: string): string;
  folderHref(folder: string): string;
}

interface Folder {
  path: string;
  folders: Folder[];
  files: TreeFile[];
  /** Of the folder with those below it. */
  fileCount: number;
  messages: MessageSums | null;
}

/** Rows of a tree. Those around the current file or folder come first; other folders that do not fit are links to their pages. */
const ROWS = 300;
/** Rows of one folder: those around the current file or folder. A link to its page has the others. */
const FOLDER_ROWS = { most: 100, least: 10 };

/**
 * The files of a package in their folders. Folders of the current file are open. Unchanged files of known libraries are apart, in a list that
 * is closed.
 */
export function fileTree(ui: Ui, { files, current, isOpen, fileHref, folderHref }: FileTree): Html {
  const { t } = ui;
  const libraries = files.filter(({ library }) => library !== null);
  const { root, size } = folderOf(files.filter(({ library }) => library === null));
  const isAbove = ({ path }: Folder) => path === '' || `${current}/`.startsWith(`${path}/`);
  const above = foldersAbove(root, isAbove);
  const hasRoom = size <= ROWS;
  const perFolder = hasRoom
    ? ROWS
    : Math.max(FOLDER_ROWS.least, Math.min(FOLDER_ROWS.most, Math.floor(ROWS / above.length)));
  let rowsLeft = ROWS - above.reduce((sum, folder) => sum + Math.min(perFolder, sizeOf(folder)), 0);

  const fileRow = (file: TreeFile, name: string) => fileLink(ui, file, { name, href: fileHref(file.path), current });

  const more = (count: number, folder: string): Html | false =>
    count > 0 &&
    html`<li><a href="${folderHref(folder)}">${t('code.tree.more', { count })}</a></li>
`;

  const rows = (folder: Folder): Html => {
    const all = [...folder.folders, ...folder.files];
    const start = startOf(all, perFolder, (each) => ('folders' in each ? isAbove(each) : each.path === current));
    const shown = all.slice(start, start + perFolder);
    return html`<ul>
${more(start, folder.path)}${shown.map(
  (each) => html`<li>${'folders' in each ? folderRow(each) : fileRow(each, nameOf(each.path))}</li>
`,
)}${more(all.length - start - shown.length, folder.path)}</ul>`;
  };

  const folderRow = (folder: Folder): Html => {
    const name = fileName(`${nameOf(folder.path)}/`);
    const counts = html`<span class="count">${ui.format.number(folder.fileCount)}</span>${folder.messages !== null && html` ${messageBadge(ui, folder.messages, null)}`}`;
    const isCurrent = isAbove(folder);
    const rowCount = sizeOf(folder);
    const fits = (isOpen || hasRoom) && rowCount <= Math.min(rowsLeft, perFolder);
    if (!isCurrent && !fits) return html`<a href="${folderHref(folder.path)}">${name}</a> ${counts}`;
    if (!isCurrent) rowsLeft -= rowCount;
    return html`<details${(isOpen || isCurrent) && html` open`}><summary>${name} ${counts}</summary>
${rows(folder)}</details>`;
  };

  const startLibrary = startOf(libraries, FOLDER_ROWS.most, ({ path }) => path === current);
  const shownLibraries = libraries.slice(startLibrary, startLibrary + FOLDER_ROWS.most);
  return html`<details class="file-tree"><summary>${t('code.tree')}</summary>
<nav aria-label="${t('code.tree')}">
${rows(root)}
${
  libraries.length > 0 &&
  html`<details${libraries.some(({ path }) => path === current) && html` open`}><summary>${t('code.tree.libraries', { count: libraries.length })}</summary>
<ul>${shownLibraries.map(
    (file) => html`<li>${fileRow(file, file.path)}</li>
`,
  )}${more(libraries.length - shownLibraries.length, '')}</ul></details>`
}
</nav></details>`;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const sizeOf = ({ folders, files }: Folder): number => folders.length + files.length;

/** The index of the first of `count` rows that have the current one in their middle. */
function startOf<Row>(rows: readonly Row[], count: number, isCurrent: (row: Row) => boolean): number {
  if (rows.length <= count) return 0;
  return Math.max(0, Math.min(rows.findIndex(isCurrent) - Math.floor(count / 2), rows.length - count));
}

function fileLink(
  ui: Ui,
  { path, change, messages, library }: TreeFile,
  { name, href, current }: { name: string; href: string; current: string },
): Html {
  const { t } = ui;
  return html`<a href="${href}"${path === current && html` aria-current="true"`}><bdi dir="ltr">${revealInvisible(name)}</bdi></a>${
    library !== null &&
    html` <span class="muted">${t('code.library', { name: html`<bdi>${library.name}</bdi>`, version: html`<bdi dir="ltr">${library.version}</bdi>` })}</span>`
  }${change !== undefined && html` <span class="muted">${t(`code.kind.${change.kind}`)}</span>${lineSums(ui, change)}`}${messages !== null && html` ${messageBadge(ui, messages.sums, messages.href)}`}`;
}

/** Added and deleted lines, if they are counted. */
export function lineSums(
  ui: Ui,
  { additions, deletions }: { additions: number | null; deletions: number | null },
): Html {
  if (additions === null || deletions === null) return html``;
  return html` <span dir="ltr" class="line-sums"><ins>+${ui.format.number(additions)}</ins> <del>−${ui.format.number(deletions)}</del></span>`;
}

/** The root of a tree, and the rows of the whole tree. */
function folderOf(files: readonly TreeFile[]): { root: Folder; size: number } {
  const byPath = new Map<string, Folder>();
  const folderAt = (path: string): Folder => {
    const known = byPath.get(path);
    if (known !== undefined) return known;
    const folder: Folder = { path, folders: [], files: [], fileCount: 0, messages: null };
    byPath.set(path, folder);
    if (path !== '') folderAt(parentOf(path)).folders.push(folder);
    return folder;
  };
  const root = folderAt('');
  for (const file of files) folderAt(parentOf(file.path)).files.push(file);
  count(root);
  return { root, size: files.length + byPath.size - 1 };
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Counts files and messages of a folder and those below it. */
function count(folder: Folder): void {
  folder.fileCount = folder.files.length;
  for (const { messages } of folder.files) folder.messages = addedSums(folder.messages, messages?.sums ?? null);
  for (const below of folder.folders) {
    count(below);
    folder.fileCount += below.fileCount;
    folder.messages = addedSums(folder.messages, below.messages);
  }
}

/** The folders above the current file or folder and itself, from the root. */
function foldersAbove(root: Folder, isAbove: (folder: Folder) => boolean): Folder[] {
  const above: Folder[] = [];
  for (let folder: Folder | undefined = root; folder !== undefined; folder = folder.folders.find(isAbove))
    above.push(folder);
  return above;
}
