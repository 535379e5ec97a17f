import { html } from 'hono/html';
import { config } from '../../config.ts';
import { facts } from '../components/facts.ts';
import { helpPage, pointList } from './article.ts';

/** What reviewers look at, and what follows. */
export const reviewHelpPage = helpPage({
  path: '/docs/review/',
  intro: 'docs.review.intro',
  body: (ui) => {
    const { t } = ui;
    const hours = config.REVIEW_AUTO_APPROVE_HOURS;
    return html`<h2 id="what">${t('docs.review.what')}</h2>
${pointList([
  t('docs.review.rule-purpose'),
  t('docs.review.rule-permissions'),
  t('docs.review.rule-data'),
  t('docs.review.rule-code'),
  t('docs.review.rule-remote'),
  t('docs.review.rule-names'),
])}
<p>${t('docs.review.operator')}</p>
<h2 id="before">${t('docs.review.before')}</h2>
${pointList([t('docs.review.before-source'), t('docs.review.before-notes'), t('docs.review.before-listing')])}
<h2 id="decisions">${t('docs.review.decisions')}</h2>
${facts(ui, {
  items: [
    { term: t('docs.review.approved'), value: t('docs.review.approved-next') },
    { term: t('docs.review.rejected'), value: t('docs.review.rejected-next') },
    { term: t('docs.review.information'), value: t('docs.review.information-next') },
    { term: t('docs.review.referred'), value: t('docs.review.referred-next') },
  ],
})}
<p>${hours === undefined ? t('docs.review.no-automatic') : t('docs.review.automatic', { hours: ui.format.number(hours) })}</p>
<h2 id="thread">${t('docs.review.thread')}</h2>
<p>${t('docs.review.thread-text')}</p>
<p><a href="/developers/">${t('docs.agreement.yours')}</a></p>`;
  },
});
