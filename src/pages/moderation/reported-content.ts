/* What a report is about, as it is now: what a moderator judges, as far as the viewer may see it. */
import { html } from 'hono/html';
import { wrapLink } from '../../auth/outgoing-links.ts';
import type { ModerationOthersQuery } from '../../generated/operations/graphql.ts';
import { addonNameHtml, addonPath } from '../catalogue/addon-head.ts';
import { pathOf } from '../catalogue/addresses.ts';
import { decisionPath, ratingAuthor, ratingText } from '../catalogue/rating-parts.ts';
import { badge } from '../components/badge.ts';
import { facts } from '../components/facts.ts';
import { localText } from '../components/local-text.ts';
import { picture } from '../components/picture.ts';
import { day } from '../components/time.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { folded, foldedText, isLong, links } from './folded.ts';
import type { PageReport } from './report-facts.ts';
import { detailsOf, targetBadge, targetName } from './report-labels.ts';
import { reportedAddonContent } from './reported-addon.ts';

type Rating = NonNullable<NonNullable<PageReport['rating']>['rating']>;
type Collection = NonNullable<NonNullable<PageReport['collection']>['collection']>;
type Ratings = NonNullable<ModerationOthersQuery['ratings']> | null;

/** In CSS pixels. */
const PICTURE = 64;

/** The reported add-on, account, collection or rating with its content and links to its pages. `ratings` are those of a reported account. */
export function reportedSection(ui: Ui, report: PageReport, ratings: Ratings): Html {
  return html`<section class="stack" aria-labelledby="reported"><h2 id="reported">${ui.t('moderation.reported')}</h2>
<p><strong>${targetName(ui, report)}</strong> ${targetBadge(ui, report)}</p>
${contentOf(ui, report, ratings) ?? html`<p class="muted">${ui.t(`moderation.reported.invisible.${whyInvisible(report)}`)}</p>`}</section>`;
}

/** Why nothing is shown. */
function whyInvisible({ targetState }: PageReport): 'DELETED' | 'NOT_PUBLIC' | 'UNKNOWN' {
  return targetState === 'DELETED' || targetState === 'UNKNOWN' ? targetState : 'NOT_PUBLIC';
}

/** Null where the viewer sees nothing of it. */
function contentOf(ui: Ui, report: PageReport, ratings: Ratings): Html | null {
  const { addon, rating, collection } = report;
  if (rating !== null) return rating.rating && ratingContent(ui, rating.rating);
  if (collection !== null) return collection.collection && collectionContent(ui, collection.collection);
  if (addon !== null)
    return (
      addon.addon &&
      reportedAddonContent(ui, addon.addon, { version: addon.version, number: detailsOf(report).addon_version })
    );
  return report.user && accountContent(ui, report.user, report.account, ratings);
}

/** A rating with its reply, or a reply with its rating. */
function ratingContent(ui: Ui, rating: Rating): Html {
  const { t } = ui;
  const { repliedTo, reply, body, flagCounts, holdReason, databaseId, addon } = rating;
  return html`<div class="rating-item">${ratingText(ui, rating, decisionPath)}
${body === null && html`<p class="muted">${t('reviews.without-text')}</p>`}</div>
${holdReason !== null && html`<p>${t(`reviews.hold.${holdReason}`)}</p>`}
${
  flagCounts !== null &&
  flagCounts.length > 0 &&
  html`<p class="cluster">${t('moderation.reported.flags')} ${flagCounts.map(({ reason, count }) => badge(ui, { text: html`${t(`reviews.flag.${reason}`)} ${ui.format.number(count)}` }))}</p>`
}
${repliedTo !== null && folded(t('reviews.replied-to'), ratingText(ui, repliedTo, decisionPath), !isLong(repliedTo.body))}
${reply !== null && folded(t('moderation.kind.reply'), ratingText(ui, reply, decisionPath), !isLong(reply.body))}
${links([
  [decisionPath(databaseId), t('moderation.reported.rating')],
  [addonPath(addon), t('moderation.reported.addon')],
])}`;
}

