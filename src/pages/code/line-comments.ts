/* Comments of reviewers on lines: at their line, with the form for a new one. */
import { html } from 'hono/html';
import { CreateLineCommentDocument, type PageLineCommentFragment } from '../../generated/operations/graphql.ts';
import { label } from '../../http/params.ts';
import { badge } from '../components/badge.ts';
import { formElement } from '../components/form.ts';
import { integerField, textField } from '../fields.ts';
import { type FormRow, form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { type PageRow, redirect } from '../page.ts';
import { reviewHref } from '../reviewers/queue.ts';
import type { Ui } from '../ui.ts';

const NAME = 'line-comment';
const MAX_TEXT = 10_000;

/** A file of a version with the comments on its lines. */
export interface CommentedFile {
  version: { id: string; version: string; reviewActs: readonly string[] };
  addon: { slug: string | null; databaseId: number };
  path: string;
  comments: readonly PageLineCommentFragment[];
  /** The line with the form for a new comment; null without one. */
  current: number | null;
  /** Prefix of the anchors of lines. */
  anchor: string;
  hrefOf(changes: Record<string, string | null>): string;
}

/** The line of the form in the parameter `comment` of an address; null for none. */
export const lineIn = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

/** The parameter of pages with the form. */
export const commentParam = label('Number of the line to comment on.');

/** What is possible about a version whose notes can send comments of the viewer. */
export const canComment = ({ version: { reviewActs } }: CommentedFile): boolean =>
  reviewActs.includes('REQUEST_INFORMATION') || reviewActs.includes('COMMENT');

/** The link to the page of reviewers about a version, for `shortcuts`: for those who may do something about it. */
export const reviewOf = (
  addon: CommentedFile['addon'],
  { version, reviewActs }: Pick<CommentedFile['version'], 'version' | 'reviewActs'>,
): { review?: { href: string; version: string } } =>
  reviewActs.length === 0 ? {} : { review: { href: reviewHref(addon, version), version } };

/** The link to the form for a comment on a line, for viewers who may comment. */
export function commentLink(ui: Ui, file: CommentedFile, line: number | null): Html | null {
  if (line === null) return null;
  const href = `${file.hrefOf({ comment: String(line) })}#${file.anchor}-L${line}`;
  return html`<a href="${href}" title="${ui.t('code.comment')}"><span aria-hidden="true">+</span><span class="visually-hidden">${ui.t('code.comment-on', { line })}</span></a>`;
}

/** The rows with the comments on a line, and the form for a new one. */
export function commentRows(ui: Ui, file: CommentedFile, line: number | null): Html[] {
  if (line === null) return [];
  const rows = file.comments.filter((comment) => comment.line === line).map((comment) => commentRow(ui, file, comment));
  return line === file.current && canComment(file) ? [...rows, commentForm(ui, file, line)] : rows;
}

function commentRow(ui: Ui, { addon, version }: CommentedFile, comment: PageLineCommentFragment): Html {
  const { t, format } = ui;
  const { id, text, user, created, note } = comment;
  return html`<div class="line-comment" dir="${ui.direction}">
<p class="small"><bdi>${user.name}</bdi> <time class="muted" datetime="${created}">${format.dateTime(created)}</time> ${
    note === null &&
    html`${badge(ui, { kind: 'info', text: t('review.draft') })} <a href="${reviewHref(addon, version.version)}&amp;edit=${encodeURIComponent(id)}#drafts">${t('review.draft.edit')}</a>`
  }</p>
<p class="thread-text" dir="auto">${text}</p>
</div>`;
}

const commentForm = (ui: Ui, { version, path, hrefOf, anchor }: CommentedFile, line: number): Html =>
  html`<div class="line-comment" dir="${ui.direction}">${formElement(ui, {
    name: NAME,
    hidden: { version: version.id, path, line: String(line) },
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
    actions: html`<a href="${hrefOf({ comment: null })}#${anchor}-L${line}">${ui.t('code.comment-cancel')}</a>`,
  })}</div>`;

/** The row of the form on a page that shows lines with this prefix of anchors. */
export const lineCommentForm = (page: PageRow, anchor: string): FormRow =>
  form({
    page,
    name: NAME,
    fields: { version: textField, path: textField, line: integerField, text: textField },
    document: CreateLineCommentDocument,
    variables: ({ version, path, line, text }) => ({ version, path, line: line ?? 0, text }),
    done: (_result, _input, { line }, ui) =>
      redirect(`${withDone(withoutForm(ui.path), NAME)}#${anchor}-L${line ?? 1}`, 303),
  });

/** The address of the page without the form. */
function withoutForm(path: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.delete('comment');
  return `${url.pathname}${url.search}`;
}
