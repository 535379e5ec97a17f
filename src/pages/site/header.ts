import { html } from 'hono/html';
import { config } from '../../config.ts';
import { csrfField } from '../components/csrf-field.ts';
import { icon } from '../components/icon.ts';
import { withoutDone } from '../form.ts';
import type { Html } from '../html.ts';
import type { Content } from '../page.ts';
import type { TextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

interface Section {
  section: NonNullable<Content['section']>;
  href: string;
  text: TextKey;
}

const SECTIONS: readonly Section[] = [
  { section: 'extensions', href: '/search/?type=extension', text: 'catalogue.type.EXTENSION' },
  { section: 'themes', href: '/search/?type=statictheme', text: 'site.themes' },
  { section: 'language-tools', href: '/language-tools/', text: 'site.language-tools' },
  { section: 'developers', href: '/developers/', text: 'site.developers' },
  { section: 'docs', href: '/docs/', text: 'docs.title' },
];

const REVIEWERS: Section = { section: 'reviewers', href: '/reviewers/', text: 'site.reviewers' };

/** The top of every page: the name of the site, the search, the navigation and the account. */
export function siteHeader(ui: Ui, current: Content['section']): Html {
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
${[...SECTIONS, ...(ui.viewer?.isReviewer ? [REVIEWERS] : [])].map(
  ({ section, href, text }) =>
    html`<li><a href="${href}"${section === current ? html` aria-current="true"` : ''}>${t(text)}</a></li>
`,
)}
</ul>
</nav>
</header>`;
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
