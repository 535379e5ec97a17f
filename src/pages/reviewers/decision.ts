/* The form of the decisions about a version, on its review page. */
import { html } from 'hono/html';
import { ReviewDecisionDocument, type ReviewVersionQuery } from '../../generated/operations/graphql.ts';
import { formElement } from '../components/form.ts';
import { choice, textField } from '../fields.ts';
import { type FormRow, form } from '../form.ts';
import type { Html } from '../html.ts';
import type { PageRow } from '../page.ts';
import type { TextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

type CannedResponses = ReviewVersionQuery['cannedResponses'];

const MAX_COMMENTS = 10_000;

const DECISIONS = ['approve', 'reject', 'request', 'refer', 'reply', 'comment'] as const;

/** The form of all decisions. Only replies and comments are possible about a version that does not wait. */
export function decision(ui: Ui, id: string, waits: boolean, canned: CannedResponses): Html {
  const { t } = ui;
  const possible = waits ? DECISIONS : DECISIONS.filter((each) => each === 'reply' || each === 'comment');
  return html`<section aria-labelledby="decision"><h2 id="decision">${t('review.decision')}</h2>
${formElement(ui, {
  name: 'review-decision',
  hidden: { id },
  parts: [
    {
      kind: 'radio',
      name: 'decision',
      label: t('review.decision'),
      isRequired: true,
      options: possible.map((each) => ({
        value: each,
        text: t(`review.decision.${each}` as TextKey),
        hint: t(`review.decision.${each}-hint` as TextKey),
      })),
    },
    {
      kind: 'textarea',
      name: 'comments',
      label: t('review.comments'),
      hint: t('review.comments-hint'),
      maxLength: MAX_COMMENTS,
      rows: 6,
    },
  ],
  submit: t('review.send'),
})}
${cannedTexts(ui, canned)}</section>`;
}

/** The canned responses, to copy from. */
const cannedTexts = (ui: Ui, canned: CannedResponses): Html =>
  canned.length === 0
    ? html``
    : html`<details><summary>${ui.t('review.canned')}</summary>
<dl>${canned.map(({ name, text }) => html`<dt>${name}</dt><dd dir="auto">${text.value}</dd>`)}</dl></details>`;

/** The row of the form on the review page. */
export const decisionForm = (page: PageRow): FormRow =>
  form({
    page,
    name: 'review-decision',
    fields: { id: textField, decision: choice(...DECISIONS), comments: textField },
    document: ReviewDecisionDocument,
    variables: ({ id, decision: chosen, comments }) => ({
      ...{ id, comments },
      ...{ approve: chosen === 'approve', reject: chosen === 'reject', request: chosen === 'request' },
      ...{ refer: chosen === 'refer', reply: chosen === 'reply', comment: chosen === 'comment' },
    }),
  });
