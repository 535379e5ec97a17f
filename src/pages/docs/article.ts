/* The parts of a page of help: navigation, headings, steps and commands. */
import { html } from 'hono/html';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import type { Html } from '../html.ts';
import { type PageContent, type PageRow, page } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';

/** The pages of help in the order of the navigation. */
export const HELP_PAGES = [
  { href: '/docs/install/', title: 'docs.install.title', about: 'docs.install.about' },
  { href: '/docs/first-addon/', title: 'docs.first.title', about: 'docs.first.about' },
  { href: '/docs/review/', title: 'docs.review.title', about: 'docs.review.about' },
  { href: '/docs/reviewers/', title: 'docs.reviewers.title', about: 'docs.reviewers.about' },
  { href: '/docs/agreement/', title: 'docs.agreement.title', about: 'docs.agreement.about' },
  { href: '/docs/moderation/', title: 'docs.moderation.title', about: 'docs.moderation.about' },
  { href: '/docs/verify/', title: 'docs.verify.title', about: 'docs.verify.about' },
  { href: '/docs/limits/', title: 'docs.limits.title', about: 'docs.limits.about' },
  { href: '/docs/application-versions/', title: 'docs.versions.title', about: 'docs.versions.about' },
  { href: '/docs/api/', title: 'docs.api.title', about: 'docs.api.about' },
  { href: '/docs/accessibility/', title: 'docs.accessibility.title', about: 'docs.accessibility.about' },
] as const satisfies readonly { href: string; title: PageTextKey; about: PageTextKey }[];

interface Article {
  /** Of the heading and of the document. */
  title: PageTextKey;
  /** First paragraph, and the description for search engines. */
  intro: PageTextKey;
  /** The address of the page. */
  path: string;
  /** A page between the help and this one. */
  above?: { text: Html | string; href: string };
  heading?: Html;
  body: Html;
}

interface HelpPage extends Pick<Article, 'path' | 'intro'> {
  body(ui: Ui): Html;
}

/** A page of help without data. Its title is that in the navigation. */
export const helpPage = ({ path, intro, body }: HelpPage): PageRow => {
  const title = HELP_PAGES.find(({ href }) => href === path)?.title ?? 'docs.title';
  return page({
    path,
    visitor: 'all',
    view: (_data, _input, ui) => helpArticle(ui, { title, intro, path, body: body(ui) }),
  });
};

/** The content of a page of help. */
export function helpArticle(ui: Ui, { title, intro, path, above, heading, body }: Article): PageContent {
  const { t } = ui;
  const crumbs = [{ text: t('docs.title'), href: '/docs/' }, ...(above ? [above] : []), { text: heading ?? t(title) }];
  return {
    title: heading ?? t(title),
    description: String(t(intro)),
    canonical: path,
    section: 'docs',
    main: html`${path !== '/docs/' && breadcrumbs(ui, crumbs)}
<div class="columns">
<article class="prose">
<h1>${heading ?? t(title)}</h1>
<p class="lead">${t(intro)}</p>
${body}
</article>
${path !== '/docs/' && helpPages(ui, path)}
</div>`,
  };
}

/** The side column: links to all pages of help. */
const helpPages = (
  { t }: Ui,
  path: string,
): Html => html`<nav class="panel" aria-label="${t('docs.pages')}"><ul class="link-list">
${HELP_PAGES.map((each) => html`<li><a href="${each.href}"${each.href === path && html` aria-current="page"`}>${t(each.title)}</a></li>`)}</ul></nav>`;

/** A command or a piece of a file. */
export const commandBlock = (text: string): Html => html`<pre dir="ltr" tabindex="0"><code>${text}</code></pre>`;

/** Numbered steps. */
export const stepList = (items: readonly Html[]): Html => html`<ol>${items.map((item) => html`<li>${item}</li>`)}</ol>`;

/** A list of points. */
export const pointList = (items: readonly Html[]): Html =>
  html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** What there is to read. */
export const docsPage = helpPage({
  path: '/docs/',
  intro: 'docs.intro',
  body: (ui) => html`<dl class="link-terms">
${HELP_PAGES.map(
  ({ href, title, about }) => html`<dt><a href="${href}">${ui.t(title)}</a></dt>
<dd>${ui.t(about)}</dd>
`,
)}
<dt><a href="/graphql">${ui.t('docs.graphql.title')}</a></dt>
<dd>${ui.t('docs.graphql.about')}</dd>
</dl>`,
});
