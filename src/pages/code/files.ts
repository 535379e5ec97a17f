import { html } from 'hono/html';
import {
  CodeFileDocument,
  type CodeFileQuery,
  CodeFilesDocument,
  type CodeFilesQuery,
  type MessageFieldsFragment,
} from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { segment, text, word } from '../../http/params.ts';
import { addonName, addonPath, toCanonical } from '../catalogue/addon-head.ts';
import { addonHeader } from '../catalogue/addon-header.ts';
import { changedQuery, pathOf } from '../catalogue/addresses.ts';
import * as params from '../catalogue/params.ts';
import { listedMessage } from '../catalogue/validation-messages.ts';
import { type CodeLine, codeTable } from '../components/code-table.ts';
import { dataTable } from '../components/data-table.ts';
import { facts } from '../components/facts.ts';
import { messageList } from '../components/message-list.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import { page, type TextFile } from '../page.ts';
import type { Ui } from '../ui.ts';
import { cutLine, LINES } from './lines.ts';

/** Rows of a folder on one page. */
const ROWS = 500;

type CodeAddon = NonNullable<CodeFilesQuery['addon']>;
type CodeVersion = NonNullable<CodeAddon['version']>;
type Contents = NonNullable<CodeVersion['contents']>;
type CodeFile = NonNullable<NonNullable<NonNullable<CodeFileQuery['version']>['contents']>['file']>;

/** The files of a version's package: a folder of it, or a file with its lines. For those who may read its code. */
export const filesPage = page({
  path: '/addon/:ref/versions/:version/files/',
  visitor: 'all',
  hidesRefusals: true,
  limit: 'page-code',
  params: { ref: segment('Slug, guid or id of the add-on.'), version: segment('Version number.') },
  query: {
    folder: text('Path of a folder in the package.'),
    file: text('Path of a file in the package.'),
    page: params.page,
    raw: word<'1'>('The file as it is, to save.', { 1: '1' }),
  },
  document: CodeFilesDocument,
  variables: ({ path }) => ({ by: addonReference(path.ref), version: path.version }),
  more: {
    document: CodeFileDocument,
    variables: ({ addon }, { query }) =>
      query.file !== null && addon?.version?.contents ? { version: addon.version.id, path: query.file } : null,
  },
  view: ({ addon }, input, ui, more) => {
    const version = addon?.version ?? null;
    const contents = version?.contents ?? null;
    if (addon === null || version === null || contents === null) return null;
    const { query, search } = input;
    const file = more?.version?.contents?.file ?? null;
    if (query.file !== null && file === null) return null;
    if (file !== null && query.raw !== null) return rawFile(file);
    const rest = `versions/${encodeURIComponent(version.version)}/files/`;
    const number = html`<bdi dir="ltr">${version.version}</bdi>`;
    const hrefOf = (changes: Record<string, string | null>) => addonPath(addon, rest) + changedQuery(search, changes);
    const messages = (more?.version?.validation?.messages ?? []).filter((each) => each.file === query.file);
    const shown = { ui, contents, query, hrefOf, messages };
    const body = file === null ? folderView(shown) : fileView(shown, file);
    if (body === null) return null;
    return (
      toCanonical(addon, input, rest) ?? {
        title: ui.t('code.files.title', { name: addonName(addon), version: version.version }),
        robots: 'noindex' as const,
        main: html`${addonHeader(ui, addon, { current: 'versions', title: ui.t('code.files') })}
<h1>${ui.t('code.files.heading', { version: html`<a href="${pathOf(version.url)}">${number}</a>` })}</h1>
<p>${ui.t('code.files.sum', { count: contents.fileCount, size: ui.format.bytes(contents.size) })}</p>
${body}
${file === null && !query.folder && otherVersions(ui, addon, version)}`,
      }
    );
  },
});

/** The text of a file, to save. */
const rawFile = ({ path, content }: CodeFile): TextFile | null =>
  content && {
    kind: 'file',
    contentType: 'text/plain; charset=utf-8',
    text: content.text,
    fileName: path.slice(path.lastIndexOf('/') + 1),
  };

interface Shown {
  ui: Ui;
  contents: Contents;
  query: { folder: string | null; page: number };
  /** Those of the validator about the file. */
  messages: readonly MessageFieldsFragment[];
  hrefOf(changes: Record<string, string | null>): string;
}

interface Row {
  name: string;
  href: string;
  /** Files in a folder; null for a file. */
  count: number | null;
  size: number;
}

