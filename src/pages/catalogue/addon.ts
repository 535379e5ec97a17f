import { html } from 'hono/html';
import { AddonPageDocument, AddonPageRevisionDocument } from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { segment } from '../../http/params.ts';
import { categoryName } from '../components/category-name.ts';
import { permissionList } from '../components/permission-list.ts';
import { shelf } from '../components/shelf.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { userHtml } from '../user-html.ts';
import { addonName, addonPath, type ShownAddon, toCanonical } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';
import { addonPageRevision } from './addon-revision.ts';
import { addonSide } from './addon-side.ts';
import { cardsOf } from './cards.ts';
import { previews } from './previews.ts';
import { structuredAddon } from './structured-addon.ts';
import { fileOf, installColumns, installOf } from './version-parts.ts';

/** The page of an add-on. */
export const addonPage = page({
  path: '/addon/:ref/',
  visitor: 'all',
  hidesRefusals: true,
  params: { ref: segment('Slug, guid or id of the add-on.') },
  document: AddonPageDocument,
  variables: ({ path }) => ({ by: addonReference(path.ref) }),
  revision: {
    document: AddonPageRevisionDocument,
    variables: ({ path }) => ({ by: addonReference(path.ref) }),
    of: ({ addon }) => addon && addonPageRevision(addon),
  },
  view: ({ addon }, input, ui) => {
    if (addon === null) return null;
    return (
      toCanonical(addon, input, '') ?? {
        title: addonName(addon),
        description: addon.summary?.value ?? null,
        canonical: addonPath(addon),
        picture: addon.previews[0]?.imageUrl ?? addon.themeData?.previewUrl ?? addon.icons.at(-1)?.url ?? '',
        structured: structuredAddon(addon),
        feeds: [{ title: ui.t('addon.feed', { name: addonName(addon) }), href: addonPath(addon, 'feed.atom') }],
        scripts: ['install.js'],
        ...(addon.visibility?.isPublic === false ? { robots: 'noindex' as const } : {}),
        main: addonMain(ui, addon),
      }
    );
  },
});

function addonMain(ui: Ui, addon: ShownAddon): Html {
  const { t } = ui;
  return html`${addonHeader(ui, addon, { current: 'about', isHeading: true })}
${installColumns(
  installOf(ui, addon, addon.currentVersion, { label: t('addon.install') }),
  html`${previews(ui, addon)}
${textSection(ui, 'description', t('addon.description'), addon.description)}
${textSection(ui, 'comments', t('addon.comments'), addon.developerComments)}
${permissions(ui, addon)}
${tags(ui, addon)}`,
  html`<aside aria-label="${t('addon.facts')}">${addonSide(ui, addon)}</aside>`,
)}
${others(ui, addon)}`;
}

function textSection(_ui: Ui, id: string, title: Html, text: ShownAddon['description']): Html {
  if (text?.value == null || text.value === '') return html``;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${userHtml(text.value, { lang: text.locale, class: 'user-text prose' })}</section>`;
}

/** What the current version may do, and what the version before it could not. Formats without permissions show nothing. */
function permissions(ui: Ui, { currentVersion }: ShownAddon): Html {
  const file = currentVersion === null ? undefined : fileOf(currentVersion);
  if (file === undefined || !file.isWebextension) return html``;
  const added = currentVersion?.newPermissions ?? null;
  const required = [...file.permissions, ...file.hostPermissions];
  return html`<section aria-labelledby="permissions"><h2 id="permissions">${ui.t('addon.permissions')}</h2>
${permissionList(ui, {
  permissions: file.permissions,
  hosts: file.hostPermissions,
  optional: file.optionalPermissions,
  previous: added && required.filter((permission) => !added.includes(permission)),
  data: file.dataCollectionPermissions,
  optionalData: file.optionalDataCollectionPermissions,
  newData: currentVersion?.newDataCollectionPermissions ?? [],
})}</section>`;
}

function tags(ui: Ui, { tags: names, categories, type }: ShownAddon): Html {
  if (names.length + categories.length === 0) return html``;
  const places = categories.map(({ app, slug, name }) => ({
    href: `/category/${type.toLowerCase()}/${encodeURIComponent(slug)}/?app=${app.toLowerCase()}`,
    text: html`${categoryName(ui, { slug, name })}${new Set(categories.map((each) => each.app)).size > 1 && html` <span class="count">${ui.t(`catalogue.app.${app}`)}</span>`}`,
  }));
  const words = names.map((tag) => ({
    href: `/search/?tag=${encodeURIComponent(tag)}`,
    text: html`<bdi>${tag}</bdi>`,
  }));
  return html`<section aria-labelledby="tags"><h2 id="tags">${ui.t('addon.tags')}</h2>
<ul class="filter-chips">
${[...places, ...words].map(
  ({ href, text }) => html`<li><a href="${href}">${text}</a></li>
`,
)}</ul></section>`;
}

function others(ui: Ui, { authors, slug, recommendations, othersByAuthors }: ShownAddon): Html {
  const [author] = authors;
  const recommended = recommendations.results.filter((each) => each.slug !== slug);
  const isFitting = recommendations.outcome === 'RECOMMENDED';
  return html`${shelf(ui, {
    id: 'recommendations',
    title: ui.t(isFitting ? 'addon.recommendations' : 'addon.curated'),
    cards: cardsOf(ui, recommended),
  })}
${shelf(ui, {
  id: 'by-author',
  title: ui.t('addon.by-author', { count: authors.length, name: html`<bdi>${author?.name ?? ''}</bdi>` }),
  cards: cardsOf(ui, othersByAuthors),
  more: {
    href: `/search/?author=${authors.map(({ username }) => encodeURIComponent(username)).join(',')}`,
    text: ui.t('addon.by-author.more', { count: authors.length }),
  },
})}`;
}
