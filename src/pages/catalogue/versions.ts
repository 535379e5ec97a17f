import { html } from 'hono/html';
import {
  type PageFileFieldsFragment,
  type PageVersionFieldsFragment,
  VersionsPageDocument,
  type VersionsPageQuery,
} from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { missingFile } from '../components/file-link.ts';
import { pager } from '../components/pager.ts';
import { day } from '../components/time.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonNameHtml, addonPath, toCanonical } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';
import { changedQuery, pathOf } from './addresses.ts';
import * as params from './params.ts';
import { applicationRanges, fileOf, fileUrl, licenseLink, releaseNotes, saveLink } from './version-parts.ts';

const PAGE_SIZE = 25;

type ListedAddon = NonNullable<VersionsPageQuery['addon']>;

/** The public versions of an add-on, newest first. */
export const versionsPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/versions/',
  query: { page: params.pageNumber },
  document: VersionsPageDocument,
  variables: ({ path, query }) => ({ by: addonReference(path.ref), page: query.page, pageSize: PAGE_SIZE }),
  view: ({ addon }, input, ui) => {
    const { query, search } = input;
    if (addon === null) return null;
    const pageCount = Math.max(1, Math.ceil(addon.publicVersionCount / PAGE_SIZE));
    return (
      toCanonical(addon, input, 'versions/') ?? {
        title: ui.t('addon.versions.title', { name: addonName(addon) }),
        canonical: addonPath(addon, 'versions/'),
        ...(query.page > pageCount ? { status: 404, robots: 'noindex' as const } : {}),
        main: html`${addonHeader(ui, addon, { current: 'versions', title: ui.t('addon.tab.versions') })}
<h1>${ui.t('addon.versions.title', { name: addonNameHtml(ui, addon) })}</h1>
${addon.publicVersionCount === 0 && html`<p>${ui.t('addon.versions.none')}</p>`}
<ol class="version-list">
${addon.versions.nodes.map((version) => versionItem(ui, addon, version))}</ol>
${pager(ui, {
  page: query.page,
  pageCount,
  hrefOf: (number) =>
    addonPath(addon, `versions/${changedQuery(search, { page: number === 1 ? null : String(number) })}`),
})}`,
      }
    );
  },
});

function versionItem(ui: Ui, addon: ListedAddon, version: PageVersionFieldsFragment): Html {
  const { t, format } = ui;
  const file = fileOf(version);
  return html`<li>
<div class="version-head">
<h2><a href="${pathOf(version.url)}">${t('addon.versions.version', { version: html`<bdi dir="ltr">${version.version}</bdi>` })}</a></h2>
<p class="muted">${day(ui, version.created)}${file !== undefined && html` · ${format.bytes(file.size)}`}</p>
</div>
${releaseNotes(ui, version)}
<div class="version-facts small">${applicationRanges(ui, version.compatibility)}${version.license && html`<p>${licenseLink(ui, version.license, `${pathOf(version.url)}#license`)}</p>`}</div>
${file !== undefined && download(ui, addon, version, file)}
</li>
`;
}

/** The link to a file. With an agreement, the page of the version leads to it. */
function download(ui: Ui, addon: ListedAddon, version: PageVersionFieldsFragment, file: PageFileFieldsFragment): Html {
  if (!file.isStored) return missingFile(ui);
  return addon.hasEula ? html`` : saveLink(ui, fileUrl(addon, version, file));
}
