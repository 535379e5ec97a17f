import { html } from 'hono/html';
import { config } from '../../config.ts';
import {
  AddonPageDocument,
  AddonPageRevisionDocument,
  type AddonPageStateFragment,
} from '../../generated/operations/graphql.ts';
import { auditLink } from '../admin/actor.ts';
import { addonShelf } from '../components/addon-card.ts';
import { categoryName } from '../components/category-name.ts';
import { facts } from '../components/facts.ts';
import { icon } from '../components/icon.ts';
import { rating } from '../components/rating.ts';
import { day } from '../components/time.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import {
  ADDON_PAGE,
  addonName,
  addonOfPath,
  addonPath,
  reviewPath,
  type ShownAddon,
  toCanonical,
} from './addon-head.ts';
import { addonHeader, headerRevision } from './addon-header.ts';
import { pathOf } from './addresses.ts';
import { cardsOf } from './cards.ts';
import { previewStrip } from './preview.ts';
import {
  applicationRanges,
  fileOf,
  installColumns,
  installOf,
  licenseLink,
  permissionSection,
  serialLink,
  writtenText,
} from './version-parts.ts';

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
  html`${previewStrip(ui, addon)}
${textSection('description', t('addon.description'), addon.description)}
${textSection('comments', t('addon.comments'), addon.developerComments)}
${addon.currentVersion && permissionSection(ui, addon.currentVersion, addon.currentVersion)}
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
  return html`${addonShelf(ui, {
    id: 'recommendations',
    title: ui.t(isFitting ? 'addon.recommendations' : 'addon.curated'),
    cards: cardsOf(ui, recommended),
  })}
${addonShelf(ui, {
  id: 'by-author',
  title: ui.t('addon.by-author', { count: authors.length, name: html`<bdi>${author?.name ?? ''}</bdi>` }),
  cards: cardsOf(ui, othersByAuthors),
  more: {
    href: `/search/?author=${authors.map(({ username }) => encodeURIComponent(username)).join(',')}`,
    text: ui.t('addon.by-author.more', { count: authors.length }),
  },
})}`;
}

/* The side column of an add-on's page: facts, links, policies. */

/** The side column. */
function addonSide(ui: Ui, addon: ShownAddon): Html {
  const { currentVersion: version } = addon;
  return html`${mainFacts(ui, addon)}
${links(ui, addon)}
${staffLinks(ui, addon)}
${version !== null && verification(ui, addon)}`;
}

function mainFacts(ui: Ui, addon: ShownAddon): Html {
  const { t } = ui;
  const { currentVersion: version, targetLocale } = addon;
  return facts(ui, {
    isNarrow: true,
    items: [
      { term: t('addon.users'), value: ui.format.number(addon.averageDailyUsers) },
      { term: t('addon.downloads'), value: ui.format.number(addon.weeklyDownloads) },
      { term: t('addon.rating'), value: html`<a href="${pathOf(addon.ratingsUrl)}">${rating(ui, addon.ratings)}</a>` },
      { term: t('ui.language'), value: targetLocale === null ? null : ui.format.languageName(targetLocale) },
      {
        term: t('addon.version'),
        value: version && html`<a href="${pathOf(version.url)}"><bdi dir="ltr">${version.version}</bdi></a>`,
      },
      { term: t('addon.updated'), value: day(ui, addon.lastUpdated) },
      { term: t('addon.works-with'), value: version && applicationRanges(ui, version.compatibility) },
      {
        term: t('addon.license'),
        value: version?.license ? licenseLink(ui, version.license, addonPath(addon, 'license/')) : null,
      },
    ],
  });
}

/** Addresses of the developers; those of other sites are wrapped. */
function links(ui: Ui, addon: ShownAddon): Html {
  const { t } = ui;
  const mail = addon.supportEmail?.value;
  const outside = (href: string | null | undefined, text: Html) =>
    href ? [html`<a href="${href}" rel="nofollow ugc noopener">${text}${icon(ui, 'external')}</a>`] : [];
  const inside = (isThere: boolean, rest: string, text: Html) =>
    isThere ? [html`<a href="${addonPath(addon, rest)}">${text}</a>`] : [];
  const items = [
    ...outside(addon.homepage?.value, t('addon.homepage')),
    ...outside(addon.supportUrl?.value, t('addon.support')),
    ...(mail ? [html`<a href="mailto:${mail}">${t('addon.support-mail')}</a>`] : []),
    ...outside(addon.contributionsUrl, t('addon.contribute')),
    ...inside(addon.hasPrivacyPolicy, 'privacy/', t('addon.privacy')),
    ...inside(addon.hasEula, 'eula/', t('addon.eula')),
    ...inside(ui.viewer === null || addon.viewerRights.includes('RATE'), 'reviews/', t('addon.rate')),
    ...inside(true, 'collect/', t('addon.collect')),
    ...inside(true, 'feed.atom', t('addon.feed-link')),
    ...inside(true, 'report/', t('addon.report')),
  ];
  return html`<nav aria-labelledby="links"><h2 id="links" class="side-title">${t('addon.links')}</h2>
