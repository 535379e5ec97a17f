/*
 * What the tables of object states cover: every route, every field of Query and Mutation, every node, and every field that not all
 * viewers get.
 */
import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { ACCOUNT_ACTIONS } from './object-accounts.ts';
import { OBJECT_FIELDS } from './object-fields.ts';
import { OBJECT_MUTATIONS } from './object-mutations.ts';
import { REST_ACTIONS } from './object-routes.ts';
import { STATE_TABLES } from './state-tables.ts';

const accountPath = (name: string) => name.replace(/^([A-Z]+) \//, '$1 /accounts/account/:account/');

/** The tables by the routes and fields that they cover. Entries of one field differ after a comma. */
export function coveredBy(): Map<string, string[]> {
  const covered = new Map<string, string[]>();
  const add = (table: string, names: readonly string[]) => {
    for (const name of names.map(keyOf)) covered.set(name, [...new Set([...(covered.get(name) ?? []), table])]);
  };
  const accountNames = ACCOUNT_ACTIONS.map(({ name }) => accountPath(name));
  add(
    'an add-on or a version',
    [...REST_ACTIONS, ...OBJECT_FIELDS, ...OBJECT_MUTATIONS].map(({ name }) => name),
  );
  add('an account', accountNames);
  for (const { kind, actions } of STATE_TABLES) {
    for (const { name, covers = [] } of actions) add(kind, [name, ...covers]);
  }
  return covered;
}

/** `node, of a TYPE` is a key of its own. */
const keyOf = (name: string): string =>
  /^node, of an? \w+/.exec(name)?.[0].replace(' an ', ' a ') ?? name.split(',')[0] ?? '';

/** A description of what not all viewers get. */
const IS_GATED = /\bviewers?\b|\bRequires [A-Z]|\bfor all but\b/;

/** Everything that a table must cover or `UNCOVERED` explain. */
export function namesOf(schema: GraphQLSchema, routes: readonly { method: string; path: string }[]): string[] {
  const fieldsOf = (type: 'Query' | 'Mutation') =>
    Object.keys((type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {});
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !['Query', 'Mutation', 'Subscription'].includes(type.name),
  );
  const gated = types.flatMap((type) =>
    !isObjectType(type)
      ? []
      : Object.values(type.getFields())
          .filter(({ description }) => IS_GATED.test(description ?? ''))
          .map(({ name }) => `${type.name}.${name}`),
  );
  const nodes = schema.getType('Node');
  const implementations = isInterfaceType(nodes) ? schema.getImplementations(nodes).objects : [];
  return [
    ...new Set(routes.map(({ method, path }) => `${method} ${path}`)),
    ...fieldsOf('Query').filter((name) => name !== 'node'),
    ...fieldsOf('Mutation'),
    ...implementations.map(({ name }) => `node, of a ${name}`),
    ...gated,
  ];
}

/** What no table of states covers, by the reason. authorization.test.ts has the roles of each route, query field and mutation. */
export const UNCOVERED: Readonly<Record<string, readonly string[]>> = {
  'takes no object, or the account, session or address of the request alone': [
    'GET /accounts/login/start/',
    'GET /accounts/authenticate/',
    'GET /accounts/profile/',
    'DELETE /accounts/session/',
    'acceptDeveloperAgreement',
    'createApiKey',
    'developerAddons',
    'endOtherSessions',
    'linkIdentity',
    'serviceState',
    'setReadOnly',
    'signOut',
    'signingRoot',
    'viewer',
    'AbuseReportStatus.isOwn',
    'DeleteAccountPayload.isOwn',
  ],
  'makes a new object of any name': [
    'POST /accounts/super-create/',
    'POST /addons/',
    'POST /addons/addon/',
    'POST /addons/upload/',
    'createCannedResponse',
    'createGroup',
    'createPersona',
    'createUpload',
    'submitAddon',
  ],
  'belongs to one account alone, and domain/sessions/identities.test.ts tests others': [
    'node, of a AccountIdentity',
    'removeIdentity',
  ],
  'has a token of its own instead of a role': [
    'POST /activity/mail',
    'abuseReportStatus',
    'mailingOfLink',
    'unsubscribe',
  ],
  'has public objects only': [
    'GET /addons/search/',
    'GET /addons/autocomplete/',
    'GET /addons/featured/',
    'GET /addons/language-tools/',
    'GET /addons/replacement-addon/',
    'GET /addons/compat-override/',
    'GET /addons/recommendations/',
    'GET /themes/update-check/:id',
    'addons',
    'applicationVersions',
    'autocomplete',
    'categories',
    'collection',
    'compatOverrides',
    'featuredAddons',
    'languageTools',
    'licenses',
    'recommendations',
    'replacements',
    'reviewTimes',
    'search',
    'signatureLog',
    'signatureLogEntry',
    'sitemap',
    'node, of a Category',
    'node, of a CompatOverride',
    'node, of a Replacement',
    'node, of a SignatureLogEntry',
  ],
  'has one permission for all objects, whatever their state': [
    'addApplicationVersion',
    'auditLog',
    'deleteCategory',
    'deleteLicense',
    'recordStatistics',
    'upsertCategory',
    'upsertCollection',
    'deleteCollection',
    'upsertCompatOverride',
    'deleteCompatOverride',
    'upsertLicense',
    'setRecommendationFallback',
    'upsertReplacement',
    'deleteReplacement',
  ],
  'shows an object of another table, or none': [
    'Account.addons',
    'Addon.latestUnlistedVersion',
    'AccountSummary.pictureUrl',
    'AddonAuthor.account',
    'AddonAuthor.url',
    'ChannelState.available',
    'CompatOverride.addon',
  ],
};
