/* What clients of a cache request: every address of a demo, with the credentials of every role. */
import { pages } from '../../src/pages/table.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { openSession } from '../browser/accounts.ts';
import { sendGraphql } from '../browser/graphql.ts';
import { hostileLines } from '../browser/hostile.ts';
import { authorizationOf, type Cookies, cookieHeader, ROLES, type Role } from '../browser/roles.ts';
import { type Facts, findFacts } from '../browser/sample-facts.ts';
import { ADDITIONAL, SAMPLES } from '../browser/samples/all.ts';
import type { DemoService } from '../browser/service.ts';
import { authorization } from '../crash/support/signing-client.ts';

/** A request, without credentials. */
export interface Target {
  method: string;
  path: string;
  body?: string;
  /** Whether it ends the session of its client, so that only clients without one send it. */
  endsSession?: true;
}

/** A client with credentials. */
export interface Identity {
  name: string;
  /** Who it is for the APIs, which ignore cookies. */
  api: string;
  /** Who it is for pages, which ignore `Authorization`. */
  page: string;
  headers(): Record<string, string>;
}

/** What a run requests, and as who. */
export interface CacheWorld {
  /** The Host of all requests. */
  host: string;
  targets: readonly Target[];
  identities: readonly Identity[];
  /** Guids of public add-ons. */
  guids: readonly string[];
  /** An add-on that may be disabled. */
  slug: string;
  guid: string;
  /** Texts that no response to an anonymous client contains. */
  secrets: readonly string[];
}

const SIGNED_IN = (Object.keys(ROLES) as Role[]).filter((role) => role !== 'anonymous');
const PRIVATE_COLLECTION = 'to-try';
const READ = 'GET';
/** An add-on of the demo that no sample of a page needs. */
const CHANGED = { slug: 'tabs-finder', guid: 'tabs-finder@world.example' };

const KEY = `mutation { createApiKey(input: { acceptDeveloperAgreement: true }) {
  ... on CreateApiKeyPayload { secret apiKey { key } } } }`;
const ADDRESS = `mutation ($guid: String!) { createUpdateAddress(input: { guid: $guid }) {
  ... on CreateUpdateAddressPayload { url } } }`;
const VIEWER = '{ viewer { private { email } } }';
const PUBLIC = `{ addons(first: 10) { nodes { guid } } }`;
const UNLISTED = `query ($slug: String!) { addon(by: { slug: $slug }) {
  guid versions(first: 1) { nodes { files { databaseId } } } } }`;

interface Unlisted {
  addon: { guid: string; versions: { nodes: { files: { databaseId: number }[] }[] } };
}

/** Queries that a client may send by GET. */
const QUERIES = [
  '{ viewer { username private { email } } }',
  '{ addon(by: { slug: "tab-notes" }) { name { locale value } } }',
  '{ addon(by: { slug: "margin-notes" }) { name { locale value } status } }',
  '{ search(first: 5) { nodes { slug } } }',
  '{ collection(by: { ofAccount: { account: { username: "demo-user" }, slug: "to-try" } }) { slug } }',
];

