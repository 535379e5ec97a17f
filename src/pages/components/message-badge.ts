import { html } from 'hono/html';
import { type Html, joined } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Messages of the validator about a file or a folder. */
export interface MessageSums {
  errors: number;
  warnings: number;
  notices: number;
  /** How many of them the version before it does not have; null where that is not known, absent where there is nothing to compare. */
  added?: number | null;
}

const sumOf = (one: number | null | undefined, other: number | null | undefined): number | null =>
  one == null || other == null ? null : one + other;

/** The sums of both; null for nothing. */
export function addedSums(one: MessageSums | null, other: MessageSums | null): MessageSums | null {
  if (one === null || other === null) return one ?? other;
  return {
    errors: one.errors + other.errors,
    warnings: one.warnings + other.warnings,
    notices: one.notices + other.notices,
    ...(one.added === undefined ? {} : { added: sumOf(one.added, other.added) }),
  };
}

/** The numbers of messages by severity, as in “2 errors, 1 warning”; of none, those of all severities. */
export function severityNumbers({ t }: Ui, { errors, warnings, notices }: MessageSums): Html {
  const all = [
    { count: errors, text: t('validation.errors', { count: errors }) },
    { count: warnings, text: t('validation.warnings', { count: warnings }) },
    { count: notices, text: t('validation.notices', { count: notices }) },
  ];
  const found = all.filter(({ count }) => count > 0);
  return joined((found.length > 0 ? found : all).map(({ text }) => text));
}

/** The numbers as a badge, which leads to `href`. It does not look like a warning where the messages may be old. */
export function messageBadge(ui: Ui, sums: MessageSums, href: string | null): Html {
  const numbers = severityNumbers(ui, sums);
  const text = badgeText(ui, sums, numbers);
  const kind = sums.added === null || sums.added === 0 ? 'plain' : kindOf(sums);
  return href === null
    ? html`<span class="badge ${kind}">${text}</span>`
    : html`<a class="badge ${kind}" href="${href}">${text}</a>`;
}

function badgeText(ui: Ui, { added }: MessageSums, messages: Html): Html {
  if (added === undefined) return messages;
  return added === null ? ui.t('code.messages.whole-file', { messages }) : withAdded(ui, messages, added);
}

/** Numbers of messages, and how many of them are new. */
export const withAdded = ({ t }: Ui, messages: Html, added: number): Html =>
  added === 0 ? t('code.messages.none-new', { messages }) : t('code.messages.new', { messages, added });

function kindOf({ errors, warnings }: MessageSums): 'error' | 'warning' | 'plain' {
  if (errors > 0) return 'error';
  return warnings > 0 ? 'warning' : 'plain';
}
