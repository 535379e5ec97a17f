import { html } from 'hono/html';
import { shortcutKeys } from '../components/shortcuts.ts';
import { helpPage, pointList, stepList } from './article.ts';

/** How reviewers work: a review step by step, claims, drafts and keys. */
export const reviewersHelpPage = helpPage({
  path: '/docs/reviewers/',
  intro: 'docs.reviewers.intro',
  body: (ui) => {
    const { t } = ui;
    return html`<h2 id="steps">${t('docs.reviewers.steps')}</h2>
${stepList([
  t('docs.reviewers.step-open'),
  t('docs.reviewers.step-read'),
  t('docs.reviewers.step-comment'),
  t('docs.reviewers.step-decide'),
])}
<p><a href="/docs/review/">${t('docs.review.what')}</a></p>
<h2 id="claims">${t('docs.reviewers.claims')}</h2>
<p>${t('docs.reviewers.claims-text')}</p>
<h2 id="drafts">${t('docs.reviewers.drafts')}</h2>
${pointList([t('docs.reviewers.drafts-who'), t('docs.reviewers.drafts-sent'), t('docs.reviewers.drafts-kept')])}
<h2 id="next">${t('docs.reviewers.next')}</h2>
<p>${t('docs.reviewers.next-text')}</p>
<h2 id="keys">${t('review.keys')}</h2>
${shortcutKeys(ui)}
<p>${t('review.keys.off')}</p>`;
  },
});
