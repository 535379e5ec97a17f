import { html } from 'hono/html';
import { config } from '../../config.ts';
import { code } from '../html.ts';
import { askOperator } from '../site/operator.ts';
import { helpPage, pointList } from './article.ts';

/** What works, what does not, and whom to tell. */
export const accessibilityPage = helpPage({
  path: '/docs/accessibility/',
  intro: 'docs.accessibility.intro',
  body: (ui) => {
    const { t } = ui;
    return html`<h2 id="works">${t('docs.accessibility.works')}</h2>
${pointList([
  t('docs.accessibility.keyboard'),
  t('docs.accessibility.scripts'),
  t('docs.accessibility.zoom'),
  t('docs.accessibility.contrast'),
  t('docs.accessibility.motion'),
  t('docs.accessibility.languages'),
])}
<h2 id="keys">${t('docs.accessibility.keys')}</h2>
<p>${t('docs.accessibility.keys-text', { tab: html`<kbd>Tab</kbd>`, shift: html`<kbd>Shift</kbd>`, key: html`<kbd>?</kbd>` })}</p>
<h2 id="gaps">${t('docs.accessibility.gaps')}</h2>
${pointList([
  html`${t('docs.accessibility.gap-graphql', { path: code('/graphql') })} <a href="/docs/api/">${t('docs.api.title')}</a>`,
  html`${t('docs.accessibility.gap-try', { path: code('/docs/api/v4/try/') })} <a href="/docs/api/v4/">${t('docs.api.of', { version: code('v4') })}</a>`,
  t('docs.accessibility.gap-addons'),
])}
<h2 id="contact">${t('ui.report-problem')}</h2>
<p>${t('docs.accessibility.contact-text', { site: config.SITE_NAME })}</p>
${askOperator(ui)}`;
  },
});
