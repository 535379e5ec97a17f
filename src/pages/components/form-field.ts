import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { RefusedForm, Ui } from '../ui.ts';
import { languageAttributes } from './local-text.ts';

interface Option {
  value: string;
  text: Html | string;
  hint?: Html | string;
}

interface Common {
  /** As in the GraphQL input. */
  name: string;
  label: Html | string;
  hint?: Html | string;
  /** Others are marked as optional. Check boxes are neither. */
  isRequired?: boolean;
  /** Whether hints of other fields say when it is required. It is not marked. */
  isRequiredByOthers?: boolean;
}

interface LineField extends Common {
  kind: 'text' | 'email' | 'url' | 'number' | 'date';
  value?: string | null;
  maxLength?: number;
  min?: string;
  max?: string;
  /** As in HTML; default off. */
  autocomplete?: string;
  /** Language of the text. */
  language?: string;
  /** For codes; addresses have it without this. */
  direction?: 'ltr';
}

export interface TextField extends Common {
  kind: 'textarea';
  value?: string | null;
  maxLength?: number;
  rows?: number;
  language?: string;
}

interface SelectField extends Common {
  kind: 'select';
  options: readonly Option[];
  value?: string | null;
}

interface RadioField extends Common {
  kind: 'radio';
  options: readonly Option[];
  value?: string | null;
}

interface BoxesField extends Common {
  kind: 'checkboxes';
  options: readonly Option[];
  values?: readonly string[];
}

interface BoxField extends Common {
  kind: 'checkbox';
  /** What the form sends when it is checked. */
  value?: string;
  isChecked?: boolean;
  isLocked?: boolean;
}

export type FormField = LineField | TextField | SelectField | RadioField | BoxesField | BoxField;

/** The id of a field in the page; the error summary links to it. */
export const fieldId = (form: string, name: string): string => `${form}-${name}`.replaceAll(/[^\w-]/g, '-');

/** What a control has in common with every other one. */
interface Control {
  id: string;
  /** Values as typed into a refused form; null for a new form. */
  typed: readonly string[] | null;
  /** `required`, `aria-invalid` and `aria-describedby`. */
  attributes: Html;
}

/** A labelled control with its hint, what was typed into the refused form, and the errors. `form` is the name of the form. */
export function formField(ui: Ui, { form, field }: { form: string; field: FormField }): Html {
  const id = fieldId(form, field.name);
  const refused = ui.form(form);
  const errors = refused?.errors[field.name] ?? [];
  const described = [field.hint === undefined ? [] : `${id}-hint`, errors.length === 0 ? [] : `${id}-error`].flat();
  const control: Control = {
    id,
    typed: typedValues(refused, field.name),
    attributes: html`${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${errors.length > 0 && html` aria-invalid="true"`}`,
  };
  const notes = html`${field.hint !== undefined && html`<div class="field-hint" id="${id}-hint">${field.hint}</div>`}${fieldErrors(ui, id, errors)}`;
  const state = errors.length > 0 ? 'form-field invalid' : 'form-field';
  if (field.kind === 'checkbox') return html`<div class="${state}">${checkbox(field, control)}${notes}</div>`;
  if (field.kind === 'radio' || field.kind === 'checkboxes') {
    return html`<fieldset class="${state}" id="${id}" tabindex="-1"${control.attributes}><legend>${title(ui, field)}</legend>${notes}
${field.kind === 'radio' ? radios(field, control) : checkboxes(field, control)}</fieldset>`;
  }
  return html`<div class="${state}"><label for="${id}">${title(ui, field)}</label>${notes}
${fieldControl(ui, field, control)}</div>`;
}

/** The messages of a field; nothing without errors. */
export function fieldErrors(ui: Ui, id: string, errors: RefusedForm['errors'][string]): Html {
  if (errors.length === 0) return html``;
  return html`<div class="field-error" id="${id}-error">${errors.map(
    (error) => html`<p><span class="visually-hidden">${ui.t('ui.field.error')}</span> ${error}</p>`,
  )}</div>`;
}

