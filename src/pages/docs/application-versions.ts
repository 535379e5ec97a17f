import { html } from 'hono/html';
import { type Application, ApplicationVersionsPageDocument } from '../../generated/operations/graphql.ts';
import { APPLICATION_IDS } from '../../package/enums.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { helpArticle } from './article.ts';

/** The versions that a manifest may name as minimum and maximum, and the ids of applications. */
export const applicationVersionsPage = page({
  path: '/docs/application-versions/',
  visitor: 'all',
  document: ApplicationVersionsPageDocument,
  view: ({ desktop, mobile, mail, suite }, _input, ui) =>
    helpArticle(ui, {
      title: 'docs.versions.title',
      intro: 'docs.versions.intro',
      path: '/docs/application-versions/',
      body: html`${[desktop, mobile, mail, suite].map((versions) => versionsOf(ui, versions))}`,
    }),
});

function versionsOf({ t }: Ui, versions: readonly { app: Application; version: string }[]): Html | '' {
  const [first] = versions;
  if (first === undefined) return '';
  const { guid } = APPLICATION_IDS[first.app.toLowerCase() as Lowercase<Application>];
  return html`<h2 id="${first.app.toLowerCase()}">${t(`catalogue.app.${first.app}`)}</h2>
<p>${t('docs.versions.id')} ${code(guid)}</p>
<p class="cluster" dir="ltr">${versions.map(({ version }) => html`<code>${version}</code> `)}</p>
`;
}
