import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { fileName } from './file-name.ts';

interface TreeFile {
  path: string;
  /** How it differs from another package. */
  change?: { kind: 'ADDED' | 'DELETED' | 'MODIFIED'; additions: number | null; deletions: number | null };
  /** Messages of the validator about it. */
  messageCount: number;
  /** The published library of which it is an unchanged file. */
  library: { name: string; version: string } | null;
}

interface FileTree {
  files: readonly TreeFile[];
  /** The file or folder that the page shows; empty for the root. */
  current: string;
  /** Whether all folders are open, such as those with changes. */
  isOpen: boolean;
  /** Called for the files that have a row. */
  fileHref(path: string): string;
  folderHref(folder: string): string;
}

interface Folder {
  path: string;
  folders: Map<string, Folder>;
  files: TreeFile[];
  /** Of the folder with those below it. */
  fileCount: number;
  messageCount: number;
}

/** Rows of a tree. Folders that exceed them are links. */
const ROWS = 600;

/**
 * The files of a package in their folders. Folders of the current file are open. Unchanged files of known libraries are apart, in a list that
 * is closed.
 */
export function fileTree(ui: Ui, { files, current, isOpen, fileHref, folderHref }: FileTree): Html {
  const { t } = ui;
  const own = files.filter(({ library }) => library === null);
  const libraries = files.filter(({ library }) => library !== null).slice(0, ROWS);
  let rowsLeft = ROWS;
  const fileRow = (file: TreeFile, name: string) => fileLink(ui, file, { name, href: fileHref(file.path), current });

  const rows = (folder: Folder): Html => html`<ul>
${[...folder.folders.values()].map(
  (each) => html`<li>${folderRow(each)}</li>
`,
)}${folder.files.map(
  (file) => html`<li>${fileRow(file, nameOf(file.path))}</li>
`,
)}</ul>`;

  const folderRow = (folder: Folder): Html => {
    const name = fileName(`${nameOf(folder.path)}/`);
    const counts = html`<span class="count">${ui.format.number(folder.fileCount)}</span>${messages(ui, folder.messageCount)}`;
    const size = folder.folders.size + folder.files.length;
    if (size > rowsLeft) return html`<a href="${folderHref(folder.path)}">${name}</a> ${counts}`;
    rowsLeft -= size;
    const isAbove = `${current}/`.startsWith(`${folder.path}/`);
    return html`<details${(isOpen || isAbove) && html` open`}><summary>${name} ${counts}</summary>
${rows(folder)}</details>`;
  };

  const root = folderOf(own);
  rowsLeft -= root.folders.size + root.files.length;
  const isTooLong = rowsLeft < 0;
  return html`<details class="file-tree"><summary>${t('code.tree')}</summary>
<nav aria-label="${t('code.tree')}">
${isTooLong ? html`<p><a href="${folderHref('')}">${t('code.tree.all', { count: own.length })}</a></p>` : rows(root)}
${
  libraries.length > 0 &&
  html`<details><summary>${t('code.tree.libraries', { count: libraries.length })}</summary>
<ul>${libraries.map(
    (file) => html`<li>${fileRow(file, file.path)}</li>
`,
  )}</ul></details>`
}
</nav></details>`;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const LETTERS = { ADDED: 'A', DELETED: 'D', MODIFIED: 'M' } as const;

function fileLink(
  ui: Ui,
  { path, change, messageCount, library }: TreeFile,
  { name, href, current }: { name: string; href: string; current: string },
): Html {
  const { t } = ui;
  return html`<a href="${href}"${path === current && html` aria-current="true"`}>${fileName(name)}</a>${
    library !== null &&
    html` <span class="muted">${t('code.library', { name: html`<bdi>${library.name}</bdi>`, version: html`<bdi dir="ltr">${library.version}</bdi>` })}</span>`
  }${change !== undefined && html` <abbr title="${t(`code.kind.${change.kind}`)}">${LETTERS[change.kind]}</abbr>${lineSums(ui, change)}`}${messages(ui, messageCount)}`;
}

/** Added and deleted lines, if they are counted. */
export function lineSums(
  ui: Ui,
  { additions, deletions }: { additions: number | null; deletions: number | null },
): Html {
  if (additions === null || deletions === null) return html``;
  return html` <span dir="ltr" class="line-sums"><ins>+${ui.format.number(additions)}</ins> <del>−${ui.format.number(deletions)}</del></span>`;
}

const messages = (ui: Ui, count: number): Html =>
  count === 0 ? html`` : html` <span class="badge warning">${ui.t('code.messages', { count })}</span>`;

function folderOf(files: readonly TreeFile[]): Folder {
  const newFolder = (path: string): Folder => ({ path, folders: new Map(), files: [], fileCount: 0, messageCount: 0 });
  const root = newFolder('');
  for (const file of files) {
    let folder = root;
    const names = file.path.split('/');
    for (const [index, name] of names.slice(0, -1).entries()) {
      const below = folder.folders.get(name) ?? newFolder(names.slice(0, index + 1).join('/'));
      folder.folders.set(name, below);
      folder = below;
      folder.fileCount += 1;
      folder.messageCount += file.messageCount;
    }
    folder.files.push(file);
  }
  return root;
}
