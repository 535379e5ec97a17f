import { html } from 'hono/html';
import { facts } from '../components/facts.ts';
import { helpPage, pointList } from './article.ts';

/** How moderators decide about reports and ratings. */
export const moderationHelpPage = helpPage({
  path: '/docs/moderation/',
  intro: 'docs.moderation.intro',
  body: (ui) => {
    const { t } = ui;
    return html`<h2 id="reports">${t('moderation.title')}</h2>
${pointList([
  t('docs.moderation.read'),
  t('docs.moderation.separate'),
  t('docs.moderation.words'),
  t('docs.moderation.about-you'),
])}
${facts(ui, {
  items: (['VALID', 'DISMISSED', 'DUPLICATE'] as const).map((state) => ({
    term: t(`report.state.${state}`),
    value: t(`docs.moderation.${state}`),
  })),
})}
<h2 id="ratings">${t('moderation.ratings')}</h2>
${pointList([
  t('docs.moderation.opinion'),
  t('docs.moderation.hide'),
  t('docs.moderation.delete'),
  t('docs.moderation.own'),
])}
<h2 id="rules">${t('docs.moderation.rules')}</h2>
<ul><li><a href="/docs/review/">${t('docs.review.title')}</a></li>
<li><a href="/docs/agreement/">${t('docs.agreement.title')}</a></li></ul>`;
  },
});
