import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

export interface Fact {
  term: Html | string;
  /** Null leaves the fact out. */
  value: Html | string | null;
}

/** Terms with their values. `isNarrow` puts values below their terms, for the side column. */
export function facts(_ui: Ui, { items, isNarrow = false }: { items: readonly Fact[]; isNarrow?: boolean }): Html {
  return html`<dl class="${isNarrow ? 'facts narrow' : 'facts'}">
${items
  .filter(({ value }) => value !== null)
  .map(({ term, value }) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}
