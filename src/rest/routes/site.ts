import { z } from 'zod';
import { SiteDocument } from '../../generated/operations/graphql.ts';
import { labelParam } from '../../http/params.ts';
import { addonHit } from '../json/addons.ts';
import { siteStatus } from '../json/site.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { API_VERSIONS } from '../view.ts';

const lang = labelParam('Language of the texts. Default: that of Accept-Language.');

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

/** Front ends that do not find it repeat the request without a pause. */
const sponsored = route({
  method: 'GET',
  path: '/shelves/sponsored/',
  summary: 'Paid places on the home page of front ends: this service has none',
  signIn: 'ignored',
  query: { lang },
  document: SiteDocument,
  variables: ({ view }) => ({ lang: view.lang }),
  reply: () => jsonReply({ results: [], impression_data: null, impression_url: null }),
  responses: {
    200: {
      description: 'An empty list.',
      schema: z.strictObject({
        results: z.array(addonHit.schema).max(0),
        impression_data: z.string().nullable(),
        impression_url: z.string().nullable(),
      }),
    },
  },
});

export const siteRoutes: readonly Route[] = [site, sponsored];
