/* What may follow from a report, in the page about it: forms that change what was reported. */
import { html } from 'hono/html';
import { decisionFields } from '../catalogue/rating-parts.ts';
import { formElement } from '../components/form.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import type { PageReport } from './report-facts.ts';
import { reportUrl, targetName } from './report-labels.ts';
import { switchForm } from './switch-forms.ts';

/** The id of the section. */
const ACTIONS = 'actions';

const formsOf = (ui: Ui, report: PageReport): Html[] =>
  [ratingForm(ui, report), addonForm(ui, report), accountForm(ui, report)].filter((each) => each !== null);

/** A link to what the viewer may do about the target of a confirmed report; nothing for others. */
export function toConsequences(ui: Ui, report: PageReport): Html {
  if (report.state !== 'VALID' || formsOf(ui, report).length === 0) return html``;
  return html`<a class="button" href="#${ACTIONS}">${ui.t('moderation.to-actions')}</a>`;
}

/** What the viewer may do about the target, or who may. A decision about the report does nothing of it. */
export function consequences(ui: Ui, report: PageReport): Html {
  const { targetState } = report;
  const forms = formsOf(ui, report);
  const isGone = targetState === 'DELETED' || targetState === 'UNKNOWN';
  if (forms.length === 0 && isGone) return html``;
  const { t } = ui;
  return html`<section class="stack" aria-labelledby="${ACTIONS}"><h2 id="${ACTIONS}">${t('moderation.actions')}</h2>
<p>${t(forms.length > 0 ? 'moderation.actions-lead' : 'moderation.no-actions')}</p>
${forms}</section>`;
}

function addonForm(ui: Ui, report: PageReport): Html | null {
  const addon = report.addon?.addon ?? null;
  if (addon === null || !addon.viewerRights.includes('ADMINISTER') || report.targetState === 'DELETED') return null;
  const isDisabled = report.targetState === 'DISABLED';
  return switchForm(ui, { ...shownIn(ui, report), name: 'moderation-addon', kind: 'addon', id: addon.id, isDisabled });
}

function accountForm(ui: Ui, report: PageReport): Html | null {
  const account = report.account;
  if (!account?.private?.isEditable) return null;
  const { isDisabled } = account.private;
  return switchForm(ui, {
    ...shownIn(ui, report),
    ...{ name: 'moderation-account', kind: 'account', id: account.id, isDisabled },
    subject: html`<bdi>${report.user?.name ?? ''}</bdi>`,
  });
}

const shownIn = (ui: Ui, report: PageReport) => ({
  subject: targetName(ui, report),
  cancelHref: `${reportUrl(report.databaseId)}#${ACTIONS}`,
  isInReport: true,
});

/** The decision about a reported rating or reply, as on its own page. It stays open when it was refused. */
function ratingForm(ui: Ui, report: PageReport): Html | null {
  const rating = report.rating?.rating ?? null;
  if (rating === null || rating.isDeleted || !rating.viewerRights.includes('DECIDE')) return null;
  const { decision, note } = decisionFields(ui, rating);
  const name = 'moderation-rating';
  return html`<details${ui.form(name) !== null && html` open`}><summary>${ui.t('moderation.decide-rating', { name: targetName(ui, report) })}</summary>
${formElement(ui, {
  name,
  hidden: { rating: rating.id, openFlags: String(rating.openFlagCount ?? 0) },
  parts: [decision, note],
  submit: ui.t('moderation.decide-rating.save'),
})}</details>`;
}
