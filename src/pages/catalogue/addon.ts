import { html } from 'hono/html';
import { AddonPageDocument, AddonPageRevisionDocument } from '../../generated/operations/graphql.ts';
import { categoryName } from '../components/category-name.ts';
import { shelf } from '../components/shelf.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonOfPath, addonPath, type ShownAddon, toCanonical } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';
import { addonPageRevision } from './addon-revision.ts';
import { addonSide } from './addon-side.ts';
import { cardsOf } from './cards.ts';
import { previews } from './previews.ts';
import { structuredAddon } from './structured-addon.ts';
import { installColumns, installOf, permissions, writtenText } from './version-parts.ts';

/** The page of an add-on. */
export const addonPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/',
  document: AddonPageDocument,
  revision: {
    document: AddonPageRevisionDocument,
    variables: addonOfPath,
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
${textSection('description', t('addon.description'), addon.description)}
${textSection('comments', t('addon.comments'), addon.developerComments)}
${addon.currentVersion && permissions(ui, addon.currentVersion, addon.currentVersion)}
${tags(ui, addon)}`,
  html`<aside aria-label="${t('addon.facts')}">${addonSide(ui, addon)}</aside>`,
)}
${others(ui, addon)}`;
}

function textSection(id: string, title: Html, text: ShownAddon['description']): Html {
  const written = writtenText(text);
  return html`${
    written &&
    html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${written}</section>`
  }`;
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
${[...places, ...words].map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}</ul></section>`;
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
