import { html } from 'hono/html';
import { type Expected, expectedFields, isChangedByOthers } from '../changes.ts';
import type { Html } from '../html.ts';
import type { RefusedForm, Ui } from '../ui.ts';
import { badge } from './badge.ts';
import { errorSummary } from './error-summary.ts';
import { type FileField, fileField } from './file-field.ts';
import { type FormField, formField } from './form-field.ts';
import { notice, RESULT_ID } from './notice.ts';

/** Fields under a common title, or the texts of one language. */
interface FieldGroup {
  kind: 'group';
  legend: Html | string;
  hint?: Html | string;
  parts: readonly FormPart[];
}

interface LanguageGroup {
  kind: 'language';
  /** Language code of the texts. */
  language: string;
  /** Whether these texts are shown where a translation is missing. */
  isDefault: boolean;
  /** Whether it was just added to the form, whose button leads here. */
  isNew?: boolean;
  /** Of a form that has several groups of a language: the prefix of the id. */
  scope?: string;
  parts: readonly FormPart[];
}

/** A piece of HTML between the fields. */
interface FreePart {
  kind: 'html';
  content: Html;
}

export type FormPart = FormField | FileField | FieldGroup | LanguageGroup | FreePart;

interface Form {
  /** The name of the form in the table of forms. */
  name: string;
  parts: readonly FormPart[];
  /** Text of the button. */
  submit: Html | string;
  /** Whether the button destroys something. */
  isDanger?: boolean;
  /** Values that the form carries, by name. */
  hidden?: Readonly<Record<string, string>>;
  /** Expected values, where others may edit the same: see `changes.ts`. */
  expected?: Expected;
  /** Next to the button. */
  actions?: Html;
}

/** The attribute of a form that is sent to its own page, and leads to its result there. */
export const actionOf = ({ formAction }: Ui): Html => html` action="${formAction ?? ''}#${RESULT_ID}"`;

/** A form that is sent to its own page: hidden fields, summary of errors, fields, button. With a file field it is multipart. */
export function formElement(
  ui: Ui,
  { name, parts, submit, isDanger = false, hidden = {}, expected = {}, actions }: Form,
): Html {
  const refused = ui.form(name);
  const fields = fieldsOf(parts);
  const encoding = fields.some(({ kind }) => kind === 'file') && html` enctype="multipart/form-data"`;
  const carried = [...Object.entries(hidden), ...expectedFields(refused, expected)];
  return html`<form method="post"${actionOf(ui)} class="form" id="${name}"${encoding}>
${hiddenFields(ui, name, carried)}
${refused !== null && errorSummary(ui, { form: name, refused, labels: labelsOf(fields) })}
${refused !== null && conflictNotice(ui, refused, fields)}
${parts.map((part) => formPart(ui, name, part))}
<div class="form-actions cluster"><button type="submit" class="button ${isDanger ? 'danger' : 'primary'}"><span>${submit}</span></button>${refused !== null && offerButtons(ui, refused, fields)}${actions}</div>
</form>`;
}

/** The name of buttons that send the form with another value of a field: `<field>=<value>`. */
export const OFFER_BUTTON = 'offer';

/** A button for each value that the service offers in place of a typed one, after the button of the form, which the Enter key presses. */
const offerButtons = (ui: Ui, { offers = {} }: RefusedForm, fields: readonly { name: string }[]): Html =>
  html`${fields.flatMap(({ name: field }) =>
    (offers[field] ?? []).map(({ value, name }) => {
      const params = { name: html`<bdi>${name}</bdi>`, value: html`<bdi dir="ltr">${value}</bdi>` };
      return html`<button class="button" name="${OFFER_BUTTON}" value="${field}=${value}"><span>${ui.t('ui.form.use-offer', params)}</span></button>`;
    }),
  )}`;

