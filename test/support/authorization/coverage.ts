/* What the tables of object states cover: every route, every field of Query and Mutation, and every node. */
import { type GraphQLSchema, isInterfaceType } from 'graphql';
import { TABLES } from './all-kinds.ts';
import { sectionOf } from './read-table.ts';

/** The rows about what no table of objects has: routes, fields and pages by role alone. */
export const SERVICE = sectionOf('the service');

const isRoute = (name: string): boolean => /^[A-Z]+ \//.test(name);

/** The tables by the routes and fields that they cover. Entries of one field differ after a comma. */
export function coveredBy(): Map<string, string[]> {
  const covered = new Map<string, string[]>();
  const add = (table: string, names: readonly string[]) => {
    for (const name of names.map(keyOf)) covered.set(name, [...new Set([...(covered.get(name) ?? []), table])]);
  };
  for (const { kind, actions } of TABLES) {
    for (const { name, act } of actions)
      add(kind.kind, [...(name.startsWith('/') ? [] : [name]), ...(act.covers ?? [])]);
  }
  add(SERVICE.kind, [...SERVICE.actions.keys()].filter(isRoute));
  return covered;
}

/** `node, of a TYPE` is a key of its own. */
const keyOf = (name: string): string =>
  /^node, of an? \w+/.exec(name)?.[0].replace(' an ', ' a ') ?? name.split(',')[0] ?? '';

/** Everything that a table must cover or `UNCOVERED` explain. object-states.test.ts finds fields of types that not all viewers get. */
export function namesOf(schema: GraphQLSchema, routes: readonly { method: string; path: string }[]): string[] {
  const fieldsOf = (type: 'Query' | 'Mutation') =>
    Object.keys((type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {});
  const nodes = schema.getType('Node');
  const implementations = isInterfaceType(nodes) ? schema.getImplementations(nodes).objects : [];
  return [
    ...new Set(routes.map(({ method, path }) => `${method} ${path}`)),
    ...fieldsOf('Query').filter((name) => name !== 'node'),
    ...fieldsOf('Mutation'),
    ...implementations.map(({ name }) => `node, of a ${name}`),
  ];
}

const words = (text: string): string[] => text.trim().split(/\s+/);
const nodes = (types: string): string[] => words(types).map((type) => `node, of a ${type}`);

/** What no table of states covers, by the reason. authorization.test.ts has the roles of each query field and mutation. */
export const UNCOVERED: Readonly<Record<string, readonly string[]>> = {
  'takes no object, or the account, session or address of the request alone': words(`
    acceptDeveloperAgreement isCannedResponseKeeper createApiKey developerAddons endOtherSessions jobHealth linkIdentity
    ownData reviewQueueParts reviewSubscriptions serviceHealth serviceState setReadOnly setSiteNotice signOut signingRoot viewer waitingWork
    AbuseReportStatus.isOwn DeleteAccountPayload.isOwn`),
  'makes a new object of any name': words(
    'createCannedResponse createCollection createGroup createPersona createUpload submitAddon',
  ),
  'belongs to one account alone, and domain/sessions/identities.test.ts tests others': [
    ...nodes('AccountIdentity'),
    'removeIdentity',
  ],
  'takes an author, and domain/reviewing/reviewed-author.test.ts tests others': ['reviewedAuthor'],
  'has a token of its own instead of a role': [
    ...words('abuseReportStatus exchangePublisherToken mailingOfLink unsubscribe'),
    'POST /publishing/token/',
  ],
  'belongs to one add-on, and rest/publishing.test.ts tests others': ['removeTrustedPublisher'],
  'is the route of v4 under the name that it has in v3': [
    'GET /reviews/review/',
    'POST /reviews/review/',
    'GET /reviews/review/:id/',
    'PATCH /reviews/review/:id/',
    'DELETE /reviews/review/:id/',
    'POST /reviews/review/:id/reply/',
    'POST /reviews/review/:id/flag/',
  ],
  'has public objects only': [
    ...words(`addons applicationVersions autocomplete browserMappings categories compatOverrides discovery hero featuredAddons languageTools
      licenses recommendations replacements reviewTimes search signatureLog signatureLogEntry sitemap publishingIssuers`),
    ...nodes('Category CompatOverride Replacement SignatureLogEntry'),
  ],
  'counts the objects of a list that has a row': ['abuseReportCounts', 'ratingsToModerateByAddon'],
  'names objects that a list with a row has, and public ones': ['moderatedAccount', 'moderatedAddon'],
  'has one permission for all objects, whatever their state': words(`
    addApplicationVersion auditActions auditLog auditSubjects auditVerification deleteCategory deleteLicense categoryUses licenseUses collections
    dropJob featuredEntries recommendationFallback recommendationFallbackAddons job jobStatus jobs retryJob recordStatistics upsertCategory upsertCollection
    deleteCollection upsertCompatOverride deleteCompatOverride upsertLicense setRecommendationFallback setDiscovery setHero setBrowserMappings upsertReplacement
    heroEntries heroEntry createHeroEntry updateHeroEntry deleteHeroEntry updateHeroSecondary
    discoveryEntries upsertDiscoveryEntry deleteDiscoveryEntry upsertBrowserMapping deleteBrowserMapping
    deleteReplacement`),
  'changes from one request to the next, not with the viewer': ['ReviewFacts.medianWaitingHours'],
  'shows an object of another table, or none': words(`
    Account.addons Addon.latestUnlistedVersion AccountSummary.pictureUrl AuditEntry.addon AuditEntry.version AddonAuthor.account AddonAuthor.url
    ApiKey.addon ChannelState.available CompatOverride.addon FeaturedEntry.addon Job.addon Job.version JobChange.addon JobChange.version UpdateAddress.addon`),
};
