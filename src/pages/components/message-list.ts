import { html } from 'hono/html';
import type { Message } from '../../texts/messages.ts';
import type { Html } from '../html.ts';
import { messageHtml } from '../messages.ts';
import { isTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { badge } from './badge.ts';
import { type CodeLine, codeTable } from './code-table.ts';
import { revealInvisible } from './file-name.ts';

export interface ListedMessage {
  kind: 'error' | 'warning' | 'notice';
  /** One sentence: in English of the linter, or of the service. */
  text: Message | string;
  description: Message | string;
  /** Identifier of the violated rule. */
  code: string;
  file: string | null;
  line: number | null;
  column: number | null;
  /** Lines of the file around the place; null where the viewer may not read it. */
  source?: readonly CodeLine[] | null;
}

/** The validator's own messages exist in English only. */
const titleOf = (ui: Ui, { text }: ListedMessage): Html =>
  typeof text === 'string'
    ? html`<span lang="en" dir="ltr">${text}</span>`
    : html`<span>${messageHtml(ui, text)}</span>`;

const descriptionOf = (ui: Ui, { description }: ListedMessage): Html =>
  typeof description === 'string'
    ? html`<p class="message-description" lang="en" dir="ltr">${description}</p>`
    : html`<p class="message-description">${messageHtml(ui, description)}</p>`;

/** Messages of the validator, with the place that each is about. */
export function messageList(ui: Ui, messages: readonly ListedMessage[]): Html {
  const kinds = {
    error: badge(ui, { kind: 'error', icon: 'error', text: ui.t('ui.message.error') }),
    warning: badge(ui, { kind: 'warning', icon: 'warning', text: ui.t('ui.message.warning') }),
    notice: badge(ui, { kind: 'plain', icon: 'info', text: ui.t('ui.message.notice') }),
  };
  return html`<ol class="message-list">
${messages.map(
  (message) => html`<li>
<p class="message-title">${kinds[message.kind]} ${titleOf(ui, message)}</p>
<p class="message-place">${place(ui, message)}${ruleName(ui, message.code)}</p>
${message.description !== '' && descriptionOf(ui, message)}
${
  message.source != null &&
  html`${codeTable(ui, { id: null, label: ui.t('ui.message.source', { file: message.file ?? '' }), lines: message.source })}`
}
</li>
`,
)}</ol>`;
}

/** A rule: those of the service have names, those of the linter are known by their identifiers. */
export function ruleName({ t }: Ui, code: string): Html {
  const key = `validation.rule.${code}`;
  return isTextKey(key) ? html`<span>${t(key)}</span>` : html`<bdi dir="ltr"><code>${code}</code></bdi>`;
}

function place(ui: Ui, { file, line, column }: ListedMessage): Html {
  if (file === null) return html``;
  const name = html`<bdi dir="ltr"><code>${revealInvisible(file)}</code></bdi>`;
  if (line === null) return html`<span>${name}</span>`;
  if (column === null) return html`<span>${ui.t('ui.message.line', { file: name, line })}</span>`;
  return html`<span>${ui.t('ui.message.column', { file: name, line, column })}</span>`;
}
