import { html } from 'hono/html';
import {
  ComparedFilesDocument,
  ComparedVersionsDocument,
  type ComparedVersionsQuery,
  type PageLineCommentsFragment,
} from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { labelParam, oneOf, segmentParam, textParam } from '../../http/params.ts';
import { addonName, addonPath, toCanonical } from '../catalogue/addon-head.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import * as params from '../catalogue/params.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import { changeList, changesTree, changeView } from './change-views.ts';
import { codeHead } from './code-head.ts';
import { type CommentedFile, commentQuery, deleteDraftForm, lineCommentForm } from './line-comments.ts';
import { LINES_PER_PAGE, lineIn } from './lines.ts';

const CONTEXT = { part: 3, full: 100_000 };

type ComparedAddon = NonNullable<ComparedVersionsQuery['addon']>;

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
  params: {
    ref: segmentParam('Slug, guid or id of the add-on.'),
    range: segmentParam('Two version numbers, as in 1.0...1.1.'),
  },
  query: {
    file: textParam('Path of a file in the packages.'),
    folder: textParam('Path of a folder in the packages.'),
    all: oneOf('The list of all files that differ, in place of the lines of the first one.', ['1']),
    pretty: oneOf('Minified code in lines and with indents.', ['1']),
    ws: oneOf('White space at the start and end of lines.', ['ignore']),
    full: oneOf('All lines of the file.', ['1']),
    page: params.pageNumber,
    ...commentQuery,
    oldcomments: labelParam('Cursor of the last comment on the first version of the page before.'),
  },
  document: ComparedVersionsDocument,
  variables: ({ path }) => ({ by: addonReference(path.ref), ...versionsIn(path.range) }),
  more: {
    document: ComparedFilesDocument,
    variables: ({ addon }, { query }) => {
      const { from, to } = addon ?? {};
      if (!from?.contents || !to?.contents) return null;
      return {
        ...{ from: from.id, to: to.id, path: query.file },
        hasFile: query.file !== null || (query.folder === null && query.all === null),
        context: query.full === null ? CONTEXT.part : CONTEXT.full,
        isWhitespaceIgnored: query.ws !== null,
        ...{ isFormatted: query.pretty !== null, line: (query.page - 1) * LINES_PER_PAGE + 1, count: LINES_PER_PAGE },
        oldCommentsAfter: query.oldcomments,
        commentsAfter: query.comments,
      };
    },
  },
  view: ({ addon }, input, ui, more) => {
    const diff = more?.packageDiff ?? null;
    if (!addon?.from || !addon.to || diff === null) return null;
    if (input.query.file !== null && diff.file == null) return null;
    const [from, to] = [addon.from.version, addon.to.version];
    const rest = `compare/${encodeURIComponent(`${from}...${to}`)}/`;
    const shownFile = diff.file?.path ?? null;
    const hrefOf = (changes: Record<string, string | null>) =>
      addonPath(addon, rest) + changedQuery(input.search, { file: shownFile, ...changes });
    // One page of the comments on all files may lack those on the first one.
    const isCut = [more?.from, more?.to].some((version) => version?.lineComments?.pageInfo.hasNextPage);
    if (input.query.file === null && shownFile !== null && isCut) return redirect(hrefOf({}));
    const messages = addon.to.validation?.messages ?? [];
    const fileHref = (side: 'from' | 'to', path: string, more: Record<string, string>) =>
      `${filesPath(addon, { from, to }[side])}?${new URLSearchParams({ file: path, ...more })}`;
    const commented = ({
      side,
      version,
      cursor,
      current,
    }: Pick<CommentedFile, 'cursor' | 'current'> & {
      side: 'from' | 'to';
      version: CommentedFile['version'];
    }): CommentedFile | null =>
      diff.file == null
        ? null
        : {
            ...{ addon, version, path: diff.file.path, anchor: 'diff', cursor, current },
            isNamed: true,
            after: input.query[cursor],
            // Changes of comments stay on the page of lines.
            hrefOf: (changes) => hrefOf({ page: input.search.get('page'), ...changes }),
            comments: commentsOn(diff.file.path, more?.[side]?.lineComments ?? null),
          };
    const shown = {
      ...{ ui, query: { ...input.query, file: shownFile }, messages, versionUrl: addon.to.url, hrefOf, fileHref },
      from: commented({ side: 'from', version: addon.from, cursor: 'oldcomments', current: null }),
      to: commented({ side: 'to', version: addon.to, cursor: 'comments', current: lineIn(input.query.comment) }),
    };
    const { main: head, ...section } = codeHead(ui, {
      ...{ addon, version: addon.to, title: ui.t('code.compare') },
      heading: ui.t('code.compare.heading', { from: versionLink(addon, from), to: versionLink(addon, to) }),
    });
    return (
      toCanonical(addon, input, rest) ?? {
        title: ui.t('code.compare.title', { name: addonName(addon), from, to }),
        robots: 'noindex' as const,
        ...section,
        main: html`${head}
<div class="columns with-tree"><div>${changesTree(shown, diff.files)}</div>
<div>${diff.file == null ? changeList(shown, diff.files) : changeView(shown, diff.files, diff.file)}</div></div>`,
      }
    );
  },
});

export const compareCommentForms = [lineCommentForm(comparePage, 'diff'), deleteDraftForm(comparePage)];

/** The comments on a file, of those on all files. */
const commentsOn = (path: string, comments: PageLineCommentsFragment | null): PageLineCommentsFragment | null =>
  comments && { ...comments, nodes: comments.nodes.filter((comment) => comment.path === path) };

const filesPath = (addon: ComparedAddon, version: string): string =>
  addonPath(addon, `versions/${encodeURIComponent(version)}/files/`);

const versionLink = (addon: ComparedAddon, version: string): Html =>
  html`<a href="${filesPath(addon, version)}"><bdi dir="ltr">${version}</bdi></a>`;
