import { html } from 'hono/html';
import { code, type Html } from '../html.ts';
import { isTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

/** What a rule of a group allows, in words. Each rule that the service checks has a text. */
function ruleText({ t }: Ui, rule: string): Html {
  const key = `admin.rule.${rule.replace(':', '.')}`;
  if (isTextKey(key)) return t(key);
  const [kind = '', action = ''] = rule.split(':');
  if (action === '*') return kind === '*' ? t('admin.rule.all') : t('admin.rule.kind', { kind: code(kind) });
  return t('admin.rule.other');
}

/** Rules with what they allow, one on each line. */
export const ruleList = (ui: Ui, rules: readonly string[]): Html =>
  html`<ul class="plain-list">${rules.map((rule) => html`<li>${ruleText(ui, rule)} ${code(rule)}</li>`)}</ul>`;
