import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

interface FindField {
  name: string;
  label: Html | string;
  kind?: 'text' | 'date';
  /** For identifiers, which are written from left to right in every language; by default that of the typed text. */
  direction?: 'ltr';
}

interface FindForm {
  /** Prefix of ids; unique in the page. */
  id: string;
  /** The path of the list. */
  action: string;
  /** The query of the page, with the present values. */
  search: URLSearchParams;
  fields: readonly FindField[];
  /** Other parameters of the list that stay. */
  kept?: readonly string[];
  submit: Html | string;
}

/** The form that selects entries of a list by what is typed. It changes the address of the page alone. */
export function findForm(_ui: Ui, { id, action, search, fields, kept = [], submit }: FindForm): Html {
  const hidden = kept.flatMap((name) => {
    const value = search.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
  });
  return html`<form class="form inline cluster" action="${action}" role="search" aria-label="${submit}">
${hidden}${fields.map(
  ({
    name,
    label,
    kind = 'text',
    direction,
  }) => html`<div class="form-field"><label for="${id}-${name}">${label}</label>
<input type="${kind}" id="${id}-${name}" name="${name}" value="${search.get(name) ?? ''}"${kind === 'text' && html` dir="${direction ?? 'auto'}"${direction === 'ltr' && html` spellcheck="false"`} maxlength="255"`} autocomplete="off"></div>
`,
)}<button class="button">${submit}</button>
</form>`;
}