/** Prepares a demo: what the samples of pages need, a key of each account, and an update address of unlisted versions. */
export async function makeWorld(demo: DemoService): Promise<CacheWorld> {
  await demo.importLines(hostileLines());
  const opened = await Promise.all(
    (Object.keys(ROLES) as Role[]).map(async (role) => [role, await openSession(demo.url, role)] as const),
  );
  const cookies = Object.fromEntries(opened) as Record<Role, Cookies>;
  const facts = await findFacts(demo, cookies);
  const developer = authorizationOf(cookies.developer);
  const slug = facts.code.split('/')[2] ?? '';
  const ask = <Data>(query: string, variables = {}, as = developer) =>
    sendGraphql<Data>(demo.url, as, query, variables);
  const { guid, versions } = (await ask<Unlisted>(UNLISTED, { slug })).addon;
  const [{ createUpdateAddress }, listed, emails, people] = await Promise.all([
    ask<{ createUpdateAddress: { url: string } }>(ADDRESS, { guid }),
    ask<{ addons: { nodes: { guid: string }[] } }>(PUBLIC),
    Promise.all(
      SIGNED_IN.map((role) =>
        ask<{ viewer: { private: { email: string } } }>(VIEWER, {}, authorizationOf(cookies[role])),
      ),
    ),
    Promise.all(SIGNED_IN.map((role) => clientsOf(demo, role, cookies[role]))),
  ]);
  const unlistedFile = versions.nodes[0]?.files[0]?.databaseId ?? 0;
  return {
    host: new URL(demo.url).host,
    targets: [
      ...pageTargets(facts),
      ...routeTargets({ facts, guid, slug, unlistedFile }),
      ...(await mediaTargets(demo.url)),
      ...OTHERS.map(read),
      ...[new URL(createUpdateAddress.url).pathname, `/developers/file/${unlistedFile}/x.xpi`].map(read),
      ...QUERIES.map((query) => read(`/graphql?query=${encodeURIComponent(query)}`)),
      { method: 'POST', path: '/graphql', body: JSON.stringify({ query: QUERIES[0] }) },
    ],
    identities: [...STRANGERS, ...people.flat()],
    guids: listed.addons.nodes.map((each) => each.guid),
    ...CHANGED,
    secrets: [
      ...emails.map(({ viewer }) => viewer.private.email),
      ...SIGNED_IN.map((role) => (authorizationOf(cookies[role]) ?? '').replace('Bearer ', '')),
      ...[PRIVATE_COLLECTION, slug],
    ],
  };
}

const read = (path: string): Target => ({ method: READ, path });

/** Addresses that are in no table. */
const OTHERS = [
  '/healthz',
  '/signing/root.pem',
  '/signing/log/checkpoint',
  '/signing/log/key',
  '/docs/openapi-v4.json',
  '/en-US/addon/tab-notes/',
  '/en-US/addon/tab-notes/versions/1.1/updateinfo/',
  '/demo/sign-in/',
];

const STRANGERS: readonly Identity[] = [
  // As many visitors as clients with credentials, whose responses are never kept.
  ...Array.from({ length: 12 }, () => ({ name: 'visitor', api: 'anonymous', page: 'anonymous', headers: () => ({}) })),
  {
    ...{ name: 'invalid token', api: 'invalid token', page: 'anonymous' },
    headers: () => ({ authorization: 'Bearer invalid' }),
  },
  {
    ...{ name: 'invalid JWT', api: 'invalid JWT', page: 'anonymous' },
    headers: () => ({ authorization: 'JWT a.b.c' }),
  },
  {
    ...{ name: 'invalid cookie', api: 'anonymous', page: 'invalid cookie' },
    headers: () => ({ cookie: 'frontend_auth_token=invalid; session=invalid' }),
  },
];

/** The clients of an account: a program with its token, one with its key, its browser, and a browser that sends a token. */
async function clientsOf(demo: DemoService, role: Role, cookies: Cookies): Promise<Identity[]> {
  const token = authorizationOf(cookies) ?? '';
  const cookie = cookieHeader(cookies);
  const made = await sendGraphql<{ createApiKey: { secret: string; apiKey: { key: string } } }>(demo.url, token, KEY);
  const key = { key: made.createApiKey.apiKey.key, secret: made.createApiKey.secret };
  const own = `key of ${role}`;
  return [
    { name: `token of ${role}`, api: role, page: 'anonymous', headers: () => ({ authorization: token }) },
    { name: own, api: own, page: 'anonymous', headers: () => ({ authorization: authorization(key) }) },
    { name: `browser of ${role}`, api: 'anonymous', page: role, headers: () => ({ cookie }) },
    { name: `browser and token of ${role}`, api: role, page: role, headers: () => ({ cookie, authorization: token }) },
  ];
}

