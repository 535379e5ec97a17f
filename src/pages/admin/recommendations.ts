import { html } from 'hono/html';
import {
  AdminRecommendationsPageDocument,
  AdminSetRecommendationsDocument,
} from '../../generated/operations/graphql.ts';
import { form } from '../form.ts';
import { page } from '../page.ts';
import { adminPage } from './admin-page.ts';
import { expectedList, guidList, LIST_FIELDS, listAfterMove, MOVE_FIELDS } from './guid-list.ts';

/** The curated recommendations, best first. */
export const recommendationsPage = page({
  path: '/admin/recommendations/',
  visitor: 'account',
  document: AdminRecommendationsPageDocument,
  variables: () => ({}),
  view: ({ recommendationFallback: guids, recommendationFallbackAddons: addons }, _input, ui) => {
    const { t } = ui;
    return adminPage(ui, {
      tab: 'recommendations',
      body: html`<p>${t('admin.recommendations.why')}</p>
${guidList(ui, { name: 'recommendations', caption: t('admin.recommendations.order'), guids: guids ?? [], addons: addons ?? [] })}`,
    });
  },
});

export const recommendationsForm = form({
  page: recommendationsPage,
  name: 'recommendations',
  fields: LIST_FIELDS,
  document: AdminSetRecommendationsDocument,
  variables: (values) => ({ input: { guids: values.guids, expected: expectedList(values) } }),
});

export const moveRecommendationForm = form({
  page: recommendationsPage,
  name: 'recommendations-move',
  fields: MOVE_FIELDS,
  document: AdminSetRecommendationsDocument,
  variables: (values) => ({ input: { guids: listAfterMove(values), expected: expectedList(values) } }),
});
