/* Comments of reviewers on lines: at their line, with the form for a new one. */
import { html } from 'hono/html';
import {
  CreateLineCommentDocument,
  DeleteLineCommentDocument,
  type PageLineCommentFragment,
  type PageLineCommentsFragment,
} from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { withParameter } from '../catalogue/addresses.ts';
import { badge } from '../components/badge.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { integerField, textField } from '../fields.ts';
import { doneAt, type FormRow, form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { type PageRow, redirect } from '../page.ts';
import { isDecidable, reviewVersionUrl } from '../reviewers/reviewer-page.ts';
import type { Ui } from '../ui.ts';

const NAME = 'line-comment';
const DELETE = 'review-draft-delete';
const MAX_TEXT = 10_000;

/** A file of a version with the comments on its lines. */
export interface CommentedFile {
  version: { id: string; version: string; reviewActs: readonly string[] };
  addon: { slug: string | null; databaseId: number };
  path: string;
  /** One page of them; null for viewers who may not read them. */
  comments: PageLineCommentsFragment | null;
  /** The cursor that the page of comments is after; null for the first page. */
  after: string | null;
  /** The parameter with that cursor. */
  cursor: 'comments' | 'oldcomments';
  /** Whether comments name their version, on a page of two. */
  isNamed: boolean;
  /** The line with the form for a new comment; null without one. */
  current: number | null;
  /** Prefix of the anchors of lines. */
  anchor: string;
  hrefOf(changes: Record<string, string | null>): string;
}

/** The parameters of pages with comments: the line of the form, and the page of comments. */
export const commentQuery = {
  comment: labelParam('Number of the line to comment on.'),
  comments: labelParam('Cursor of the last comment of the page before.'),
};

/** Where comments are shown: the number of a line of the page, and the lines of the file of which it shows the comments. */
export interface CommentPlace {
  number: number;
  first: number;
  last: number;
}

/** The place of a line that is one of the file. */
export const ownPlace = (number: number): CommentPlace => ({ number, first: number, last: number });

/** What is possible about a version whose notes can send comments of the viewer. */
export const canComment = ({ reviewActs }: Pick<CommentedFile['version'], 'reviewActs'>): boolean =>
  reviewActs.includes('REQUEST_INFORMATION') || reviewActs.includes('COMMENT');

/** The link to the page of reviewers about a version, for `shortcuts`: for those who may do something about it. */
export const reviewOf = (
  addon: CommentedFile['addon'],
  { version, reviewActs }: Pick<CommentedFile['version'], 'version' | 'reviewActs'>,
): { review?: { href: string; version: string; isDecidable: boolean } } =>
  reviewActs.length === 0
    ? {}
    : { review: { href: reviewVersionUrl(addon, version), version, isDecidable: isDecidable({ reviewActs }) } };

/** The links to the form for a comment on each line, for viewers who may comment. */
export function commentLinks(ui: Ui, { hrefOf, anchor }: CommentedFile): (place: CommentPlace | null) => Html | null {
  const formHref = withParameter(hrefOf({ comment: null }), 'comment');
  return (place) => {
    if (place === null) return null;
    const line = place.first;
    const href = `${formHref(String(line))}#${anchor}-L${place.number}`;
    return html`<a href="${href}" aria-label="${ui.t('code.comment-on', { line })}">+</a>`;
  };
}

/** How a comment is begun, above lines with `commentLinks`; those of a comparison include deleted ones, which have no link. */
export const commentHow = ({ t }: Ui, { isComparison = false } = {}): Html =>
  html`<p class="small muted">${t(isComparison ? 'code.comment-how-compare' : 'code.comment-how')}</p>`;

/** The rows with the comments on a line, and the form for a new one. */
export function commentRows(ui: Ui, file: CommentedFile, place: CommentPlace | null): Html[] {
  if (place === null) return [];
  const isHere = (line: number) => line >= place.first && line <= place.last;
  const { comments, current } = file;
  const rows = (comments?.nodes ?? [])
    .filter(({ line }) => isHere(line))
    .map((comment) => commentRow(ui, file, comment));
  if (current === null || !isHere(current) || !canComment(file.version)) return rows;
  return [...rows, commentForm(ui, file, { line: current, at: place.number })];
}

/**
 * The notice of the lines whose comments are shown, with links to the others; nothing when all are. `anchorOf` returns the anchor of a line of the
 * file; null for one that the page does not show.
 */
export function commentPages(
  ui: Ui,
  { comments, after, hrefOf, cursor, isNamed, version }: CommentedFile,
  anchorOf: (line: number) => string | null = () => null,
): Html {
  const { nodes = [], pageInfo } = comments ?? {};
  const next = pageInfo?.hasNextPage ? pageInfo.endCursor : null;
  if (after === null && next == null) return html``;
  const [first, last] = [nodes.at(0), nodes.at(-1)];
  const linkTo = ({ line }: { line: number }) => {
    const anchor = anchorOf(line);
    return anchor === null ? html`${line}` : html`<a href="#${anchor}">${line}</a>`;
  };
  const part = first && last && ui.t('code.comments.part', { first: linkTo(first), last: linkTo(last) });
  return html`${part && html`<p>${isNamed && html`${versionName(ui, version)}: `}${part}</p>`}
<ul class="code-switches">
${after !== null && html`<li><a href="${hrefOf({ [cursor]: null, comment: null })}">${ui.t('code.comments.first')}</a></li>`}
${next != null && html`<li><a rel="next" href="${hrefOf({ [cursor]: next, comment: null })}">${ui.t('code.comments.next')}</a></li>`}
</ul>`;
}

/** A version by its number, as in “Version 1.0”. */
export const versionName = (ui: Ui, { version }: CommentedFile['version']): Html =>
  ui.t('addon.versions.version', { version: html`<bdi dir="ltr">${version}</bdi>` });

function commentRow(ui: Ui, { addon, version, isNamed }: CommentedFile, comment: PageLineCommentFragment): Html {
  const { t, format } = ui;
  const { id, text, user, created, note } = comment;
  const href = reviewVersionUrl(addon, version.version);
  return html`<div class="line-comment" dir="${ui.direction}">
<p class="small"><bdi>${user.name}</bdi> <time class="muted" datetime="${created}">${format.dateTime(created)}</time> ${isNamed && html`<span class="muted">${versionName(ui, version)}</span> `}${
    note === null && badge(ui, { kind: 'info', text: t('review.draft') })
  }</p>
<p class="thread-text" dir="auto">${text}</p>
${
  note === null &&
  html`<div class="cluster"><a class="button small primary" href="${href}#decision">${t('review.to-decision')}</a>
<a class="button small" href="${href}&amp;edit=${encodeURIComponent(id)}#drafts">${t('review.draft.edit')}</a>
${buttonForm(ui, { name: DELETE, hidden: { id }, button: t('review.draft.delete') })}</div>`
}
</div>`;
}

/** `at` is the line of the page, with which the page of the saved draft begins. */
const commentForm = (
  ui: Ui,
  { version, path, hrefOf, anchor }: CommentedFile,
  { line, at }: { line: number; at: number },
): Html =>
  html`<div class="line-comment" dir="${ui.direction}">${formElement(ui, {
    name: NAME,
    hidden: { version: version.id, path, line: String(line), at: String(at) },
    parts: [
      {
        kind: 'textarea',
        name: 'text',
        label: ui.t('code.comment-on', { line }),
        hint: ui.t('code.comment-hint'),
        isRequired: true,
        maxLength: MAX_TEXT,
        rows: 4,
      },
    ],
    submit: ui.t('code.comment-save'),
    actions: html`<a href="${hrefOf({ comment: null })}#${anchor}-L${at}">${ui.t('code.comment-cancel')}</a>`,
  })}</div>`;

/** The row of the form on a page that shows lines with this prefix of anchors. */
export const lineCommentForm = (page: PageRow, anchor: string): FormRow =>
  form({
    page,
    name: NAME,
    fields: { version: textField, path: textField, line: integerField, at: integerField, text: textField },
    document: CreateLineCommentDocument,
    variables: ({ version, path, line, text }) => ({ version, path, line: line ?? 0, text }),
    done: (_result, _input, { line, at }, ui) =>
      redirect(`${withDone(withoutForm(ui.path), NAME)}#${anchor}-L${at ?? line ?? 1}`, 303),
  });

/** The row of the button that deletes a draft, on a page with drafts. */
export const deleteDraftForm = (page: PageRow): FormRow =>
  form({
    page,
    name: DELETE,
    fields: { id: textField },
    document: DeleteLineCommentDocument,
    variables: (values) => values,
    done: (_result, _input, _values, ui) => doneAt(withoutForm(ui.path), DELETE),
  });

/** The address of the page without a form for a comment. */
function withoutForm(path: string): string {
  const url = new URL(path, 'http://localhost');
  for (const name of ['comment', 'edit']) url.searchParams.delete(name);
  return `${url.pathname}${url.search}`;
}
