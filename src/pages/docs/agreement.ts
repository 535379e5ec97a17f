import { html } from 'hono/html';
import { wrapLink } from '../../auth/outgoing-links.ts';
import { config } from '../../config.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { PageTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { helpArticle, pointList } from './article.ts';

/** The developer agreement: that of the operator, or else a default one. */
export const agreementPage = page({
  path: '/docs/agreement/',
  visitor: 'all',
  view: (_data, _input, ui) => {
    const { DEVELOPER_AGREEMENT_URL: own } = config;
    if (own !== undefined) return redirect(wrapLink(own));
    return helpArticle(ui, {
      title: 'docs.agreement.title',
      intro: 'docs.agreement.intro',
      path: '/docs/agreement/',
      body: defaultText(ui),
    });
  },
});

function defaultText({ t }: Ui): Html {
  const rules = html`<a href="/docs/review/">${t('account.agreement.rules')}</a>`;
  const chapter = (title: PageTextKey, items: readonly Html[]) => html`<h2>${t(title)}</h2>
${pointList(items)}`;
  return html`${chapter('docs.agreement.yours', [
    t('docs.agreement.rights'),
    t('docs.agreement.permission'),
    t('docs.agreement.law'),
    t('docs.agreement.honest', { rules }),
    t('docs.agreement.data'),
  ])}
${chapter('account.profile.title', [t('docs.agreement.secrets'), t('docs.agreement.responsible')])}
${chapter('docs.agreement.site', [
  t('docs.agreement.review'),
  t('docs.agreement.public'),
  t('docs.agreement.warranty'),
])}
${chapter('docs.agreement.end', [t('docs.agreement.leave'), t('docs.agreement.change')])}`;
}
