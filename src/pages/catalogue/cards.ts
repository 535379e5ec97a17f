import type { CardFieldsFragment } from '../../generated/operations/graphql.ts';
import { addonCard } from '../components/addon-card.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** The words that are shown with an add-on where they matter for the choice. */
export const badgesOf = (
  ui: Ui,
  addon: Pick<CardFieldsFragment, 'isFeatured' | 'isExperimental' | 'requiresPayment'>,
) => [
  ...(addon.isFeatured ? [{ text: ui.t('catalogue.featured'), kind: 'ok' as const }] : []),
  ...(addon.isExperimental ? [{ text: ui.t('catalogue.experimental'), kind: 'warning' as const }] : []),
  ...(addon.requiresPayment ? [{ text: ui.t('catalogue.payment'), kind: 'plain' as const }] : []),
];

/** Cards of add-ons, for a shelf or a list. */
export const cardsOf = (ui: Ui, addons: readonly CardFieldsFragment[], level: 2 | 3 = 3): Html[] =>
  addons.map((addon) => addonCard(ui, { addon, level, badges: badgesOf(ui, addon) }));

/** Cards of a shelf of featured add-ons, which need not say that they are. */
export const featuredCards = (ui: Ui, addons: readonly CardFieldsFragment[]): Html[] =>
  cardsOf(
    ui,
    addons.map((addon) => ({ ...addon, isFeatured: false })),
  );

/** The add-ons of search results. */
export const addonsOf = <Addon>({ results }: { results: readonly { addon: Addon }[] }): Addon[] =>
  results.map(({ addon }) => addon);
