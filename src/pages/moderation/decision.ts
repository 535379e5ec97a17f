/* The form of a decision about a report, in the page about it. */
import { html } from 'hono/html';
import { type FormPart, formElement } from '../components/form.ts';
import { moment } from '../components/time.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import type { PageReport } from './report-facts.ts';

export const DECISIONS = ['VALID', 'DISMISSED', 'DUPLICATE'] as const;

const FORM = 'moderation-decide';
const REPLY = 'reply.text';
const MAX_TEXT = 10_000;

/**
 * The decision, and with it a mail to the reporter: one form, so that neither is lost while the other is saved. Its button is in view at
 * 1280x800 when a link leads to the heading.
 */
export function decision(ui: Ui, report: PageReport, hasOthers: boolean): Html {
  const { t } = ui;
  const { id, state, replies } = report;
  return html`<section aria-labelledby="decision"><h2 id="decision">${t('review.decision')}</h2>
${formElement(ui, {
  name: FORM,
  hidden: { id },
  expected: { state, 'reply.replyCount': String(replies?.totalCount ?? 0) },
  parts: [
    stateField(ui, report, hasOthers),
    {
      kind: 'textarea',
      name: 'note',
      label: t('moderation.internal-note'),
      hint: t('moderation.note-hint'),
      maxLength: MAX_TEXT,
      rows: 2,
    },
    replyPart(ui, report),
  ],
  submit: t('moderation.decide'),
  actions: html`<a href="/docs/moderation/#reports">${t('docs.moderation.title')}</a>`,
})}</section>`;
}

function stateField(ui: Ui, report: PageReport, hasOthers: boolean): FormPart {
  const { t } = ui;
  const { state } = report;
  // Without another report about the same, none can cover the case.
  const decisions = DECISIONS.filter((each) => each !== 'DUPLICATE' || hasOthers || state === 'DUPLICATE');
  return {
    kind: 'radio',
    name: 'state',
    label: t('review.decision.what'),
    hint: html`${t('moderation.decide-later')} ${t('moderation.sender-sees')}${sentReplies(ui, report)}`,
    ...(state === 'OPEN' ? { isRequiredByOthers: true } : { isRequired: true, value: state }),
    options: [
      ...decisions.map((value) => ({
        value,
        text: t(`report.state.${value}`),
        hint: t(`moderation.decision.${value}`),
      })),
      state === 'OPEN'
        ? { value: 'OPEN', text: t('moderation.leave-open'), hint: t('moderation.leave-open-hint') }
        : { value: 'OPEN', text: t('moderation.reopen'), hint: t('moderation.reopen-hint') },
    ],
  };
}

/** That the reporter has a reply already, which a contrary decision would leave wrong; nothing without one. */
function sentReplies(ui: Ui, { replies }: PageReport): Html {
  const { t } = ui;
  const newest = replies?.nodes[0];
  if (replies == null || newest === undefined) return html``;
  const facts = { replies: t('moderation.replies', { count: replies.totalCount }), time: moment(ui, newest.created) };
  return html`<br><strong>${t('moderation.reply-needed', facts)}</strong>`;
}

/** The field of a reply, with whom it is sent to; or why none can be sent. */
function replyPart(ui: Ui, { reporter, isReplyPossible }: PageReport): FormPart {
  const { t } = ui;
  const name = html`<bdi>${reporter?.name ?? ''}</bdi>`;
  // What was typed stays when the reporter has become unreachable since.
  const hasTyped = (ui.form(FORM)?.values.get(REPLY)?.[0] ?? '') !== '';
  if (!isReplyPossible && !hasTyped) {
    const why = reporter === null ? t('moderation.no-reply') : t('moderation.no-reply-address', { name });
    return { kind: 'html', content: html`<p><strong>${t('moderation.reply')}</strong><br>${why}</p>` };
  }
  return {
    kind: 'textarea',
    name: REPLY,
    label: t('moderation.reply'),
    hint: t('moderation.reply-hint', { name }),
    maxLength: MAX_TEXT,
    rows: 3,
  };
}
