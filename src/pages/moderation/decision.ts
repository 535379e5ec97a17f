/* The form of a decision about a report, in the page about it. */
import { html } from 'hono/html';
import { type FormPart, formElement } from '../components/form.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import type { PageReport } from './report-facts.ts';

export const DECISIONS = ['VALID', 'DISMISSED', 'DUPLICATE'] as const;

const FORM = 'moderation-decide';
const REPLY = 'reply.text';
const MAX_TEXT = 10_000;

/** The decision, and with it a mail to the reporter: one form, so that neither is lost while the other is saved. */
export function decision(ui: Ui, report: PageReport, hasOthers: boolean): Html {
  const { t } = ui;
  const { id, state, replies } = report;
  return html`<section aria-labelledby="decision"><h2 id="decision">${t('review.decision')}</h2>
<p><a href="/docs/moderation/#reports">${t('docs.moderation.title')}</a></p>
${formElement(ui, {
  name: FORM,
  hidden: { id },
  expected: { state, 'reply.replyCount': String(replies?.totalCount ?? 0) },
  parts: [
    stateField(ui, state, hasOthers),
    {
      kind: 'textarea',
      name: 'note',
      label: t('moderation.internal-note'),
      hint: t('moderation.note-hint'),
      maxLength: MAX_TEXT,
      rows: 3,
    },
    replyPart(ui, report),
    { kind: 'html', content: html`<p class="muted small">${t('moderation.sender-sees')}</p>` },
  ],
  submit: t('moderation.decide'),
})}</section>`;
}

function stateField({ t }: Ui, state: PageReport['state'], hasOthers: boolean): FormPart {
  // Without another report about the same, none can cover the case.
  const decisions = DECISIONS.filter((each) => each !== 'DUPLICATE' || hasOthers || state === 'DUPLICATE');
  return {
    kind: 'radio',
    name: 'state',
    label: t('review.decision.what'),
    hint: t('moderation.decide-later'),
    isRequired: true,
    value: state,
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
    rows: 5,
  };
}
