import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { type IconName, icon } from './icon.ts';

type NoticeKind = 'info' | 'ok' | 'warning' | 'error';

const ICONS: Readonly<Record<NoticeKind, IconName>> = { info: 'info', ok: 'check', warning: 'warning', error: 'error' };

interface Notice {
  kind: NoticeKind;
  title?: Html | string;
  text?: Html | string;
  /** Links or a form, below the text. */
  actions?: Html;
  /** Whether screen readers read it when the page opens: results of a form. */
  isResult?: boolean;
  id?: string;
}

/**
 * The id of what a form led to: the message that it was done, or why it was refused. Forms are sent to it, because a browser keeps the
 * fragment of that address through redirects without one (the Fetch standard), and would otherwise keep the one of the page.
 */
export const RESULT_ID = 'result';

/** A box with a state: why, and what comes next. */
export function notice(ui: Ui, { kind, title, text, actions, isResult, id }: Notice): Html {
  return html`<div class="notice ${kind}"${id !== undefined && html` id="${id}"`}${isResult === true && html` role="${kind === 'error' ? 'alert' : 'status'}"`}>
${icon(ui, ICONS[kind])}
<div class="notice-body">
${title !== undefined && html`<p class="notice-title">${title}</p>`}
${text !== undefined && html`<div>${text}</div>`}
${actions !== undefined && html`<div class="cluster">${actions}</div>`}
</div>
</div>`;
}
