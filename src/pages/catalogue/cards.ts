import { html } from 'hono/html';
import type { CardFieldsFragment } from '../../generated/operations/graphql.ts';
import { addonCard } from '../components/addon-card.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** The words that are shown with an add-on where they matter for the choice. */
export const badgesOf = (
  ui: Ui,
  addon: Pick<CardFieldsFragment, 'isFeatured' | 'isExperimental' | 'requiresPayment'> & { isInstallable?: boolean },
) => [
  ...(addon.isInstallable === false ? [{ text: ui.t('catalogue.not-installable'), kind: 'plain' as const }] : []),
  ...(addon.isFeatured ? [{ text: ui.t('catalogue.featured'), kind: 'ok' as const }] : []),
  ...(addon.isExperimental ? [{ text: ui.t('catalogue.experimental'), kind: 'warning' as const }] : []),
  ...(addon.requiresPayment ? [{ text: ui.t('catalogue.payment'), kind: 'plain' as const }] : []),
];

interface Cards {
  /** Level of the headings. */
  level?: 2 | 3;
  /** What the visitor searched for. Pages of add-ons that cannot be installed lead back to others with it. */
  q?: string | null;
}

/** Cards of add-ons, for a shelf or a list. */
export const cardsOf = (ui: Ui, addons: readonly CardFieldsFragment[], { level = 3, q = null }: Cards = {}): Html[] =>
  addons.map((addon) => {
    const url = q === null || addon.isInstallable ? addon.url : `${addon.url}?${new URLSearchParams({ q })}`;
    return addonCard(ui, { addon: { ...addon, url }, level, badges: badgesOf(ui, addon) });
  });

/** Cards of add-ons in a grid. */
export const cardGrid = (ui: Ui, addons: readonly CardFieldsFragment[], options?: Cards): Html =>
  html`<ul class="cards">${cardsOf(ui, addons, options).map((card) => html`<li>${card}</li>`)}</ul>`;

/** Cards of a shelf of featured add-ons, which need not say that they are. */
export const featuredCards = (ui: Ui, addons: readonly CardFieldsFragment[]): Html[] =>
  cardsOf(
    ui,
    addons.map((addon) => ({ ...addon, isFeatured: false })),
  );