/** What was typed into the field of a refused form; null for a new form, no value for an empty one. */
const typedValues = (refused: RefusedForm | null, name: string): readonly string[] | null =>
  refused === null ? null : (refused.values.get(name) ?? []);

const title = (ui: Ui, { label, isRequired, isRequiredByOthers }: Common): Html =>
  html`${label}${isRequired !== true && isRequiredByOthers !== true && html` <span class="field-optional">${ui.t('ui.field.optional')}</span>`}`;

function fieldControl(ui: Ui, field: LineField | TextField | SelectField, control: Control): Html {
  if (field.kind === 'textarea') return textArea(ui, field, control);
  if (field.kind === 'select') return select(field, control);
  return input(ui, field, control);
}

const required = ({ isRequired }: Common) => isRequired === true && html` required`;
const longest = (maxLength: number | undefined) => maxLength !== undefined && html` maxlength="${maxLength}"`;

function input(ui: Ui, field: LineField, { id, typed, attributes }: Control): Html {
  const value = typed === null ? (field.value ?? '') : (typed[0] ?? '');
  const { kind, name, autocomplete = 'off', language, min, max } = field;
  const direction = kind === 'url' || kind === 'email' ? 'ltr' : field.direction;
  return html`<input type="${kind}" id="${id}" name="${name}" value="${value}" autocomplete="${autocomplete}"${required(field)}${longest(field.maxLength)}${
    min !== undefined && html` min="${min}"`
  }${max !== undefined && html` max="${max}"`}${
    direction !== undefined ? html` dir="${direction}"` : language !== undefined && languageAttributes(ui, language)
  }${attributes}>`;
}

function textArea(ui: Ui, field: TextField, { id, typed, attributes }: Control): Html {
  const value = typed === null ? (field.value ?? '') : (typed[0] ?? '');
  // Browsers drop the first line break of the content.
  return html`<textarea id="${id}" name="${field.name}" rows="${field.rows ?? 6}"${required(field)}${longest(field.maxLength)}${
    field.language !== undefined && languageAttributes(ui, field.language)
  }${attributes}>
${value}</textarea>`;
}

function select(field: SelectField, { id, typed, attributes }: Control): Html {
  const chosen = typed === null ? (field.value ?? '') : (typed[0] ?? '');
  return html`<select id="${id}" name="${field.name}"${required(field)}${attributes}>
${field.options.map(({ value, text }) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}</select>`;
}

function radios(field: RadioField, { id, typed }: Control): Html {
  const chosen = typed === null ? (field.value ?? null) : (typed[0] ?? null);
  return html`${field.options.map((option, index) =>
    choice(
      `${id}-${index}`,
      option,
      html`type="radio" name="${field.name}"${required(field)}${option.value === chosen && html` checked`}`,
    ),
  )}`;
}

function checkboxes(field: BoxesField, { id, typed }: Control): Html {
  const chosen = typed ?? field.values ?? [];
  return html`${field.options.map((option, index) =>
    choice(
      `${id}-${index}`,
      option,
      html`type="checkbox" name="${field.name}"${chosen.includes(option.value) && html` checked`}`,
    ),
  )}`;
}

const choice = (id: string, { value, text, hint }: Option, attributes: Html): Html =>
  html`<div class="choice"><input id="${id}" value="${value}" ${attributes}${hint !== undefined && html` aria-describedby="${id}-hint"`}><label for="${id}">${text}</label>${
    hint !== undefined && html`<div class="field-hint" id="${id}-hint">${hint}</div>`
  }</div>
`;

function checkbox(field: BoxField, { id, typed, attributes }: Control): Html {
  // Browsers do not send a locked one.
  const isChecked = typed === null || field.isLocked === true ? field.isChecked === true : typed.length > 0;
  return html`<div class="choice"><input type="checkbox" id="${id}" name="${field.name}" value="${field.value ?? 'true'}"${required(field)}${
    isChecked && html` checked`
  }${field.isLocked === true && html` disabled`}${attributes}><label for="${id}">${field.label}</label></div>`;
}
