import { html } from 'hono/html';
import { isChangedByOthers } from '../changes.ts';
import type { Html } from '../html.ts';
import type { RefusedForm, Ui } from '../ui.ts';
import type { FileField } from './file-field.ts';
import type { Field } from './form-field.ts';
import { notice } from './notice.ts';

/** What was typed and what is stored now, for each field that others have changed since the form was made; nothing without one. */
export function conflictNotice(ui: Ui, refused: RefusedForm, fields: readonly (Field | FileField)[]): Html {
  const { t } = ui;
  const rows = fields.flatMap((field) => {
    if (field.kind === 'file' || !isChangedByOthers(refused, field.name)) return [];
    const [typed, stored] = [
      valueText(ui, field, refused.values.get(field.name) ?? []),
      valueText(ui, field, storedValues(field)),
    ];
    return String(typed) === String(stored) ? [] : [{ field, typed, stored }];
  });
  if (rows.length === 0) return html``;
  return notice(ui, {
    kind: 'warning',
    title: t('ui.conflict.title'),
    text: html`<p>${t('ui.conflict.how')}</p>
${rows.map(({ field, typed, stored }) => {
  const language = 'language' in field ? field.language : undefined;
  const attributes = language === undefined ? html`` : html` lang="${language}" dir="auto"`;
  return html`<p><strong>${field.label}${language !== undefined && html` – ${ui.format.languageName(language)}`}</strong></p>
<div class="hub-versions">
<div><p class="muted">${t('ui.conflict.typed')}</p><pre${attributes}>${typed}</pre></div>
<div><p class="muted">${t('ui.conflict.stored')}</p><pre${attributes}>${stored}</pre></div>
</div>
`;
})}`,
  });
}

/** The value that a field was made with, as the form sends it. */
function storedValues(field: Field): readonly string[] {
  if (field.kind === 'checkboxes') return field.values ?? [];
  if (field.kind === 'checkbox') return field.isChecked === true ? [field.value ?? 'true'] : [];
  return [field.value ?? ''];
}

/** Values of a field for people: texts as they are, choices by their names. */
function valueText(ui: Ui, field: Field, values: readonly string[]): Html {
  if (field.kind === 'checkbox') return ui.t(values.length > 0 ? 'ui.conflict.yes' : 'ui.conflict.no');
  if (!('options' in field)) return html`${values.map((value) => value.replaceAll('\r\n', '\n'))}`;
  const chosen = field.options.filter(({ value }) => values.includes(value));
  return html`${chosen.map(
    ({ text }) => html`${text}
`,
  )}`;
}
