import { html } from 'hono/html';
import { ReplacementsPageDocument, type ReplacementsPageQuery } from '../../generated/operations/graphql.ts';
import { textParam } from '../../http/params.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { notice } from '../components/notice.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { cardGrid } from './cards.ts';

/** Add-ons that replace a legacy add-on, by its guid. */
export const replacementsPage = page({
  path: '/replacements/',
  visitor: 'all',
  query: { guid: textParam('The guid of the legacy add-on.') },
  document: ReplacementsPageDocument,
  // Without a guid nothing is looked up: no add-on has an empty one.
  variables: ({ query }) => ({ guids: [query.guid?.trim() || '-'] }),
  view: ({ replacements }, { query }, ui) => {
    const { t } = ui;
    const guid = query.guid?.trim() ?? '';
    return {
      title: t('replacement.title'),
      description: String(t('replacement.intro')),
      canonical: '/replacements/',
      ...(guid === '' ? {} : { robots: 'noindex' }),
      main: html`${breadcrumbs(ui, [{ text: t('catalogue.home'), href: '/' }, { text: t('replacement.title') }])}
<h1>${t('replacement.title')}</h1>
<p class="lead">${t('replacement.intro')}</p>
<form class="form" action="/replacements/">
<div class="form-field"><label for="replacement-guid">${t('replacement.guid')}</label>
<input type="text" id="replacement-guid" name="guid" value="${guid}" maxlength="255" autocomplete="off" dir="ltr" required></div>
<div class="form-actions cluster"><button type="submit" class="button primary">${t('replacement.find')}</button></div>
</form>
${guid === '' ? '' : found(ui, guid, replacements.nodes)}`,
    };
  },
});

type Found = ReplacementsPageQuery['replacements']['nodes'];

function found(ui: Ui, guid: string, [replacement]: Found): Html {
  const { t } = ui;
  const id = html`<bdi dir="ltr">${guid}</bdi>`;
  if (replacement !== undefined && replacement.addons.length > 0) {
    return html`<section aria-labelledby="found"><h2 id="found">${t('replacement.found', { guid: id })}</h2>
${cardGrid(ui, replacement.addons)}</section>`;
  }
  return notice(ui, {
    kind: 'info',
    text: t('replacement.none', { guid: id }),
    actions: html`<a href="/search/">${t('replacement.search')}</a>`,
    isResult: true,
  });
}
