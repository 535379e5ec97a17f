import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

/** The keys of `assets/keys.js`, with the names of their texts: two keys are alternatives, or pressed one after the other. */
const KEYS = [
  [['j', 'or', 'k'], 'file'],
  [['n', 'or', 'p'], 'change'],
  [['m', 'or', 'M'], 'message'],
  [['t'], 'tree'],
  [['d'], 'decision'],
  [['c'], 'comment'],
  [['g', 'then', 'q'], 'queue'],
  [['g', 'then', 'n'], 'next'],
  [['?'], 'list'],
] as const;

/** Whether the keys work in the pages of the viewer. Reviewers switch them off in the preferences at the end of the page. */
export const hasKeys = ({ hasShortcuts, viewer }: Ui): boolean => hasShortcuts && viewer?.opensQueue === true;

interface Moves {
  /** Id of the version that the next entry of the queue follows. */
  after?: number;
  /** The page about the version whose code is shown. */
  review?: { href: string; version: string; isDecidable: boolean };
}

/** For those who open the queue, the links that keys follow, and the button that opens the list of keys. */
export function shortcuts(ui: Ui, { after, review }: Moves): Html {
  const { t, viewer } = ui;
  if (viewer?.opensQueue !== true) return html``;
  return html`<nav class="shortcut-links" aria-label="${t('review.moves')}"><ul>
${review?.isDecidable && html`<li><a class="button primary" href="${review.href}#decision" data-key="d">${t('review.decide')}</a></li>`}
${review && html`<li><a href="${review.href}">${t('review.back', { version: html`<bdi dir="ltr">${review.version}</bdi>` })}</a></li>`}
<li><a href="/reviewers/next/${after !== undefined && `?after=${after}`}" data-key="g n">${t('review.next')}</a></li>
${shortcutButton(ui)}</ul></nav>`;
}

/** On the queue itself, the next version is the main action. */
export const nextLink = ({ t }: Ui): Html =>
  html`<a class="button primary" href="/reviewers/next/" data-key="g n">${t('review.next')}</a>`;

/** The button that opens the list of keys, in a list of links. */
export const shortcutButton = (ui: Ui): Html =>
  hasKeys(ui)
    ? html`<li><button type="button" class="link-button" data-shortcuts hidden>${ui.t('review.keys')}</button></li>`
    : html``;

/** The keys and what they do. */
export const shortcutKeys = (ui: Ui): Html =>
  html`<dl class="facts">${KEYS.map(
    ([keys, name]) =>
      html`<div><dt>${pressed(ui, keys)}</dt><dd>${ui.t(`review.keys.${name}` as PageTextKey)}</dd></div>`,
  )}</dl>`;

function pressed({ t }: Ui, [first, how, second]: (typeof KEYS)[number][0]): Html {
  const key = (name: string) => html`<kbd>${name}</kbd>`;
  return how === undefined ? key(first) : t(`review.keys.${how}`, { first: key(first), second: key(second) });
}

/** The list of keys in a dialog. */
export const shortcutList = (ui: Ui): Html =>
  html`<dialog class="shortcuts" aria-labelledby="shortcuts-title"><h2 id="shortcuts-title">${ui.t('review.keys')}</h2>
${shortcutKeys(ui)}
<p>${ui.t('review.keys.off')}</p>
<form method="dialog"><button class="button">${ui.t('review.keys.close')}</button></form></dialog>`;