/** The text of a collection, and its first add-ons with what it says about them. */
function collectionContent(ui: Ui, { url, description, items, author }: Collection): Html {
  const { t } = ui;
  const value = description?.value ?? '';
  return html`<p class="muted">${t('addon.by')} ${ratingAuthor({ user: author })} · ${t('search.count', { count: items.totalCount })}</p>
${value !== '' && foldedText(ui, t('moderation.reported.description'), value, html`<blockquote class="thread-text">${localText(ui, description)}</blockquote>`)}
${
  items.nodes.length > 0 &&
  folded(
    t('moderation.reported.items'),
    html`<ul>${items.nodes.map(
      ({ addon, notes }) =>
        html`<li><a href="${addonPath(addon)}">${addonNameHtml(ui, addon)}</a>${notes?.value && html`<blockquote class="thread-text">${localText(ui, notes)}</blockquote>`}</li>
`,
    )}</ul>`,
    true,
  )
}
${links([[pathOf(url), t('moderation.reported.collection')]])}`;
}

/** The profile of an account, its public add-ons, and its newest ratings, which all visitors see without a profile, too. */
function accountContent(
  ui: Ui,
  { username, pictureUrl, url }: NonNullable<PageReport['user']>,
  account: PageReport['account'],
  ratings: Ratings,
): Html {
  const { t } = ui;
  return html`<div class="cluster">${picture(ui, { url: pictureUrl, width: PICTURE, height: PICTURE, alt: '' })}<bdi dir="ltr">${username}</bdi></div>
${account !== null && profile(ui, account)}
${url === null && html`<p class="muted">${t('moderation.reported.no-profile')}</p>`}
${ratings !== null && writtenRatings(ui, ratings)}
${url !== null && links([[pathOf(url), t('moderation.reported.profile')]])}`;
}

function profile(ui: Ui, account: NonNullable<PageReport['account']>): Html {
  const { t } = ui;
  const { biography, occupation, location, homepage, created, addons } = account;
  const shown = addons.nodes.filter(({ status, isDisabled }) => status === 'PUBLIC' && !isDisabled);
  return html`${facts(ui, {
    items: [
      { term: t('account.occupation'), value: occupation === null ? null : html`<bdi>${occupation}</bdi>` },
      { term: t('account.location'), value: location === null ? null : html`<bdi>${location}</bdi>` },
      {
        term: t('account.homepage'),
        value:
          homepage === null
            ? null
            : html`<a href="${wrapLink(homepage)}" rel="nofollow ugc noopener"><bdi dir="ltr">${homepage}</bdi></a>`,
      },
      { term: t('user.since'), value: day(ui, created) },
    ],
  })}
${
  biography === null
    ? html`<p class="muted">${t('moderation.reported.no-biography')}</p>`
    : foldedText(
        ui,
        t('moderation.reported.biography'),
        biography,
        html`<blockquote class="thread-text" dir="auto">${biography}</blockquote>`,
      )
}
${
  shown.length > 0 &&
  folded(
    t('user.addons'),
    html`<ul>${shown.map(
      (addon) =>
        html`<li><a href="${addonPath(addon)}">${addonNameHtml(ui, addon)}</a>${addon.summary?.value && html` <span class="muted">${localText(ui, addon.summary)}</span>`}</li>
`,
    )}</ul>`,
    false,
  )
}`;
}

/** The newest ratings of an account. */
function writtenRatings(ui: Ui, { nodes, totalCount }: NonNullable<Ratings>): Html {
  if (nodes.length === 0) return html``;
  const list = html`<ul class="plain-list stack">${nodes.map(
    (rating) =>
      html`<li><p><a href="${addonPath(rating.addon)}">${addonNameHtml(ui, rating.addon)}</a></p>
${ratingText(ui, rating, decisionPath)}</li>
`,
  )}</ul>`;
  return folded(ui.t('moderation.reported.ratings', { count: totalCount }), list, false);
}
