/* What the pages of one add-on in the developer hub share: who may open them, their heading and the links between them. */

import { html } from 'hono/html';
import { NotFoundError, NotPermittedError } from '../../errors.ts';
import type { HubAddonFragment } from '../../generated/operations/graphql.ts';
import { segmentParam } from '../../http/params.ts';
import { addonOfPath } from '../catalogue/addon-head.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { localText } from '../components/local-text.ts';
import { picture } from '../components/picture.ts';
import { tabs } from '../components/tabs.ts';
import { doneAt } from '../form.ts';
import type { Html } from '../html.ts';
import type { PageContent, PageInput } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

/** The path parameter of all pages of an add-on. */
export const ADDON_PARAMS = { ref: segmentParam('Slug, guid or id of the add-on.') };

/** What the pages of an add-on declare alike. */
export const HUB_ADDON_PAGE = {
  visitor: 'account',
  hidesRefusals: true,
  params: ADDON_PARAMS,
  variables: addonOfPath,
} as const;

/** The part of an add-on in the addresses of its pages. */
const refOf = ({ slug, databaseId }: Pick<HubAddonFragment, 'slug' | 'databaseId'>): string =>
  encodeURIComponent(slug ?? String(databaseId));

/** The path of a page of an add-on; of its overview without `rest`. */
export const hubUrl = (addon: Pick<HubAddonFragment, 'slug' | 'databaseId'>, rest = ''): string =>
  `/developers/addon/${refOf(addon)}/${rest}`;

/** Leads to a page of the add-on without parameters, which reports that the form was done. */
export const backTo =
  (rest: string, code: string) =>
  (_result: unknown, { path }: PageInput) =>
    doneAt(`/developers/addon/${encodeURIComponent(String((path as { ref?: unknown }).ref))}/${rest}`, code);

/** The name of an add-on with its language; its id for an imported one without a name. */
export const hubName = (ui: Ui, { name, guid }: Pick<HubAddonFragment, 'name' | 'guid'>): Html =>
  name?.value ? localText(ui, name) : html`<bdi dir="ltr">${guid}</bdi>`;

/** Whether the viewer has one of these rights to the add-on. */
export const hasRight = ({ viewerRights }: HubAddonFragment, ...rights: string[]): boolean =>
  viewerRights.some((right) => rights.includes(right));

/**
 * The add-on of a page, for its developers and those who edit any add-on.
 * @throws {NotFoundError} without one, {NotPermittedError} for other viewers, and without one of the rights `needed`.
 */
export function hubAddon<Addon extends HubAddonFragment>(addon: Addon | null | undefined, ...needed: string[]): Addon {
  if (addon == null) throw new NotFoundError();
  const mayEnter = hasRight(addon, 'UPLOAD', 'EDIT', 'ADMINISTER');
  if (!mayEnter || (needed.length > 0 && !hasRight(addon, ...needed))) throw new NotPermittedError();
  return addon;
}

/** The interface of a page whose forms are sent to its address by id: the one by slug is unknown once another editor has changed the slug. */
const withStableFormAction = (ui: Ui, { databaseId }: Pick<HubAddonFragment, 'databaseId'>): Ui => ({
  ...ui,
  formAction: ui.path.replace(/^\/developers\/addon\/[^/?]+/, `/developers/addon/${databaseId}`),
});

type Tab =
  | 'overview'
  | 'edit'
  | 'media'
  | 'versions'
  | 'activity'
  | 'license'
  | 'authors'
  | 'publishing'
  | 'webhooks'
  | 'danger';

/** The pages of an add-on, and the rights without any of which a page is not linked. */
const TABS: readonly { tab: Tab; rest: string; needs?: string | readonly string[] }[] = [
  { tab: 'overview', rest: '' },
  { tab: 'edit', rest: 'edit', needs: 'EDIT' },
  { tab: 'media', rest: 'media', needs: 'EDIT' },
  { tab: 'versions', rest: 'versions', needs: 'INSPECT_UNLISTED' },
  { tab: 'activity', rest: 'activity', needs: 'INSPECT_UNLISTED' },
  { tab: 'license', rest: 'license', needs: 'OWN' },
  { tab: 'authors', rest: 'authors', needs: 'EDIT' },
  { tab: 'publishing', rest: 'publishing', needs: 'UPLOAD' },
  { tab: 'webhooks', rest: 'webhooks', needs: 'OWN' },
  { tab: 'danger', rest: 'danger', needs: ['DISABLE', 'ADMINISTER'] },
];

/** Whether the viewer has the right that a page of this add-on needs. @param path such as `/developers/addon/notes/license`. */
export const mayOpen = (addon: HubAddonFragment, path: string): boolean =>
  TABS.every(
    ({ rest, needs }) => needs === undefined || path !== hubUrl(addon, rest) || hasRight(addon, ...[needs].flat()),
  );

interface AddonPage {
  addon: HubAddonFragment;
  tab: Tab;
  /** The heading of the page below that of the add-on; absent on the overview. */
  heading?: Html | string;
  body(ui: Ui): Html;
}

/** A page of an add-on: the way to it, its heading, the links to its other pages, and the content. */
export function addonContent(ui: Ui, { addon, tab, heading, body }: AddonPage): PageContent {
  const { t } = ui;
  const name = hubName(ui, addon);
  const plainName = addon.name?.value || addon.guid;
  const title = heading ?? t(`hub.tab.${tab}` as PageTextKey);
  const isHome = tab === 'overview' && heading === undefined;
  const items = TABS.filter(({ needs }) => needs === undefined || hasRight(addon, ...[needs].flat())).map(
    ({ tab: each, rest }) => ({
      text: t(`hub.tab.${each}` as PageTextKey),
      href: hubUrl(addon, rest),
      isCurrent: each === tab,
    }),
  );
  const way = [
    { text: t('hub.title'), href: '/developers/' },
    ...(isHome ? [{ text: name }] : [{ text: name, href: hubUrl(addon) }, { text: title }]),
  ];
  return {
    title: isHome ? plainName : html`${title} – ${plainName}`,
    robots: 'noindex',
    section: 'developers',
    main: html`${breadcrumbs(ui, way)}
<div class="hub-heading">${picture(ui, { url: addon.iconUrl, width: 32, height: 32, alt: '', isEager: true })}
<h1>${isHome ? name : title}</h1>
${addon.isDisabled && badge(ui, { kind: 'warning', text: t('hub.disabled') })}</div>
${tabs(ui, { label: t('addon.pages'), items })}
${body(withStableFormAction(ui, addon))}`,
  };
}
