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
}

/** A box with a state: why, and what comes next. */
export function notice(ui: Ui, { kind, title, text, actions, isResult }: Notice): Html {
  return html`<div class="notice ${kind}"${isResult === true && html` role="${kind === 'error' ? 'alert' : 'status'}"`}>
${icon(ui, ICONS[kind])}
<div class="notice-body">
${title !== undefined && html`<p class="notice-title">${title}</p>`}
${text !== undefined && html`<div>${text}</div>`}
${actions !== undefined && html`<div class="cluster">${actions}</div>`}
</div>
</div>`;
}
