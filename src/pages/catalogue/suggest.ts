import { html } from 'hono/html';
import { SuggestPageDocument } from '../../generated/operations/graphql.ts';
import { languageAttributes } from '../components/local-text.ts';
import { picture } from '../components/picture.ts';
import { page } from '../page.ts';
import * as params from './params.ts';

/** Add-ons whose names match a partial query: a bare list of links, for `page.js`. */
export const suggestPage = page({
  path: '/search/suggest',
  visitor: 'all',
  limit: 'page-suggest',
  query: { q: params.queryParam, app: params.appParam, type: params.typesParam },
  document: SuggestPageDocument,
  variables: ({ query: { q, app, type } }) => ({ q: q ?? '', filter: { app, types: type } }),
  view: async ({ autocomplete }, _input, ui) => ({
    kind: 'file',
    contentType: 'text/html; charset=utf-8',
    text: String(
      await html`<!doctype html>
<html lang="${ui.language}" dir="${ui.direction}">
<head>
<meta charset="utf-8">
<title>${ui.t('search.suggestions')}</title>
</head>
<body>
<main>
<h1>${ui.t('search.suggestions')}</h1>
<ul id="suggestions">
${autocomplete.map(
  ({ url, slug, icons, name }) =>
    html`<li><a href="${url}">${picture(ui, { url: icons[0]?.url ?? '', width: 24, height: 24, alt: '' })}<span${languageAttributes(ui, name?.locale ?? null)}>${name?.value ?? slug}</span></a></li>
`,
)}</ul>
</main>
</body>
</html>
`,
    ),
  }),
});
