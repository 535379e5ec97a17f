import {
  AddonDetailDocument,
  AddonFeatureCompatibilityDocument,
  AddonPoliciesDocument,
  AddonRevisionDocument,
} from '../../generated/operations/graphql.ts';
import { type AddonReference, addonReference } from '../../graphql/references.ts';
import {
  applicationParam,
  isTrue,
  labelParam,
  langParam,
  orNull,
  type Param,
  segmentParam,
  sentText,
  sinceV4,
} from '../../http/params.ts';
import { addonShape, featureCompatibility, policiesShape } from '../json/addons.ts';
import { requireFound, responseOf } from '../json/shape.ts';
import { jsonReply, type Route, route } from '../route.ts';
import { textVariables } from '../translations.ts';
import { API_VERSIONS, type View } from '../view.ts';

/** The path parameter that names an add-on. */
export const addonParams = {
  addon: segmentParam('Id, slug or guid of the add-on; upper and lower case are the same.'),
};

/** The variables that name the add-on of a path. Tools of the submission API strip the braces of guids. */
export function addonVariables({ addon: text }: { addon: string }, view: View): { by: AddonReference } {
  return { by: view.gates.submission ? submittedReference(text) : addonReference(text) };
}

/** A guid without its braces. */
const BARE_GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** How a path of the submission API names an add-on. */
export const submittedReference = (text: string): AddonReference =>
  BARE_GUID.test(text) ? { guid: `{${text}}` } : addonReference(text);

/** The operation ignores it except for language packs. An empty one counts as absent. */
const applicationVersion: Param<string | null> = {
  ...labelParam(
    'Version of the application, with app: of a language pack, the newest version that works with it is shown.',
  ),
  read: sentText.transform((text) => text || null),
};

const addonDetail = route({
  method: 'GET',
  path: '/addons/addon/:addon/',
  apiVersions: API_VERSIONS,
  summary: 'An add-on',
  parameterNames: { appVersion: 'appversion' },
  signIn: 'optional',
  params: addonParams,
  query: {
    app: sinceV4(orNull(applicationParam)),
    appversion: sinceV4(applicationVersion),
    lang: langParam,
    show_grouped_ratings: isTrue('Adds the number of ratings by score, grouped_counts, to ratings.'),
    wrap_outgoing_links: labelParam('When present, links to other sites lead through the outgoing-link host.'),
  },
  revision: {
    document: AddonRevisionDocument,
    // The newest version for an application version, and the numbers by score, may change without the add-on.
    variables: ({ path, query, view }) =>
      query.appversion === null && !query.show_grouped_ratings ? addonVariables(path, view) : null,
    of: ({ addonRevision }) => addonRevision,
  },
  document: AddonDetailDocument,
  variables: ({ path, query, view }) => ({
    ...addonVariables(path, view),
    ...textVariables(view),
    submission: view.gates.submission,
    grouped: query.show_grouped_ratings,
    app: query.app,
    appVersion: query.appversion,
  }),
  reply: ({ addon: shown }, { view }) => jsonReply(addonShape.write(requireFound(shown), view)),
  responses: { 200: responseOf('The add-on.', addonShape) },
  refusals: [400, 403, 404],
});

const addonFeatures = route({
  method: 'GET',
  path: '/addons/addon/:addon/feature_compatibility/',
  summary: 'Feature compatibility of an add-on',
  signIn: 'optional',
  params: addonParams,
  document: AddonFeatureCompatibilityDocument,
  variables: ({ path, view }) => addonVariables(path, view),
  reply: ({ addon: shown }) =>
    jsonReply({ e10s: requireFound(shown).featureCompatibility.e10s.toLowerCase().replaceAll('_', '-') }),
  responses: { 200: { description: 'The features.', schema: featureCompatibility } },
  refusals: [403, 404],
});

const addonPolicies = route({
  method: 'GET',
  path: '/addons/addon/:addon/eula_policy/',
  apiVersions: API_VERSIONS,
  summary: 'EULA and privacy policy of an add-on',
  signIn: 'optional',
  params: addonParams,
  query: { lang: langParam },
  document: AddonPoliciesDocument,
  variables: ({ path, view }) => ({ ...addonVariables(path, view), ...textVariables(view) }),
  reply: ({ addon: shown }, { view }) => jsonReply(policiesShape.write(requireFound(shown), view)),
  responses: { 200: responseOf('The texts.', policiesShape) },
  refusals: [403, 404],
});

export const addonRoutes: readonly Route[] = [addonDetail, addonFeatures, addonPolicies];
