import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { type IconName, icon } from './icon.ts';

export interface ThreadEntry {
  /** Anchor; unique in the page. */
  id: string;
  /** What happened. */
  title: Html | string;
  /** ISO 8601. */
  time: string;
  /** What people wrote, as plain text; null without a text. */
  text: Html | string | null;
  /** Below the text, such as comments on lines. */
  below?: Html;
  icon?: IconName;
  /** Colours the mark. */
  kind?: 'plain' | 'ok' | 'warning' | 'error';
}

/** Decisions, questions and replies, in the given order. */
export function thread(ui: Ui, entries: readonly ThreadEntry[]): Html {
  return html`<ol class="thread">
${entries.map(
  ({ id, title, time, text, below, icon: name = 'mail', kind = 'plain' }) => html`<li id="${id}">
<span class="thread-mark ${kind}">${icon(ui, name)}</span>
<div>
<p class="thread-title">${title} <a class="muted" href="#${id}"><time datetime="${time}">${ui.format.dateTime(time)}</time></a></p>
${text !== null && text !== '' && html`<p class="thread-text" dir="auto">${text}</p>`}
${below}
</div>
</li>
`,
)}</ol>`;
}
