import { SiteDocument } from '../../generated/operations/graphql.ts';
import { label } from '../../http/params.ts';
import { siteStatus } from '../json/site.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { API_VERSIONS } from '../view.ts';

const lang = label('Language of the texts. Default: that of Accept-Language.');

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

export const siteRoutes: readonly Route[] = [site];
