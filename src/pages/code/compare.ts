import { html } from 'hono/html';
import {
  ComparedFilesDocument,
  type ComparedFilesQuery,
  ComparedVersionsDocument,
  type ComparedVersionsQuery,
} from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { segment, text, word } from '../../http/params.ts';
import { addonName, addonPath, toCanonical } from '../catalogue/addon-head.ts';
import { addonHeader } from '../catalogue/addon-header.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import * as params from '../catalogue/params.ts';
import { type CodeLine, codeTable } from '../components/code-table.ts';
import { dataTable } from '../components/data-table.ts';
import { notice } from '../components/notice.ts';
import { pager } from '../components/pager.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { cutLine, LINES } from './lines.ts';

/** Rows of the list of files on one page. */
const ROWS = 200;
const CONTEXT = { part: 3, full: 100_000 };

type ComparedAddon = NonNullable<ComparedVersionsQuery['addon']>;
type Diff = NonNullable<ComparedFilesQuery['packageDiff']>;
type ChangedFile = Diff['files'][number];
type FileDiff = NonNullable<Diff['file']>;
type Hunk = FileDiff['hunks'][number];

/** The numbers in `1.0...1.1`; empty texts, which no version has, for anything else. */
function versionsIn(range: string): { from: string; to: string } {
  const [from = '', to = '', ...more] = range.split('...');
  return more.length > 0 ? { from: '', to: '' } : { from, to };
}

/** What two versions of an add-on differ in: their files, and the lines of one. For those who may read the code of both. */
export const comparePage = page({
  path: '/addon/:ref/compare/:range/',
  visitor: 'all',
  hidesRefusals: true,
  limit: 'page-code',
  params: { ref: segment('Slug, guid or id of the add-on.'), range: segment('Two version numbers, as in 1.0...1.1.') },
  query: {
    file: text('Path of a file in the packages.'),
    ws: word<'ignore'>('White space at the start and end of lines.', { ignore: 'ignore' }),
    full: word<'1'>('All lines of the file.', { 1: '1' }),
    page: params.page,
  },
  document: ComparedVersionsDocument,
  variables: ({ path }) => ({ by: addonReference(path.ref), ...versionsIn(path.range) }),
  more: {
    document: ComparedFilesDocument,
    variables: ({ addon }, { query }) => {
      const { from, to } = addon ?? {};
      if (!from?.contents || !to?.contents) return null;
      return {
        ...{ from: from.id, to: to.id, path: query.file ?? '', hasFile: query.file !== null },
        context: query.full === null ? CONTEXT.part : CONTEXT.full,
        isWhitespaceIgnored: query.ws !== null,
      };
    },
  },
  view: ({ addon }, input, ui, more) => {
    const diff = more?.packageDiff ?? null;
    if (!addon?.from || !addon.to || diff === null) return null;
    if (input.query.file !== null && diff.file == null) return null;
    const [from, to] = [addon.from.version, addon.to.version];
    const rest = `compare/${encodeURIComponent(`${from}...${to}`)}/`;
    const hrefOf = (changes: Record<string, string | null>) =>
      addonPath(addon, rest) + changedQuery(input.search, changes);
    const shown = { ui, query: input.query, hrefOf };
    return (
      toCanonical(addon, input, rest) ?? {
        title: ui.t('code.compare.title', { name: addonName(addon), from, to }),
        robots: 'noindex' as const,
        main: html`${addonHeader(ui, addon, { current: 'versions', title: ui.t('code.compare') })}
<h1>${ui.t('code.compare.heading', { from: versionLink(addon, from), to: versionLink(addon, to) })}</h1>
${diff.file == null ? fileList(shown, diff.files) : fileView(shown, diff.file)}`,
      }
    );
  },
});

const versionLink = (addon: ComparedAddon, version: string): Html =>
  html`<a href="${addonPath(addon, `versions/${encodeURIComponent(version)}/files/`)}"><bdi dir="ltr">${version}</bdi></a>`;

interface Shown {
  ui: Ui;
  query: { ws: string | null; full: string | null; page: number };
  hrefOf(changes: Record<string, string | null>): string;
}

