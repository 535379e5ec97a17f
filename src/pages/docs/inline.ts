import { html } from 'hono/html';
import type { Html } from '../html.ts';

/** A line of text with `code` between backquotes. Links to files of the repository become their text. */
export function inline(text: string): Html {
  const parts = text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
