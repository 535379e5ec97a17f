import { html } from 'hono/html';
import { wrapLink } from '../../auth/outgoing-links.ts';
import { UserPageDocument, type UserPageQuery } from '../../generated/operations/graphql.ts';
import { accountReference } from '../../graphql/references.ts';
import { segmentParam } from '../../http/params.ts';
import { addonCard, addonShelf } from '../components/addon-card.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { facts } from '../components/facts.ts';
import { notice } from '../components/notice.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { picture } from '../components/picture.ts';
import { day } from '../components/time.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { badgesOf } from './cards.ts';

type Account = NonNullable<UserPageQuery['account']>;
type Addon = Account['addons']['nodes'][number];

/** Types in the order of their shelves. */
const TYPES = ['EXTENSION', 'STATICTHEME', 'PERSONA', 'THEME', 'DICTIONARY', 'LANGUAGE', 'SEARCH'] as const;

/** A developer: profile and add-ons by type. */
export const userPage = page({
  path: '/user/:username/',
  visitor: 'all',
  params: { username: segmentParam('Username or id of the account.') },
  query: CURSOR_PARAM,
  document: UserPageDocument,
  variables: ({ path, query }) => ({ by: accountReference(path.username), after: query.after }),
  view: ({ account }, { path, search }, ui) => {
    if (account === null) return null;
    const own = `/user/${encodeURIComponent(account.username)}/`;
    if (path.username !== account.username) return redirect(own + (search.size > 0 ? `?${search}` : ''), 301);
    return {
      title: ui.t('user.title', { name: account.name }),
      canonical: own,
      main: html`${breadcrumbs(ui, [{ text: ui.t('catalogue.home'), href: '/' }, { text: html`<bdi>${account.name}</bdi>` }])}
${profile(ui, account, own)}
${addons(ui, account.addons.nodes)}
${cursorPager(ui, { search, pageInfo: account.addons.pageInfo })}`,
    };
  },
});

function profile(ui: Ui, account: Account, own: string): Html {
  const { t, format } = ui;
  const { name, pictureUrl, biography, homepage, location, occupation, created } = account;
  const { averageAddonRating: rating, databaseId } = account;
  return html`<div class="page-head cluster">
${picture(ui, { url: pictureUrl, width: 64, height: 64, alt: '', isEager: true })}
<div><h1><bdi>${name}</bdi></h1>
${occupation === null ? '' : html`<p class="muted"><bdi>${occupation}</bdi></p>`}</div>
</div>
${databaseId === ui.viewer?.accountId ? notice(ui, { kind: 'info', text: t('user.own'), actions: ownLinks(ui) }) : ''}
${facts(ui, {
  items: [
    { term: t('account.location'), value: location === null ? null : html`<bdi>${location}</bdi>` },
    {
      term: t('account.homepage'),
      value:
        homepage === null
          ? null
          : html`<a href="${wrapLink(homepage)}" rel="nofollow ugc noopener"><bdi dir="ltr">${homepage}</bdi></a>`,
    },
    { term: t('user.since'), value: day(ui, created) },
    { term: t('user.addons'), value: format.number(account.publicAddonCount) },
    { term: t('user.rating'), value: rating === 0 ? null : t('reviews.score', { score: format.score(rating) }) },
  ],
})}
${biography === null ? '' : html`<section class="prose"><h2>${t('user.about')}</h2><p class="message-description"><bdi>${biography}</bdi></p></section>`}
${databaseId === ui.viewer?.accountId ? '' : html`<p><a href="${own}report/" rel="nofollow">${t('user.report')}</a></p>`}`;
}

const ownLinks = ({ t }: Ui): Html =>
  html`<a href="/account/">${t('user.edit')}</a><a href="/developers/">${t('user.manage')}</a>`;

/** Public add-ons, although their author finds all of them. */
const isPublic = ({ status, isDisabled }: Addon): boolean => status === 'PUBLIC' && !isDisabled;

function addons(ui: Ui, nodes: readonly Addon[]): Html {
  const shown = nodes.filter(isPublic);
  if (shown.length === 0) return html`<p>${ui.t('user.none')}</p>`;
  return html`${TYPES.map((type) =>
    addonShelf(ui, {
      id: `type-${type.toLowerCase()}`,
      title: ui.t(`catalogue.type.${type}`),
      cards: shown
        .filter((addon) => addon.type === type)
        .map((addon) => addonCard(ui, { addon, badges: badgesOf(ui, addon) })),
    }),
  )}`;
}