<ul class="link-list">
${items.map((item) => html`<li>${item}</li>`)}</ul></nav>`;
}

/** Where staff go on: links to what the viewer may open. Nothing for others. */
function staffLinks(ui: Ui, addon: ShownAddon): Html {
  const { t, viewer } = ui;
  const [isAdministered, isReviewed] = [['ADMINISTER'], ['REVIEW', 'REVIEW_UNLISTED']].map((rights) =>
    rights.some((right) => addon.viewerRights.some((each) => each === right)),
  );
  const developers = `/developers/addon/${encodeURIComponent(addon.slug ?? addon.databaseId)}/`;
  const act = addon.visibility?.reasons.some(({ code }) => code === 'DISABLED_BY_OPERATOR') ? 'enable' : 'disable';
  const items = [
    ...(viewer?.opensQueue && (isReviewed || isAdministered)
      ? [html`<a href="${reviewPath(addon)}">${t('addon.staff.review')}</a>`]
      : []),
    ...(viewer?.isModerator
      ? [html`<a href="/moderation/?state=all&amp;addon=${addon.databaseId}">${t('addon.staff.reports')}</a>`]
      : []),
    ...auditLink(ui, { about: addon.guid }, 'admin.audit.about-addon'),
    ...(isAdministered
      ? [
          html`<a href="${developers}">${t('addon.staff.developers')}</a>`,
          html`<a href="${developers}danger/">${t(`addon.staff.${act}`)}</a>`,
        ]
      : []),
  ];
  if (items.length === 0) return html``;
  return html`<nav aria-labelledby="staff"><h2 id="staff" class="side-title">${t('addon.staff')}</h2>
<ul class="link-list">
${items.map((item) => html`<li>${item}</li>`)}</ul></nav>`;
}

/** What proves that a download is the published file. */
function verification(ui: Ui, { currentVersion }: ShownAddon): Html {
  const file = currentVersion === null ? undefined : fileOf(currentVersion);
  if (file === undefined) return html``;
  const serial = file.certificateSerial;
  return html`<details><summary>${ui.t('addon.verify')}</summary>
${facts(ui, {
  isNarrow: true,
  items: [
    { term: ui.t('addon.hash'), value: code(file.hash) },
    { term: ui.t('addon.serial'), value: serial === null ? ui.t('addon.unsigned') : serialLink(serial) },
  ],
})}
<p class="small"><a href="/docs/verify/">${ui.t('addon.verify.how')}</a></p></details>`;
}

/* What search engines read of an add-on: a `SoftwareApplication` of schema.org. */

/** The structured data of the page of an add-on. What is not known is left out. */
function structuredAddon(addon: ShownAddon): Readonly<Record<string, unknown>> {
  const { currentVersion: version, ratings, summary, requiresPayment, icons, authors } = addon;
  const file = version === null ? undefined : fileOf(version);
  return {
    '@type': 'SoftwareApplication',
    name: addonName(addon),
    url: config.BASE_URL + addonPath(addon),
    ...(summary?.value ? { description: summary.value } : {}),
    applicationCategory: 'BrowserApplication',
    image: icons.at(-1)?.url,
    author: authors.map(({ name, url }) => ({ '@type': 'Person', name, ...(url === null ? {} : { url }) })),
    ...(version === null ? {} : { softwareVersion: version.version, datePublished: version.created }),
    dateModified: addon.lastUpdated,
    ...(file === undefined ? {} : { fileSize: `${file.size} B` }),
    ...(version?.license?.url ? { license: version.license.url } : {}),
    ...(requiresPayment ? {} : { isAccessibleForFree: true }),
    ...(ratings.count === 0
      ? {}
      : { aggregateRating: { '@type': 'AggregateRating', ratingValue: ratings.average, ratingCount: ratings.count } }),
  };
}

/** The revision of what anonymous visitors see on the page of an add-on. */
function addonPageRevision(addon: AddonPageStateFragment): string | null {
  const { currentVersion, recommendations, othersByAuthors } = addon;
  const header = headerRevision(addon);
  const cards = [...recommendations.results, null, ...othersByAuthors].map((card) => card && [card.id, card.revision]);
  const added = [currentVersion?.newPermissions, currentVersion?.newDataCollectionPermissions];
  return header && JSON.stringify([header, added, recommendations.outcome, cards]);
}
