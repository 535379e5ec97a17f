/* The drafts of the viewer about lines of a version, which the next decision, question or reply sends. */
import { html } from 'hono/html';
import { type PageLineCommentFragment, UpdateLineCommentDocument } from '../../generated/operations/graphql.ts';
import { deleteDraftForm } from '../code/line-comments.ts';
import { lineUrl } from '../code/lines.ts';
import { revealInvisible } from '../components/file-name.ts';
import { buttonForm, formElement } from '../components/form.ts';
import { textField } from '../fields.ts';
import { doneAt, type FormRow, form } from '../form.ts';
import type { Html } from '../html.ts';
import type { PageRow } from '../page.ts';
import type { Ui } from '../ui.ts';

const MAX_TEXT = 10_000;
const EDIT = 'review-draft';

interface Drafts {
  /** The address of the version. */
  url: string;
  drafts: readonly PageLineCommentFragment[];
  /** The draft with the form for its text; null for none. */
  edited: string | null;
  /** The address of the page with that form. */
  editHref(id: string): string;
}

/** The drafts, each with its place, and what can be done about it; nothing without one. */
export function draftList(ui: Ui, { url, drafts, edited, editHref }: Drafts): Html {
  if (drafts.length === 0) return html``;
  const { t } = ui;
  return html`<section class="stack" aria-labelledby="drafts"><h3 id="drafts">${t('review.drafts', { count: drafts.length })}</h3>
<p class="muted">${t('review.drafts-hint')}</p>
<ul class="line-list">${drafts.map(({ id, path, line, quote, text }) => {
    const place = html`<bdi dir="ltr">${revealInvisible(path)}:${line}</bdi>`;
    return html`<li><a href="${lineUrl(url, path, line)}">${place}</a>
<blockquote dir="ltr"><code>${quote}</code></blockquote>
${
  id === edited
    ? editForm(ui, id, text)
    : html`<p class="thread-text" dir="auto">${text}</p>
<div class="cluster"><a class="button small" href="${editHref(id)}#drafts">${t('review.draft.edit')}<span class="visually-hidden"> ${place}</span></a>
${buttonForm(ui, { name: 'review-draft-delete', hidden: { id }, button: html`${t('review.draft.delete')}<span class="visually-hidden"> ${place}</span>` })}</div>`
}</li>
`;
  })}</ul></section>`;
}

const editForm = (ui: Ui, id: string, text: string): Html =>
  formElement(ui, {
    name: EDIT,
    hidden: { id },
    parts: [
      {
        kind: 'textarea',
        name: 'text',
        label: ui.t('review.draft.text'),
        value: text,
        isRequired: true,
        maxLength: MAX_TEXT,
        rows: 4,
      },
    ],
    submit: ui.t('review.draft.save'),
  });

/** The rows of the forms on the review page. */
export const draftForms = (page: PageRow): readonly FormRow[] => [
  form({
    page,
    name: EDIT,
    fields: { id: textField, text: textField },
    document: UpdateLineCommentDocument,
    variables: (values) => values,
    done: (_result, _input, _values, ui) => doneAt(withoutForm(ui.path), EDIT),
  }),
  deleteDraftForm(page),
];

/** The address of the page without the form. */
function withoutForm(path: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.delete('edit');
  return `${url.pathname}${url.search}`;
}
