import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { type IconName, icon } from './icon.ts';
import { moment } from './time.ts';

type StageState = 'done' | 'current' | 'next' | 'failed';

interface Stage {
  text: Html | string;
  state: StageState;
  detail?: Html | string;
  /** When it was reached, ISO 8601. */
  time?: string | null;
}

const ICONS: Readonly<Record<StageState, IconName>> = {
  done: 'check',
  current: 'clock',
  next: 'clock',
  failed: 'close',
};

/** The steps of a process with the present one marked. */
export function stageList(ui: Ui, stages: readonly Stage[]): Html {
  const states: Readonly<Record<StageState, Html>> = {
    done: ui.t('ui.stage.done'),
    current: ui.t('ui.stage.current'),
    next: ui.t('ui.stage.next'),
    failed: ui.t('ui.stage.failed'),
  };
  return html`<ol class="stage-list">
${stages.map(
  ({ text, state, detail, time }) => html`<li class="${state}"${state === 'current' && html` aria-current="step"`}>
<span class="stage-mark">${state !== 'next' && icon(ui, ICONS[state])}</span>
<div><p class="stage-title">${text} <span class="visually-hidden">${states[state]}</span></p>
${time != null && html`<p class="muted">${moment(ui, time)}</p>`}
${detail !== undefined && html`<div>${detail}</div>`}</div>
</li>
`,
)}</ol>`;
}
