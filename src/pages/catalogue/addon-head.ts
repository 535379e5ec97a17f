/* What all pages about one add-on have in common: their addresses and the way back to the add-on. */
import type { AddonPageQuery } from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { segmentParam } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { type LocalText, localText } from '../components/local-text.ts';
import type { Html } from '../html.ts';
import { type PageRedirect, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';

/** The fragment `AddonHead`. */
export interface HeadAddon {
  databaseId: number;
  /** Null for a deleted add-on. */
  slug: string | null;
  name: LocalText | null;
}

/** The variable that names the add-on of the path. */
export const addonOfPath = ({ path }: { path: { ref: string } }) => ({ by: addonReference(path.ref) });

/** What the pages of an add-on declare alike. */
export const ADDON_PAGE = {
  visitor: 'all',
  hidesRefusals: true,
  params: { ref: segmentParam('Slug, guid or id of the add-on.') },
  variables: addonOfPath,
} as const;

/** The add-on of its own page. */
export type ShownAddon = NonNullable<AddonPageQuery['addon']>;

const refOf = ({ slug, databaseId }: Pick<HeadAddon, 'slug' | 'databaseId'>): string => slug ?? String(databaseId);

/** The path of a page of an add-on, such as `statistics/`; without `page` that of the add-on itself. */
export const addonPath = (addon: Pick<HeadAddon, 'slug' | 'databaseId'>, page = ''): string =>
  `/addon/${encodeURIComponent(refOf(addon))}/${page}`;

/** The path of the page for reviewers about the newest version that waits. */
export const reviewPath = (addon: Pick<HeadAddon, 'slug' | 'databaseId'>): string =>
  `/reviewers/review/${encodeURIComponent(refOf(addon))}/`;

/** The name of an add-on as plain text. */
export const addonName = (addon: HeadAddon): string => addon.name?.value ?? refOf(addon);

/** The name with its language. */
export const addonNameHtml = (ui: Ui, addon: HeadAddon): Html | string =>
  addon.name?.value == null ? refOf(addon) : localText(ui, addon.name);

/** Leads from an id, a guid or another spelling of the slug to the address with the slug; null at that address. */
export function toCanonical(
  addon: HeadAddon,
  { path, search }: { path: { ref: string }; search: URLSearchParams },
  page: string,
): PageRedirect | null {
  if (path.ref === refOf(addon)) return null;
  return redirect(addonPath(addon, page) + (search.size > 0 ? `?${search}` : ''), 301);
}

/** The way from the home page over the add-on to one of its pages. */
export const addonBreadcrumbs = (ui: Ui, addon: HeadAddon, current: Html): Html =>
  breadcrumbs(ui, [
    { text: ui.t('catalogue.home'), href: '/' },
    { text: addonNameHtml(ui, addon), href: addonPath(addon) },
    { text: current },
  ]);
