import { html } from 'hono/html';
import { page } from '../page.ts';
import { article, HELP_PAGES } from './article.ts';

/** What there is to read. */
export const docsPage = page({
  path: '/docs/',
  visitor: 'all',
  view: (_data, _input, ui) =>
    article(ui, {
      title: 'docs.title',
      intro: 'docs.intro',
      path: '/docs/',
      body: html`<dl class="link-terms">
${HELP_PAGES.map(
  ({ href, title, about }) => html`<dt><a href="${href}">${ui.t(title)}</a></dt>
<dd>${ui.t(about)}</dd>
`,
)}
<dt><a href="/graphql">${ui.t('docs.graphql.title')}</a></dt>
<dd>${ui.t('docs.graphql.about')}</dd>
</dl>`,
    }),
});
