import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

interface FindField {
  name: string;
  label: Html | string;
  kind?: 'text' | 'date';
  /** For identifiers, which are written from left to right in every language; by default that of the typed text. */
  direction?: 'ltr';
  /** What is searched for, below the field. */
  hint?: Html | string;
  /** Whether long values, such as addresses, should be visible as a whole. */
  isWide?: boolean;
  /** The choices of a list. */
  options?: readonly { value: string; text: Html | string }[];
}

interface FindForm {
  /** Prefix of ids; unique in the page. */
  id: string;
  /** The path of the list. */
  action: string;
  /** The query of the page, with the present values. Of a repeated field, the last value counts, as in the list. */
  search: URLSearchParams;
  fields: readonly FindField[];
  /** Further fields, folded unless one has a value. */
  more?: readonly FindField[];
  /** Other parameters of the list that stay, with all values of repeated ones. */
  kept?: readonly string[];
  submit: Html | string;
}

/** The form that selects entries of a list by what is typed. It changes the address of the page alone. */
export function findForm(ui: Ui, { id, action, search, fields, more = [], kept = [], submit }: FindForm): Html {
  const hidden = kept.flatMap((name) =>
    search.getAll(name).map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );
  const shown = (each: FindField) => findField(id, each, search.getAll(each.name).at(-1) ?? '');
  const isOpen = more.some(({ name }) => (search.getAll(name).at(-1) ?? '') !== '');
  return html`<form class="form inline cluster" action="${action}" role="search" aria-label="${submit}">
${hidden}${fields.map(shown)}<button class="button">${submit}</button>
${
  more.length > 0 &&
  html`<details class="more-fields"${isOpen && html` open`}><summary>${ui.t('ui.more-filters')}</summary>
<div class="cluster">${more.map(shown)}</div>
</details>
`
}</form>`;
}

function findField(id: string, field: FindField, value: string): Html {
  const { name, label, kind = 'text', direction, options, hint, isWide } = field;
  const described = hint === undefined ? html`` : html` aria-describedby="${id}-${name}-hint"`;
  const text = html` dir="${direction ?? 'auto'}"${direction === 'ltr' && html` spellcheck="false"`} maxlength="255"`;
  const input =
    options === undefined
      ? html`<input type="${kind}" id="${id}-${name}" name="${name}" value="${value}"${kind === 'text' && text} autocomplete="off"${described}>`
      : html`<select id="${id}-${name}" name="${name}"${described}>${options.map((each) => html`<option value="${each.value}"${each.value === value && html` selected`}>${each.text}</option>`)}</select>`;
  return html`<div class="form-field${isWide === true && ' wide'}"><label for="${id}-${name}">${label}</label>
${
  hint !== undefined &&
  html`<p class="field-hint" id="${id}-${name}-hint">${hint}</p>
`
}${input}</div>
`;
}
