import { html } from 'hono/html';
import { segmentParam } from '../../http/params.ts';
import { DOCUMENTED_VERSIONS } from '../../rest/openapi.ts';
import { breadcrumbs } from '../components/breadcrumbs.ts';
import { page } from '../page.ts';

/** Requests that can be tried, by Swagger UI. The reference next to it has the same content without scripts. */
export const tryPage = page({
  path: '/docs/api/:version/try/',
  visitor: 'all',
  params: { version: segmentParam('Version of the API.') },
  view: (_data, { path }, ui) => {
    const version = DOCUMENTED_VERSIONS.find((each) => each === path.version);
    if (version === undefined) return null;
    const { t } = ui;
    const title = t('docs.api.try-of', { version });
    return {
      title,
      section: 'docs',
      robots: 'noindex',
      hasForeignProgram: true,
      styles: ['swagger-ui.css'],
      scripts: ['try.js'],
      main: html`${breadcrumbs(ui, [
        { text: t('docs.title'), href: '/docs/' },
        { text: t('docs.api.title'), href: '/docs/api/' },
        { text: t('docs.api.of', { version }), href: `/docs/api/${version}/` },
        { text: t('docs.api.try') },
      ])}
<h1>${title}</h1>
<p class="lead">${t('docs.api.try-intro')} <a href="/docs/api/${version}/">${t('docs.api.of', { version })}</a></p>
<div class="api-try" id="api-try" lang="en" dir="ltr" data-document="/docs/openapi-${version}.json"></div>`,
    };
  },
});