/** What every form carries, and further values by name. */
export const hiddenFields = (ui: Ui, form: string, values: readonly (readonly [string, string])[]): Html =>
  html`${csrfField(ui)}${onceField(ui)}${[['form', form] as const, ...values].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/** A small form with a button and nothing to fill in. It is sent to its own page. */
export const buttonForm = (
  ui: Ui,
  { name, hidden, button }: { name: string; hidden: Readonly<Record<string, string>>; button: Html },
): Html => html`<form method="post"${actionOf(ui)} class="form inline">
${hiddenFields(ui, name, Object.entries(hidden))}
<button class="button">${button}</button>
</form>`;

function formPart(ui: Ui, name: string, part: FormPart): Html {
  const inside = (parts: readonly FormPart[]) => html`${parts.map((each) => formPart(ui, name, each))}`;
  if (part.kind === 'html') return part.content;
  if (part.kind === 'file') return fileField(ui, { form: name, field: part });
  if (part.kind === 'language') return languageFields(ui, part, inside(part.parts));
  if (part.kind !== 'group') return formField(ui, { form: name, field: part });
  const { legend, hint, parts } = part;
  return html`<fieldset class="form-group"><legend>${legend}</legend>${hint !== undefined && html`<p class="field-hint">${hint}</p>`}
${inside(parts)}</fieldset>`;
}

const fieldsOf = (parts: readonly FormPart[]): (FormField | FileField)[] =>
  parts.flatMap((part) => {
    if (part.kind === 'html') return [];
    return part.kind === 'group' || part.kind === 'language' ? fieldsOf(part.parts) : [part];
  });

const labelsOf = (fields: readonly (FormField | FileField)[]): ReadonlyMap<string, Html | string> =>
  new Map(fields.map(({ name, label }) => [name, label]));

/** The id of the fields of a language that was just added. */
export const NEW_LANGUAGE = 'new-language';

/** The texts of one language in a form for all languages. */
function languageFields(ui: Ui, { language, isDefault, isNew, scope = '' }: LanguageGroup, fields: Html): Html {
  return html`<fieldset class="language-fields" id="${isNew ? NEW_LANGUAGE : `${scope}language-${language}`}">
<legend>${ui.format.languageName(language)} <bdi dir="ltr" class="muted">${language}</bdi>${
    isDefault && html` ${badge(ui, { kind: 'info', text: ui.t('ui.language.default') })}`
  }</legend>
${fields}
</fieldset>`;
}

/** What was typed and what is stored now, for each field that others have changed since the form was made; nothing without one. */
function conflictNotice(ui: Ui, refused: RefusedForm, fields: readonly (FormField | FileField)[]): Html {
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
function storedValues(field: FormField): readonly string[] {
  if (field.kind === 'checkboxes') return field.values ?? [];
  if (field.kind === 'checkbox') return field.isChecked === true ? [field.value ?? 'true'] : [];
  return [field.value ?? ''];
}

/** Values of a field for people: texts as they are, choices by their names. */
function valueText(ui: Ui, field: FormField, values: readonly string[]): Html {
  if (field.kind === 'checkbox') return ui.t(values.length > 0 ? 'ui.conflict.yes' : 'ui.conflict.no');
  if (!('options' in field)) return html`${values.map((value) => value.replaceAll('\r\n', '\n'))}`;
  const chosen = field.options.filter(({ value }) => values.includes(value));
  return html`${chosen.map(
    ({ text }) => html`${text}
`,
  )}`;
}

/** The token that every form of a signed-in viewer contains; nothing for anonymous viewers. */
export const csrfField = ({ csrfToken }: Ui): Html =>
  csrfToken === null ? html`` : html`<input type="hidden" name="csrf" value="${csrfToken}">`;

/** The field with the id of the response that a form came with. A form without it, which no page made, acts each time it is sent. */
export const ONCE_FIELD = 'once';

/** The id of the response, for each of its forms that change data. */
export const onceField = ({ onceId }: Ui): Html => html`<input type="hidden" name="${ONCE_FIELD}" value="${onceId}">`;
