/* What is typed into the find forms of moderators: what it names, or may mean. */
import { html } from 'hono/html';
import type {
  ChosenAccountFragment,
  ChosenAddonFragment,
  LinkedAccountFragment,
  LinkedAddonFragment,
} from '../../generated/operations/graphql.ts';
import { addonNameHtml } from '../catalogue/addon-head.ts';
import { type Html, joined } from '../html.ts';
import type { Ui } from '../ui.ts';

/** What the find form of reports looks for, as parameters of the list. */
export const FINDERS = ['addon', 'user', 'sender'] as const;
export type Finder = (typeof FINDERS)[number];

/** What a field of the form names. */
export interface FoundName {
  /** For a chip; null where the text names nothing alone. */
  name: Html | string | null;
  /** Why nothing is listed, with links to what may be meant; null where the text names something. */
  problem: Html | null;
}

type LinkTo = (reference: string) => string;

interface Choice {
  finder: Finder;
  text: string;
  options: readonly Html[];
  similar: readonly Html[];
}

function problemOf({ t }: Ui, { finder, text, options, similar }: Choice): Html {
  const typed = { text: html`<bdi>${text}</bdi>` };
  if (options.length > 0) return t('moderation.find.several', { ...typed, names: joined(options) });
  const meant = similar.length > 0 && html` ${t('admin.audit.similar', { addons: joined(similar) })}`;
  return html`${t(`moderation.find.none-${finder}`, typed)}${meant}`;
}

/** The add-on that a text names, by its name where the viewer sees it. `linkTo` is the list with another text. */
export function foundAddon(ui: Ui, typed: string, chosen: ChosenAddonFragment, linkTo: LinkTo): FoundName {
  const { isKnown, addon, options, similar } = chosen;
  const text = html`<bdi dir="auto">${typed}</bdi>`;
  if (isKnown) return { name: addon === null ? text : addonNameHtml(ui, addon), problem: null };
  const link = (each: LinkedAddonFragment) => {
    const reference = each.slug ?? String(each.databaseId);
    return html`<a href="${linkTo(reference)}">${addonNameHtml(ui, each)}</a> (<bdi dir="ltr">${reference}</bdi>)`;
  };
  const choice = { finder: 'addon', text: typed, options: options.map(link), similar: similar.map(link) } as const;
  return { name: null, problem: problemOf(ui, choice) };
}

/** The account that a text names as the reported one or the sender. */
export function foundAccount(
  ui: Ui,
  finder: 'user' | 'sender',
  typed: string,
  chosen: ChosenAccountFragment,
  linkTo: LinkTo,
): FoundName {
  const { account, options, similar } = chosen;
  if (account !== null) {
    const name = html`<bdi>${account.name}</bdi>`;
    return { name: html`${ui.t(`moderation.find.${finder}`)}: ${name}`, problem: null };
  }
  const link = ({ databaseId, name, username }: LinkedAccountFragment) =>
    html`<a href="${linkTo(String(databaseId))}"><bdi>${name}</bdi></a>${name !== username && html` (<bdi dir="ltr">${username}</bdi>)`}`;
  const choice = { finder, text: typed, options: options.map(link), similar: similar.map(link) };
  return { name: null, problem: problemOf(ui, choice) };
}
