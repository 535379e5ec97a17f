import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { icon } from './icon.ts';

export interface TreeFile {
  /** In the package, with slashes. */
  path: string;
  href: string;
  isCurrent?: boolean;
  /** Number of changes or messages. */
  mark?: Html;
}

interface Folder {
  folders: Map<string, Folder>;
  files: { name: string; file: TreeFile }[];
}

/** The files of a package by folder. Folders are open. */
export function fileTree(ui: Ui, { label, files }: { label: Html | string; files: readonly TreeFile[] }): Html {
  const root: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const names = file.path.split('/');
    const name = names.pop() ?? '';
    names.reduce(folderIn, root).files.push({ name, file });
  }
  return html`<nav class="file-tree" aria-label="${label}">${contents(ui, root)}</nav>`;
}

function folderIn(parent: Folder, name: string): Folder {
  const found = parent.folders.get(name);
  if (found !== undefined) return found;
  const folder: Folder = { folders: new Map(), files: [] };
  parent.folders.set(name, folder);
  return folder;
}

function contents(ui: Ui, { folders, files }: Folder): Html {
  return html`<ul>
${[...folders].map(
  ([name, folder]) =>
    html`<li><details open><summary>${icon(ui, 'folder')}<bdi dir="ltr">${name}</bdi></summary>${contents(ui, folder)}</details></li>
`,
)}${files.map(
  ({ name, file }) =>
    html`<li><a href="${file.href}"${file.isCurrent === true && html` aria-current="page"`}>${icon(ui, 'file')}<bdi dir="ltr">${name}</bdi></a> ${file.mark}</li>
`,
)}</ul>`;
}
