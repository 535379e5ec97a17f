import { z } from 'zod';
import { CategoriesDocument, SiteDocument } from '../../generated/operations/graphql.ts';
import { label } from '../../http/params.ts';
import { unknownTypes } from '../addon-types.ts';
import { category, siteStatus } from '../json/site.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { API_VERSIONS } from '../view.ts';

const lang = label('Language of the texts. Default: that of Accept-Language.');

const categories = route({
  method: 'GET',
  path: '/addons/categories/',
  summary: 'All categories, with plain texts and without pages',
  signIn: 'ignored',
  query: { lang },
  document: CategoriesDocument,
  variables: ({ view }) => ({ lang: view.lang }),
  reply: ({ categories: all }, { view }) => {
    const hidden = unknownTypes(view);
    return jsonReply(all.filter(({ type }) => !hidden.includes(type)).map((each) => category.write(each, view)));
  },
  responses: { 200: { description: 'The categories.', schema: z.array(category.schema) } },
});

const site = route({
  method: 'GET',
  path: '/site/',
  apiVersions: API_VERSIONS,
  summary: 'Whether the service is in read-only mode, and what operators tell visitors',
  signIn: 'ignored',
  query: { lang },
  document: SiteDocument,
  variables: ({ view }) => ({ lang: view.lang }),
  reply: ({ serviceState }, { view }) => jsonReply(siteStatus.write(serviceState, view)),
  responses: { 200: { description: 'The state of the service.', schema: siteStatus.schema } },
});

export const siteRoutes: readonly Route[] = [categories, site];
