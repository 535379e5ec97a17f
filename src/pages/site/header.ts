import { html } from 'hono/html';
import { config } from '../../config.ts';
import type { SiteWaitingWorkQuery } from '../../generated/operations/graphql.ts';
import { badge } from '../components/badge.ts';
import { csrfField } from '../components/form.ts';
import { icon } from '../components/icon.ts';
import { withoutDone } from '../form.ts';
import { type Html, joined } from '../html.ts';
import type { PageContent } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

interface Section {
  /** The keys that follow the link, of `assets/keys.js`. */
  keys?: string;
  section: NonNullable<PageContent['section']>;
  href: string;
  text: PageTextKey;
}

const SECTIONS: readonly Section[] = [
  { section: 'extensions', href: '/search/?type=extension', text: 'catalogue.type.EXTENSION' },
  { section: 'themes', href: '/search/?type=statictheme', text: 'site.themes' },
  { section: 'language-tools', href: '/language-tools/', text: 'site.language-tools' },
  { section: 'developers', href: '/developers/', text: 'site.developers' },
  { section: 'docs', href: '/docs/', text: 'docs.title' },
];

/** Numbers of what waits for the viewer. */
export type WaitingNumbers = SiteWaitingWorkQuery['waitingWork'];

/** What is counted. */
type Counted = keyof WaitingNumbers & ('versions' | 'reports' | 'ratings' | 'failedMails' | 'failedJobs');

interface StaffSection extends Section {
  /** What waits there is counted by kind; kinds of which nothing waits are not shown. */
  counts: readonly Counted[];
  /** A state that staff should notice on each page. */
  mark?: PageTextKey;
}

/** The areas of the viewer as staff. */
function staffSections({ viewer, readOnly }: Ui, waiting: WaitingNumbers | null): StaffSection[] {
  if (viewer === null) return [];
  const isAdministrator = viewer.adminPages.length > 0;
  const mark = readOnly === null ? {} : { mark: 'site.read-only-mark' as const };
  return [
    ...(viewer.opensQueue ? [{ ...REVIEWERS, counts: ['versions'] as const }] : []),
    ...moderation(viewer.isModerator, waiting?.ratings ?? null),
    ...(isAdministrator ? [{ ...ADMINISTRATION, counts: ['failedMails', 'failedJobs'] as const, ...mark }] : []),
  ];
}

/** Who decides about ratings alone gets their list. */
function moderation(isModerator: boolean, ratings: number | null): StaffSection[] {
  const counts = ['reports', 'ratings'] as const;
  if (isModerator) return [{ ...MODERATION, counts }];
  return ratings === null ? [] : [{ ...MODERATION, href: '/moderation/ratings/', counts }];
}

const REVIEWERS: Section = { section: 'reviewers', href: '/reviewers/', text: 'site.reviewers', keys: 'g q' };
const MODERATION: Section = { section: 'moderation', href: '/moderation/', text: 'site.moderation' };
const ADMINISTRATION: Section = { section: 'admin', href: '/admin/', text: 'admin.title' };

/** The top of every page: the name of the site, the search, the navigation and the account. `waiting` is null where it is not known. */
export function siteHeader(ui: Ui, current: PageContent['section'], waiting: WaitingNumbers | null): Html {
  const { t, path } = ui;
  const url = new URL(path, 'http://localhost');
  const q = url.pathname === '/search/' ? (url.searchParams.get('q') ?? '') : '';
  return html`<header class="site-header">
<div class="site-header-inner">
<a class="site-name" href="/">${icon(ui, 'extension')}<span>${config.SITE_NAME}</span></a>
${url.pathname !== '/' && searchForm(ui, q)}
${accountMenu(ui)}
</div>
<nav class="site-nav" aria-label="${t('site.navigation')}">
<ul>
${[...SECTIONS.map((each): StaffSection => ({ ...each, counts: [] })), ...staffSections(ui, waiting)].map(
  ({ section, href, text, counts, keys, mark }) =>
    html`<li><a href="${href}"${section === current ? html` aria-current="true"` : ''}${keys !== undefined && html` data-key="${keys}"`}>${t(text)}${waitingCount(ui, counts, waiting)}${mark !== undefined && html` ${badge(ui, { kind: 'warning', text: t(mark) })}`}</a></li>
`,
)}
</ul>
</nav>
</header>`;
}

/** The largest number that is counted. */
const MOST = 100;

/** A number of what waits, of which at most `MOST` are counted. */
export const waitingNumber = ({ format }: Ui, count: number): string =>
  count < MOST ? format.number(count) : `${format.number(MOST - 1)}+`;

/**
 * What waits: a number, or in areas that count several kinds the number of each with its name. Its title and screen readers say what is
 * counted.
 */
function waitingCount(ui: Ui, counted: readonly Counted[], waiting: WaitingNumbers | null): Html {
  const shown = counted.flatMap((kind) => {
    const count = waiting?.[kind] ?? 0;
    return count === 0
      ? []
      : [
          {
            number: waitingNumber(ui, count),
            text: ui.t(`site.waiting.${kind}`, { count, number: waitingNumber(ui, count) }),
          },
        ];
  });
  const [first] = shown;
  if (first === undefined) return html``;
  const all = joined(shown.map(({ text }) => text));
  const words = ui.t('site.waiting', { what: all });
  return html` <span class="count" aria-hidden="true" title="${words}">${counted.length > 1 ? all : first.number}</span><span class="visually-hidden">, ${words}</span>`;
}

/** The start page has its own, larger one. */
const searchForm = (ui: Ui, q: string): Html => html`<form class="site-search" action="/search/" role="search">
<label class="visually-hidden" for="site-search">${ui.t('site.search-label')}</label>
<input id="site-search" type="search" name="q" value="${q}" maxlength="100" autocomplete="off" placeholder="${ui.t('site.search-label')}" data-suggest="/search/suggest">
<button>${icon(ui, 'search')}<span>${ui.t('site.search')}</span></button>
</form>`;

/** Leads to the sign-in and back to this page. The pages of a sign-in itself are at addresses of the API, which are used once. */
function signInHref(path: string): string {
  const next = path.startsWith('/api/') ? '/' : withoutDone(path);
  return `/login/?next=${encodeURIComponent(next)}`;
}

function accountMenu(ui: Ui): Html {
  const { t, viewer, path } = ui;
  if (viewer === null) {
    return html`<div class="account-menu"><a href="${signInHref(path)}" rel="nofollow">${t('login.title')}</a></div>`;
  }
  return html`<div class="account-menu">
<a href="/account/"><span>${t('site.account', { name: html`<bdi>${viewer.username}</bdi>` })}</span></a>
<form method="post" action="/logout/">
<input type="hidden" name="form" value="logout">
${csrfField(ui)}
<button class="link-button">${t('logout.title')}</button>
</form>
</div>`;
}
