import { html } from 'hono/html';
import { HELP_PAGES, helpPage } from './article.ts';

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
