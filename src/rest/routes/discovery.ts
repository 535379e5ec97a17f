import { z } from 'zod';
import { refusedField } from '../../errors.ts';
import { BrowserMappingsDocument, DiscoveryDocument, HeroDocument } from '../../generated/operations/graphql.ts';
import { labelParam, langParam, type Param, refuseParam, sentText } from '../../http/params.ts';
import { message } from '../../texts/messages.ts';
import { browserMapping, discoveryItem, heroShape } from '../json/discovery.ts';
import { pageEnvelope, pageOf } from '../pagination.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { textVariables } from '../translations.ts';

/** Clients and caches keep these lists for some minutes. */
const MAX_AGE = 300;

const discoveryQuery = {
  edition: labelParam('Edition of the browser; lists for all editions when absent or unknown.'),
  lang: langParam,
  'telemetry-client-id': labelParam(
    '64 hex digits that name the client. Nothing is stored, and the list is the same for all.',
  ),
};

const listSchema = z.strictObject({ count: z.int(), results: z.array(discoveryItem.schema) });

const discoveryRoute = (path: string, summary: string, isEditorial: boolean): Route =>
  route({
    method: 'GET',
    path,
    summary,
    signIn: 'ignored',
    query: discoveryQuery,
    document: DiscoveryDocument,
    variables: ({ query, view }) => ({
      ...{ edition: query.edition, locale: view.lang, isEditorial },
      ...textVariables(view),
    }),
    reply: ({ discovery }, { view }) => ({
      ...jsonReply({ count: discovery.length, results: discovery.map((each) => discoveryItem.write(each, view)) }),
      maxAge: MAX_AGE,
    }),
    responses: { 200: { description: 'The add-ons.', schema: listSchema } },
  });

const discovery = discoveryRoute('/discovery/', 'Add-ons that the add-ons manager of browsers recommends', false);
const editorial = discoveryRoute('/discovery/editorial/', 'Those that curators have chosen', true);

const heroRoute = route({
  method: 'GET',
  path: '/hero/',
  summary: 'What the home page of front ends begins with',
  signIn: 'ignored',
  query: { lang: langParam },
  document: HeroDocument,
  variables: ({ view }) => textVariables(view),
  reply: ({ hero: shown }, { view }) => ({ ...jsonReply(heroShape.write(shown, view)), maxAge: MAX_AGE }),
  responses: { 200: { description: 'The parts of the page.', schema: heroShape.schema } },
});

const browser: Param<string> = {
  schema: z.string(),
  description: 'The other browser, such as chrome.',
  required: true,
  read: sentText.transform((text, context) =>
    text === null || text.trim() === ''
      ? refuseParam(context, () => message('field.required'))
      : text.trim().toLowerCase(),
  ),
};

const mappings = route({
  method: 'GET',
  path: '/addons/browser-mappings/',
  apiVersions: ['v5'],
  summary: 'Add-ons here for the extensions of another browser',
  signIn: 'ignored',
  query: { browser },
  paginated: true,
  document: BrowserMappingsDocument,
  variables: ({ query, page }) => ({ browser: query.browser, ...page }),
  reply: ({ browserMappings: { totalCount: count, nodes } }, { address, page, view, query }) => {
    if (count === 0 && !KNOWN.includes(query.browser))
      throw refusedField('browser', message('mapping.unknown_browser'));
    const results = nodes.map((each) => browserMapping.write(each, view));
    return jsonReply(pageEnvelope(address, page, { count, results }));
  },
  responses: { 200: { description: 'A page of pairs.', schema: pageOf(browserMapping.schema) } },
  refusals: [400, 404],
});

/** Browsers without pairs whose lists are empty; others are unknown until operators write a list. */
const KNOWN = ['chrome'];

export const discoveryRoutes: readonly Route[] = [editorial, discovery, heroRoute, mappings];
