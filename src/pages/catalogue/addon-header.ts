import { html } from 'hono/html';
import type { AddonHeaderFieldsFragment, AddonHeaderStateFragment } from '../../generated/operations/graphql.ts';
import { badge } from '../components/badge.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { localText } from '../components/local-text.ts';
import { notice } from '../components/notice.ts';
import { picture } from '../components/picture.ts';
import { tabs } from '../components/tabs.ts';
import { type Html, joined } from '../html.ts';
import { operatorComment } from '../site/operator.ts';
import type { Ui } from '../ui.ts';
import { addonNameHtml, addonPath, reviewPath } from './addon-head.ts';
import { pathOf } from './addresses.ts';
import { badgesOf } from './cards.ts';

/** The pages of an add-on among its tabs. */
type AddonTab = 'about' | 'versions' | 'ratings' | 'statistics';

interface Head {
  /** The tab of this page; null for pages below it. */
  current: AddonTab | null;
  /** The name of a page that has no tab, the last of the breadcrumbs. */
  title?: Html | string;
  /** Whether the name of the add-on is the heading of the page. Elsewhere the page has a heading of its own. */
  isHeading?: boolean;
}

/** The head of a page of an add-on: the way to it, name, authors, why it is not public, tabs. */
export function addonHeader(
  ui: Ui,
  addon: AddonHeaderFieldsFragment,
  { current, title, isHeading = false }: Head,
): Html {
  const { t } = ui;
  const name = addonNameHtml(ui, addon);
  const type = addon.type.toLowerCase();
  return html`${breadcrumbs(ui, [
    { text: t('catalogue.home'), href: '/' },
    { text: t(`catalogue.type.${addon.type}`), href: `/search/?type=${type}` },
    isHeading ? { text: name } : { text: name, href: addonPath(addon) },
    ...(title === undefined ? [] : [{ text: title }]),
  ])}
<div class="addon-head">
${picture(ui, { url: addon.icons.at(-1)?.url ?? '', width: 64, height: 64, alt: '', isEager: true })}
<div>
${isHeading ? html`<h1>${name}</h1>` : html`<p class="addon-head-name"><a href="${addonPath(addon)}">${name}</a></p>`}
${addon.authors.length > 0 && authors(ui, addon)}
</div>
</div>
${isHeading && addon.summary?.value != null && html`<p class="lead">${localText(ui, addon.summary)}</p>`}
${isHeading && badges(ui, addon)}
${hiddenNotice(ui, addon)}
${tabs(ui, { label: t('addon.pages'), items: tabItems(ui, addon, current) })}`;
}

/** The listed authors with their pages. */
const authors = (ui: Ui, addon: AddonHeaderFieldsFragment): Html =>
  html`<p class="muted">${ui.t('addon.by')} ${joined(
    addon.authors.map(({ name, url }) =>
      url === null ? html`<bdi>${name}</bdi>` : html`<a href="${pathOf(url)}"><bdi>${name}</bdi></a>`,
    ),
  )}</p>`;

function badges(ui: Ui, addon: AddonHeaderFieldsFragment): Html {
  const shown = badgesOf(ui, addon);
  return shown.length === 0 ? html`` : html`<div class="cluster">${shown.map((each) => badge(ui, each))}</div>`;
}

/** For developers and reviewers: every reason why others do not see the page, and where to do something about it. */
function hiddenNotice(ui: Ui, addon: AddonHeaderFieldsFragment): Html {
  const { visibility, viewerRights } = addon;
  if (visibility == null || visibility.isPublic) return html``;
  const mayFix = viewerRights.includes('EDIT') || viewerRights.includes('UPLOAD');
  const reviews = viewerRights.includes('REVIEW') || viewerRights.includes('REVIEW_UNLISTED');
  return notice(ui, {
    kind: visibility.isSelfDistributed ? 'info' : 'warning',
    title: ui.t(visibility.isSelfDistributed ? 'addon.self-distributed' : 'addon.hidden'),
    text: html`<ul>
${visibility.reasons.map(
  ({ code, text, comment, fixPath }) =>
    html`<li>${text}${mayFix && fixPath !== null && html` <a href="${fixPath}">${ui.t('addon.hidden.fix')}</a>`}${reviews && code === 'AWAITING_REVIEW' && addon.type !== 'PERSONA' && html` <a href="${reviewPath(addon)}">${ui.t('addon.hidden.review')}</a>`}${operatorComment(ui, code, comment)}</li>
`,
)}</ul>`,
  });
}

function tabItems(ui: Ui, addon: AddonHeaderFieldsFragment, current: AddonTab | null) {
  const maySeeStatistics = addon.hasPublicStatistics || addon.viewerRights.includes('SEE_STATISTICS');
  const all = [
    { tab: 'about', text: ui.t('addon.tab.about'), href: addonPath(addon) },
    {
      tab: 'versions',
      text: ui.t('addon.tab.versions'),
      href: addonPath(addon, 'versions/'),
      count: addon.publicVersionCount,
    },
    { tab: 'ratings', text: ui.t('addon.tab.ratings'), href: addonPath(addon, 'reviews/') },
    ...(maySeeStatistics
      ? [{ tab: 'statistics', text: ui.t('addon.tab.statistics'), href: addonPath(addon, 'statistics/') }]
      : []),
  ];
  return all.map(({ tab, ...each }) => ({ ...each, isCurrent: tab === current }));
}

/**
 * The revision of what anonymous visitors see on a page with the header and fields of the add-on's document; null for an add-on that was
 * never published.
 */
export function headerRevision({ revision, publicVersionCount, authors }: AddonHeaderStateFragment): string | null {
  return revision && JSON.stringify([revision, publicVersionCount, authors.map(({ url }) => url)]);
}
