/* Header, footer and colours of a persona. */
import { html } from 'hono/html';
import type { HubMediaQuery } from '../../generated/operations/graphql.ts';
import { buttonForm, type FormPart, formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { picture } from '../components/picture.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { pictureField } from './listing-fields.ts';

type Addon = NonNullable<HubMediaQuery['addon']>;

/** The fields of both colours, with the contrast between them. */
export const colourFields = (ui: Ui, accent: string | null, text: string | null): FormPart[] => {
  const field = (name: 'accentColor' | 'textColor', value: string | null): FormField => ({
    kind: 'text',
    name,
    label: ui.t(name === 'accentColor' ? 'hub.theme.accent' : 'hub.theme.text'),
    hint: ui.t('hub.theme.colour-hint'),
    value,
    maxLength: 7,
    direction: 'ltr',
  });
  return [field('accentColor', accent), field('textColor', text)];
};

/** How well text in one colour is read on the other; nothing unless both are given. */
export function contrastText(ui: Ui, accent: string | null, text: string | null): Html {
  const ratio = contrastOf(accent, text);
  if (ratio === null) return html`<p class="muted">${ui.t('hub.theme.contrast-unknown')}</p>`;
  const shown = ui.format.number(ratio, { maximumFractionDigits: 1 });
  const key = ratio >= 4.5 ? 'hub.theme.contrast-good' : 'hub.theme.contrast-poor';
  return html`<p>${ui.t(key, { ratio: shown })}</p>`;
}

/** The pictures and colours of a persona, and the form that changes them. */
export function personaSection(ui: Ui, addon: Addon): Html {
  const { t } = ui;
  const { accentColor = null, textColor = null, headerUrl = null, footerUrl = null } = addon.themeData ?? {};
  const shown = (url: string | null, height: number, alt: Html) =>
    url && html`<p>${picture(ui, { url, width: 3000, height, alt, class: 'hub-header' })}</p>`;
  return html`<h2>${t('hub.theme.header')}</h2>
${shown(headerUrl, 200, t('hub.theme.header'))}
${formElement(ui, { name: 'hub-persona-header', hidden: { id: addon.id }, parts: [pictureField(ui, t('hub.theme.header-hint'))], submit: t('hub.theme.header-save') })}
<h2>${t('hub.theme.footer')}</h2>
${shown(footerUrl, 100, t('hub.theme.footer'))}
${formElement(ui, { name: 'hub-persona-footer', hidden: { id: addon.id }, parts: [pictureField(ui, t('hub.theme.footer-hint'))], submit: t('hub.theme.footer-save') })}
${footerUrl && buttonForm(ui, { name: 'hub-persona-footer-remove', hidden: { id: addon.id }, button: t('hub.theme.footer-remove') })}
<h2>${t('hub.theme.colours')}</h2>
${contrastText(ui, accentColor, textColor)}
${formElement(ui, { name: 'hub-persona-colours', hidden: { id: addon.id }, expected: { accentColor, textColor }, parts: colourFields(ui, accentColor, textColor), submit: t('ui.save') })}`;
}

/* Contrast of two colours (WCAG 2.2, relative luminance and contrast ratio). */

/** The channels of `#rgb` or `#rrggbb`, each from 0 to 1; null for other texts. */
function channelsOf(colour: string | null): number[] | null {
  const [, digits] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour ?? '') ?? [];
  if (digits === undefined) return null;
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((start) => Number.parseInt(long.slice(start, start + 2), 16) / 255);
}

function luminance(channels: readonly number[]): number {
  const linear = channels.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const [red = 0, green = 0, blue = 0] = linear;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours, from 1 to 21; null unless both are colours. */
function contrastOf(one: string | null, other: string | null): number | null {
  const [first, second] = [channelsOf(one), channelsOf(other)];
  if (first === null || second === null) return null;
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
