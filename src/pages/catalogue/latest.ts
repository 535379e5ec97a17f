import { html } from 'hono/html';
import { LatestFileDocument, type LatestFileQuery } from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import type { PageContent, PageRedirect } from '../page.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonPath } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';
import * as params from './params.ts';
import { applicationRanges, fileUrl } from './version-parts.ts';

/** Leads to the file of the newest version for an application and a platform. */
export const latestPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/latest/',
  query: { app: params.appParam, platform: params.platformParam },
  document: LatestFileDocument,
  variables: ({ path, query }) => ({ by: addonReference(path.ref), ...query }),
  view: ({ addon }, _input, ui): PageContent | PageRedirect | null => {
    if (addon === null) return null;
    if (addon.latestFile === null) return noFile(ui, addon);
    if (!addon.latestFile.isStored) return notStored(ui, addon);
    return redirect(locationOf(fileUrl(addon, { channel: 'LISTED' }, addon.latestFile)));
  },
});

/** Path and query of an address of this site. */
function locationOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://localhost');
  return pathname + search;
}

type LatestAddon = NonNullable<LatestFileQuery['addon']>;

/** For a file that an import described without its package. */
const notStored = (ui: Ui, addon: LatestAddon): PageContent => ({
  title: ui.t('addon.file.missing'),
  status: 404,
  robots: 'noindex',
  main: html`${addonHeader(ui, addon, { current: null, title: ui.t('addon.latest.title') })}
<h1>${ui.t('addon.file.missing')}</h1>
<p><a href="${addonPath(addon, 'versions/')}">${ui.t('addon.latest.versions')}</a></p>`,
});

/** The applications for which there is a file. */
function noFile(ui: Ui, addon: LatestAddon): PageContent {
  const { t } = ui;
  const title = t('addon.latest.none', { name: addonName(addon) });
  return {
    title,
    status: 404,
    robots: 'noindex',
    main: html`${addonHeader(ui, addon, { current: null, title: t('addon.latest.title') })}
<h1>${t('addon.latest.none', { name: html`<bdi>${addonName(addon)}</bdi>` })}</h1>
${
  addon.currentVersion === null
    ? html`<p>${t('addon.versions.none')}</p>`
    : html`<p>${t('addon.latest.works-with')}</p>
${applicationRanges(ui, addon.currentVersion.compatibility)}`
}`,
  };
}