/** The folders and files in a folder; null for one that the package does not have. */
function folderView({ ui, contents, query, hrefOf }: Shown): Html | null {
  const folder = query.folder ?? '';
  const rows = rowsOf(contents, folder, hrefOf);
  if (rows.length === 0 && folder !== '') return null;
  const { t, format } = ui;
  const shown = rows.slice((query.page - 1) * ROWS, query.page * ROWS);
  return html`${pathLinks(ui, folder, hrefOf)}
${dataTable(ui, {
  id: 'files',
  caption: folder === '' ? t('code.files.root') : html`<bdi dir="ltr">${folder}</bdi>`,
  isCaptionHidden: true,
  columns: [
    { text: t('code.files.name') },
    { text: t('code.files.count'), kind: 'number' },
    { text: t('code.files.size'), kind: 'number' },
  ],
  rows: shown.map(({ name, href, count, size }) => [
    html`<a href="${href}"><bdi dir="ltr">${name}</bdi></a>`,
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
function rowsOf({ files }: Contents, folder: string, hrefOf: Shown['hrefOf']): Row[] {
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
function pathLinks(ui: Ui, path: string, hrefOf: Shown['hrefOf']): Html {
  if (path === '') return html``;
  const parts = path.split('/');
  const folders = parts.slice(0, -1).map((name, index) => ({ name, folder: parts.slice(0, index + 1).join('/') }));
  return html`<p class="code-path" dir="ltr"><a href="${hrefOf({ folder: null, file: null })}">${ui.t('code.files.root')}</a> / ${folders.map(
    ({ name, folder }) => html`<a href="${hrefOf({ folder, file: null })}"><bdi>${name}</bdi></a> / `,
  )}<bdi>${parts.at(-1)}</bdi></p>`;
}

/** A file: its facts, and the lines of a text. */
function fileView(shown: Shown, file: CodeFile): Html {
  const { ui, hrefOf, messages } = shown;
  const { t, format } = ui;
  const { path, size, hash, content } = file;
  const withoutLine = messages.filter(({ line }) => line === null || content === null);
  return html`${pathLinks(ui, path, hrefOf)}
${facts(ui, {
  items: [
    { term: t('code.files.size'), value: format.bytes(size) },
    { term: t('addon.hash'), value: html`<code class="hash">${hash}</code>` },
    content !== null && content.encoding !== 'UTF_8'
      ? { term: t('code.encoding'), value: t(`code.encoding.${content.encoding}`) }
      : { term: t('code.encoding'), value: null },
  ],
})}
${withoutLine.length > 0 && messageList(ui, withoutLine.map(listedMessage))}
${content === null ? notShown(ui, file) : lineView(shown, path, content.text)}`;
}

const notShown = (ui: Ui, { isText }: CodeFile): Html =>
  notice(ui, {
    kind: 'info',
    title: ui.t(isText ? 'code.not-shown.too-large' : 'code.not-shown.binary'),
    text: ui.t('code.not-shown.download'),
  });

/** The lines of a text, with the messages about each below it. */
function lineView({ ui, query, hrefOf, messages }: Shown, path: string, content: string): Html {
  const lines = content.split('\n');
  // The empty rest after the last line feed is no line.
  if (lines.at(-1) === '') lines.pop();
  const first = (query.page - 1) * LINES;
  const shown = lines.slice(first, first + LINES);
  const codeLine = (number: number, line: string): CodeLine => {
    const own = messages.filter((each) => each.line === number);
    const marks = own.length === 0 ? {} : { kind: 'marked' as const, note: messageList(ui, own.map(listedMessage)) };
    return cutLine({ number, text: line.replace(/\r$/, ''), ...marks });
  };
  return html`<p><a href="${hrefOf({ raw: '1' })}">${ui.t('code.raw')}</a></p>
${lines.length === 0 && html`<p>${ui.t('code.empty')}</p>`}
${
  shown.length > 0 &&
  codeTable(ui, {
    id: 'file',
    label: html`${path}`,
    lines: shown.map((line, index) => codeLine(first + index + 1, line)),
  })
}
${pager(ui, {
  page: query.page,
  pageCount: Math.ceil(lines.length / LINES),
  hrefOf: (number) => hrefOf({ page: number === 1 ? null : String(number) }),
})}`;
}

/** Links to the comparison with the newest other versions. */
function otherVersions(ui: Ui, addon: CodeAddon, { version }: CodeVersion): Html {
  const others = addon.versions.nodes.filter((each) => each.version !== version);
  if (others.length === 0) return html``;
  return html`<section aria-labelledby="compare"><h2 id="compare">${ui.t('code.compare-with')}</h2>
<ul class="link-list">
${others.map(
  (
    other,
  ) => html`<li><a href="${addonPath(addon, `compare/${encodeURIComponent(`${other.version}...${version}`)}/`)}"><bdi dir="ltr">${other.version}</bdi></a></li>
`,
)}</ul></section>`;
}
