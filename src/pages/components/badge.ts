import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { type IconName, icon } from './icon.ts';

/** `plain` is neutral, `info` has the accent colour. */
export type BadgeKind = 'plain' | 'info' | 'ok' | 'warning' | 'error';

interface Badge {
  text: Html | string;
  kind?: BadgeKind;
  icon?: IconName;
}

/** A short word on a tinted surface: a state, a type, a property. */
export function badge(ui: Ui, { text, kind = 'plain', icon: name }: Badge): Html {
  return html`<span class="badge ${kind}">${name !== undefined && icon(ui, name)}${text}</span>`;
}