/** Every page by its samples, which all roles open; and a form of it without the token of a session. */
function pageTargets(facts: Facts): Target[] {
  const missing = pages.filter((page) => !SAMPLES[page.path]?.length);
  if (missing.length > 0) throw new Error(`No samples of ${missing.map(({ path }) => path)}`);
  const paths = [...Object.values(SAMPLES).flat(), ...ADDITIONAL].map(({ path }) =>
    typeof path === 'string' ? path : path(facts),
  );
  const all = [...new Set(paths), '/collections/demo-user/to-try/', '/collections/demo-user/to-try/feed.atom'];
  return [
    ...all.map(read),
    ...[...new Set(all.map((path) => path.split('?')[0] ?? ''))].map((path) => ({
      ...{ method: 'POST', path, body: 'form=preferences&csrf=invalid' },
    })),
  ];
}

/** Every route of every version: reads of objects in several states, and writes to objects that do not exist, with an invalid body. */
function routeTargets({
  facts,
  guid,
  slug,
  unlistedFile,
}: {
  facts: Facts;
  guid: string;
  slug: string;
  unlistedFile: number;
}): Target[] {
  const values: Readonly<Record<string, readonly (string | number)[]>> = {
    addon: ['tab-notes', 'margin-notes', slug],
    account: ['demo-user', 'demo-developer'],
    collection: ['quiet-reading', PRIVATE_COLLECTION],
    id: [1, 2],
    guid: ['tab-notes@demo.example', guid],
    version: ['1.1', '1.0'],
    version_id: [facts.versionId],
    version_ref: [facts.versionId, 'v1.0'],
    note_id: [1],
    ...{ uuid: [facts.upload], pk: [facts.upload] },
    file_id: [facts.fileId, unlistedFile],
    base_filename: ['x.xpi'],
  };
  return routes.flatMap((route): Target[] => {
    const { method, path, outsideApi } = route;
    const isRead = method === READ;
    const filled = isRead ? fill(path, (name) => valuesOf(values, name)) : fill(path, () => ['unknown']);
    const prefixes = outsideApi ? [''] : route.apiVersions.map((version) => `/api/${version}`);
    return prefixes.flatMap((prefix) =>
      filled.map((each) => ({
        ...{ method, path: `${prefix}${each}${isRead ? (PARAMETERS[path] ?? '') : ''}` },
        ...(isRead ? {} : { body: '{' }),
        ...(method === 'DELETE' && path === '/accounts/session/' ? { endsSession: true as const } : {}),
      })),
    );
  });
}

/** Parameters that reads need. */
const PARAMETERS: Readonly<Record<string, string>> = {
  '/addons/featured/': '?app=desktop_browser',
  '/addons/autocomplete/': '?q=tab',
  '/addons/language-tools/': '?app=desktop_browser',
  '/addons/replacement-addon/': '?guid=old-sorter@legacy.example',
  '/addons/recommendations/': '?guid=tab-notes@demo.example',
  '/addons/browser-mappings/': '?browser=chrome',
  '/ratings/rating/': '?addon=tab-notes',
  '/reviews/review/': '?addon=tab-notes',
};

function valuesOf(values: Readonly<Record<string, readonly (string | number)[]>>, name: string) {
  const found = values[name];
  if (found === undefined) throw new Error(`No values of the parameter ${name} of routes`);
  return found;
}

/** The paths with all values of its parameters. */
function fill(path: string, valuesOfName: (name: string) => readonly (string | number)[]): string[] {
  const name = /:(\w+)/.exec(path)?.[1];
  if (name === undefined) return [path];
  return valuesOfName(name).flatMap((value) =>
    fill(path.replace(`:${name}`, encodeURIComponent(value).replaceAll('%40', '@')), valuesOfName),
  );
}

/** Pictures, styles and scripts of pages. */
async function mediaTargets(origin: string): Promise<Target[]> {
  const texts = await Promise.all(
    ['/', '/addon/tab-notes/', '/user/demo-developer/'].map(async (path) => (await fetch(origin + path)).text()),
  );
  const found = texts.join().matchAll(/(?:src|href)="((?:https?:\/\/[^"/]+)?\/(?:static|assets|media)[^"]+)"/g);
  const paths = [...found].map(([, url = '']) => url.replaceAll('&amp;', '&').replace(origin, ''));
  return [...new Set(paths)].filter((path) => path.startsWith('/')).map(read);
}