/** The files that differ. */
function fileList({ ui, query, hrefOf }: Shown, files: readonly ChangedFile[]): Html {
  const { t } = ui;
  if (files.length === 0) return html`<p>${t('code.compare.none')}</p>`;
  return html`<p>${t('code.compare.sum', { count: files.length })}</p>
${dataTable(ui, {
  id: 'changes',
  caption: t('code.compare.files'),
  isCaptionHidden: true,
  columns: [{ text: t('code.files.name') }, { text: t('code.kind') }, { text: t('code.lines'), kind: 'number' }],
  rows: files
    .slice((query.page - 1) * ROWS, query.page * ROWS)
    .map((file) => [
      html`<a href="${hrefOf({ file: file.path })}"><bdi dir="ltr">${file.path}</bdi></a>`,
      t(`code.kind.${file.kind}`),
      lineCounts(ui, file),
    ]),
})}
${pager(ui, {
  page: query.page,
  pageCount: Math.ceil(files.length / ROWS),
  hrefOf: (number) => hrefOf({ page: number === 1 ? null : String(number) }),
})}`;
}

/** Added and deleted lines; why there are none to count. */
function lineCounts(ui: Ui, { additions, deletions, notCompared }: ChangedFile): Html {
  if (notCompared !== null) return ui.t(`code.not-compared.short.${notCompared}`);
  return html`<span dir="ltr"><ins>+${ui.format.number(additions ?? 0)}</ins> <del>−${ui.format.number(deletions ?? 0)}</del></span>`;
}

/** The lines of one file that differ. */
function fileView({ ui, query, hrefOf }: Shown, file: FileDiff): Html {
  const { t } = ui;
  const back = hrefOf({ file: null, ws: null, full: null });
  const switches = html`<ul class="link-list">
<li><a href="${back}">${t('code.compare.all')}</a></li>
<li><a href="${hrefOf({ ws: query.ws === null ? 'ignore' : null })}">${t(query.ws === null ? 'code.ws.ignore' : 'code.ws.show')}</a></li>
<li><a href="${hrefOf({ full: query.full === null ? '1' : null })}">${t(query.full === null ? 'code.full' : 'code.part')}</a></li>
</ul>`;
  return html`<h2><bdi dir="ltr">${file.path}</bdi></h2>
<p>${t(`code.kind.${file.kind}`)}</p>
${switches}
${file.notCompared === null ? hunkViews({ ui, query, hrefOf }, file) : notCompared(ui, file)}`;
}

const notCompared = (ui: Ui, { notCompared: reason, before, after }: FileDiff): Html =>
  html`${reason !== null && notice(ui, { kind: 'info', title: ui.t(`code.not-compared.${reason}`), text: ui.t('code.not-compared.replaced') })}
<ul>
${[before, after].map(
  (side) =>
    side &&
    html`<li>${ui.format.bytes(side.size)} <code class="hash">${side.hash}</code></li>
`,
)}</ul>`;

const KINDS = { CONTEXT: 'same', ADDED: 'inserted', DELETED: 'deleted' } as const;

/** The hunks of one page, which may begin or end within one. */
function hunkViews({ ui, query, hrefOf }: Shown, { path, hunks }: FileDiff): Html {
  const first = (query.page - 1) * LINES;
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  if (total === 0) return html`<p>${ui.t('code.compare.no-lines')}</p>`;
  const parts: { hunk: Hunk; lines: Hunk['lines'] }[] = [];
  let passed = 0;
  for (const hunk of hunks) {
    const lines = hunk.lines.slice(Math.max(0, first - passed), Math.max(0, first + LINES - passed));
    if (lines.length > 0) parts.push({ hunk, lines });
    passed += hunk.lines.length;
  }
  return html`${parts.map(
    ({ hunk, lines }) =>
      html`<p class="code-hunk muted" dir="ltr">${rangeOf(hunk)}</p>
${codeTable(ui, { id: 'diff', label: html`${path} ${rangeOf(hunk)}`, lines: lines.map((line) => codeLine(ui, line)) })}
`,
  )}
${pager(ui, {
  page: query.page,
  pageCount: Math.ceil(total / LINES),
  hrefOf: (number) => hrefOf({ page: number === 1 ? null : String(number) }),
})}`;
}

const rangeOf = ({ oldStart, oldLines, newStart, newLines }: Hunk): string =>
  `@@ −${oldStart},${oldLines} +${newStart},${newLines} @@`;

function codeLine(ui: Ui, { kind, text: line, oldNumber, newNumber, isUnterminated }: Hunk['lines'][number]): CodeLine {
  return cutLine({
    ...{ number: newNumber ?? oldNumber, text: line.replace(/\r$/, ''), kind: KINDS[kind] },
    ...(isUnterminated ? { note: html`<span class="muted">${ui.t('code.unterminated')}</span>` } : {}),
  });
}
