/* The forms with which staff disable and enable add-ons and accounts of others. */
import { html } from 'hono/html';
import { refusedField } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { choice, textField } from '../fields.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

interface Switch {
  /** The name of the form. */
  name: string;
  kind: 'addon' | 'account';
  /** Global id. */
  id: string;
  /** What is disabled or enabled. */
  subject: Html;
  isDisabled: boolean;
  cancelHref: string;
  /** Whether the page is that of a report, which has a decision of its own. */
  isInReport?: boolean;
}

/** The form behind a summary, so that no single click disables anything. It stays open when it was refused. */
export function switchForm(ui: Ui, { name, kind, id, subject, isDisabled, cancelHref, isInReport }: Switch): Html {
  const { t } = ui;
  const act = isDisabled ? 'enable' : 'disable';
  const title = t(`moderation.${act}-${kind}`, { name: subject });
  return html`<details${ui.form(name) !== null && html` open`}><summary>${title}</summary>
${confirmForm(ui, {
  name,
  isDanger: !isDisabled,
  consequences: [
    t(`moderation.${act}-${kind}-effect`),
    ...(kind === 'account' ? [t(`moderation.${act}-account-profile`)] : []),
    t(kind === 'account' ? 'moderation.holder-mail' : 'moderation.owners-mail'),
    ...(isDisabled ? [] : [t('moderation.disable-undo')]),
  ],
  keeps: [
    ...(isDisabled ? [] : [t(`moderation.disable-${kind}-keeps`)]),
    ...(isDisabled || kind === 'account' ? [] : [t('moderation.disable-overrides', { link: overridesLink(ui) })]),
    ...(isInReport ? [t('moderation.report-stays')] : []),
  ],
  fields: [
    {
      kind: 'textarea',
      name: 'reason',
      label: t('moderation.column.reason'),
      hint: t(isDisabled ? 'moderation.reason-log' : `moderation.reason-${kind}`),
      isRequired: !isDisabled,
      maxLength: MAX_REASON,
      rows: 3,
    },
  ],
  submit: title,
  cancelHref,
  hidden: { id, disabled: isDisabled ? 'no' : 'yes' },
})}</details>`;
}

/** The name of what stops installed copies, as a link for viewers who keep it. */
function overridesLink({ t, viewer }: Ui): Html {
  const name = t('admin.tab.overrides');
  return viewer?.adminPages.includes('overrides') === true ? html`<a href="/admin/overrides/">${name}</a>` : name;
}

const MAX_REASON = 500;

/** The fields of such a form. */
export const switchFields = { id: textField, disabled: choice('yes', 'no'), reason: textField };

/** The variables of its mutation. @throws {InvalidInputError} for disabling without a reason, which its owners read. */
export function switchVariables({ id, disabled, reason }: { id: string; disabled: 'yes' | 'no'; reason: string }) {
  if (disabled === 'yes' && reason === '') throw refusedField('reason', message('field.blank'));
  return { id, disabled: disabled === 'yes', reason };
}
