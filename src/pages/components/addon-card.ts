import { html } from 'hono/html';
import { type Html, joined } from '../html.ts';
import type { Ui } from '../ui.ts';
import { type BadgeKind, badge } from './badge.ts';
import { icon } from './icon.ts';
import { type LocalText, localText } from './local-text.ts';
import { picture } from './picture.ts';
import { rating } from './rating.ts';

/** What a card shows of an add-on; fields of the GraphQL type. */
interface CardAddon {
  url: string;
  icons: readonly { size: number; url: string }[];
  name: LocalText | null;
  slug: string | null;
  summary: LocalText | null;
  averageDailyUsers: number;
  ratings: { average: number; count: number };
  authors: readonly { name: string }[];
  /** Of a persona. */
  themeData?: { previewUrl: string | null } | null;
  type?: string;
  previews?: readonly { thumbnailUrl: string; thumbnailSize: { width: number; height: number } }[];
}

interface CardBadge {
  text: Html | string;
  kind?: BadgeKind;
}

interface Card {
  addon: CardAddon;
  /** Level of the heading. */
  level?: 2 | 3;
  badges?: readonly CardBadge[];
  /** Links or a form below the facts. */
  actions?: Html;
}

interface CardPicture {
  url: string;
  width: number;
  height: number;
}

/** What a theme looks like; null for other add-ons, and for themes without a picture. */
function themePicture({ type, themeData, previews = [] }: CardAddon): CardPicture | null {
  if (themeData?.previewUrl) return { url: themeData.previewUrl, width: 680, height: 100 };
  const [preview] = type === 'STATICTHEME' || type === 'THEME' ? previews : [];
  return preview === undefined ? null : { url: preview.thumbnailUrl, ...preview.thumbnailSize };
}

/** An add-on in a list: icon, name, authors, summary, users and rating. A click anywhere on it opens its page. */
export function addonCard(ui: Ui, { addon, level = 3, badges = [], actions }: Card): Html {
  const preview = themePicture(addon);
  const name = html`<a href="${addon.url}">${addon.name?.value == null ? addon.slug : localText(ui, addon.name)}</a>`;
  const authors = addon.authors.map((author) => author.name);
  return html`<article class="${preview === null ? 'addon-card' : 'addon-card with-picture'}">
${
  preview === null
    ? picture(ui, { url: addon.icons.at(-1)?.url ?? '', width: 48, height: 48, alt: '', class: 'addon-card-icon' })
    : picture(ui, { ...preview, alt: '', class: 'addon-card-picture' })
}
<div class="addon-card-body">
${level === 2 ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
${authors.length > 0 && html`<p class="addon-card-authors">${joined(authors.map((each) => html`<bdi>${each}</bdi>`))}</p>`}
${addon.summary?.value != null && html`<p class="addon-card-summary">${localText(ui, addon.summary)}</p>`}
<div class="addon-card-facts">
${rating(ui, addon.ratings)}
<span>${icon(ui, 'users')}${ui.t('ui.users', { count: addon.averageDailyUsers })}</span>
${badges.map((each) => badge(ui, each))}
</div>
${actions !== undefined && html`<div class="addon-card-actions cluster">${actions}</div>`}
</div>
</article>`;
}

interface Shelf {
  /** Of the heading; unique in the page. */
  id: string;
  title: Html | string;
  /** Below the title. */
  hint?: Html | string;
  cards: readonly Html[];
  /** The link to all of them. Its text should name the subject, as screen readers list links without their place. */
  more?: { href: string; text: Html | string };
}

/** A row of cards with a title; nothing without cards. */
export function addonShelf(ui: Ui, { id, title, hint, cards, more }: Shelf): Html {
  if (cards.length === 0) return html``;
  return html`<section class="shelf" aria-labelledby="${id}">
<div class="shelf-head">
<h2 id="${id}">${title}</h2>
${more !== undefined && html`<a href="${more.href}">${more.text}${icon(ui, 'next')}</a>`}
</div>
${hint !== undefined && html`<p class="muted">${hint}</p>`}
<ul class="${cards.length === 4 ? 'cards four' : 'cards'}">
${cards.map((card) => html`<li>${card}</li>`)}</ul>
</section>`;
}
