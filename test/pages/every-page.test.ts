/* Every row of the page table over HTTP: responses by role, and the number of statements. The hub and the account have tables of roles. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { addressOf, makePageWorld, type PageWorld, SECRET } from '../support/page-world.ts';
import { documentOf, Visitor, visitorOf } from '../support/pages.ts';
import { areConstant, statementsDuring } from '../support/statements.ts';

const { pages } = await import('../../src/pages/table.ts');

const [FEW, MANY] = [3, 15];
const ROLES = ['anonymous', 'stranger', 'owner', 'reviewer', 'admin'] as const;
type Role = (typeof ROLES)[number];

const app = setUpApp({ settings: { OPERATOR_CONTACT: 'operator@site.example' } });
let world: PageWorld;
let visitors: Record<Role, Visitor>;

beforeAll(async () => {
  world = await makePageWorld(app, FEW);
  visitors = {
    anonymous: new Visitor(app),
    stranger: await visitorOf(app, await app.developer()),
    owner: world.owner,
    reviewer: await visitorOf(app, await app.reviewer()),
    admin: await visitorOf(app, await app.admin()),
  };
});

interface Loaded {
  status: number;
  headers: Headers;
  text: string;
}

/** Without the checks of the test client, which would take longer than the pages; other tests open the same pages with it. */
async function open(path: string, { session }: Visitor): Promise<Loaded> {
  const headers = { Accept: 'text/html', ...(session === '' ? {} : { Cookie: `addons_session=${session}` }) };
  const response = await fetch(app.url + path, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Whether a part of a review page waits because its package is still being read: it lacks what that shows. */
const isReading = (text: string): boolean => text.includes('<div id="checks" class="sections" data-events="">');

const HTML = 'text/html; charset=utf-8';
const XML = 'application/xml; charset=utf-8';
const ATOM = 'application/atom+xml; charset=utf-8';
const PUBLIC = 'public, no-cache';
const PRIVATE = 'private, no-store';

/** What a page is for all visitors: by default a public HTML page that robots may list. */
interface Expected {
  /** A text of the page; a path for a redirect. */
  shows: string;
  status?: number;
  /** The status of some roles. */
  of?: Partial<Record<Role, number>>;
  type?: string;
  /** Cache-Control for anonymous visitors and with a session. */
  cache?: readonly [anonymous: string, session: string];
  isNoindex?: true;
  /** Queries of other forms of the page. */
  also?: readonly string[];
}

const NEVER = ['no-store', PRIVATE] as const;
const PLAIN = { cache: [PUBLIC, PRIVATE], status: 200, type: HTML } as const;
const noindex = (shows: string): Expected => ({ shows, isNoindex: true });
const file = (type: string, shows: string): Expected => ({ type, shows });
const NAME = `Pencil ${FEW}`;
const LISTED = `Pen ${FEW} 0`;

const DOCUMENTS = 'install first-addon review reviewers moderation agreement verify limits accessibility'.split(' ');

/** By the path of the row. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  '/login/': {
    shows: 'Sign in',
    isNoindex: true,
    cache: NEVER,
    of: { stranger: 303, owner: 303, reviewer: 303, admin: 303 },
  },
  '/logout/': { shows: 'Sign out', isNoindex: true, cache: NEVER, of: { anonymous: 303 } },
  '/preferences/': noindex('<select'),
  '/about/': { shows: '<h1' },
  '/.well-known/security.txt': file('text/plain; charset=utf-8', 'Contact: mailto:operator@site.example'),
  '/': { shows: LISTED },
  '/search/': noindex(LISTED),
  '/search/suggest': { shows: LISTED },
  '/addon/:ref/': { shows: NAME },
  '/addon/:ref/reviews/': { shows: NAME },
  '/addon/:ref/versions/': { shows: `/versions/${FEW}.0/` },
  '/addon/:ref/versions/:version/': { shows: `/versions/${FEW}.0/` },
  '/addon/:ref/versions/:version/files/': {
    ...noindex('background.js'),
    also: ['?file=background.js&line=1'],
  },
  '/addon/:ref/versions/:version/source/': { ...noindex('background.js'), of: { anonymous: 404, stranger: 404 } },
  '/addon/:ref/compare/:range/': noindex('/versions/1.0/files/'),
  '/addon/:ref/latest/': { status: 302, shows: '/downloads/file/' },
  '/addon/:ref/previews/:place/': { shows: 'The window' },
  '/addon/:ref/license/': { shows: 'All allowed.' },
  '/addon/:ref/eula/': { shows: 'Agree.' },
  '/addon/:ref/privacy/': { shows: 'None.' },
  '/addon/:ref/statistics/': { shows: '<svg role="img"' },
  '/addon/:ref/statistics.csv': file('text/csv; charset=utf-8; header=present', 'date,users,downloads'),
  '/addon/:ref/report/': { ...noindex(NAME), cache: NEVER },
  '/ratings/:rating/': { ...noindex('Draws well.'), cache: NEVER },
  '/ratings/:rating/report/': { ...noindex('Draws well.'), cache: NEVER },
  '/user/:username/': { shows: `author-${FEW}` },
  '/user/:username/report/': { ...noindex(`author-${FEW}`), cache: NEVER },
  '/report/': { ...noindex('unknown@example'), cache: NEVER },
  '/report/collection/:uuid/': { ...noindex('Mine'), cache: NEVER },
  '/report/:number/': {
    ...{ ...noindex(`reported-${FEW}@example`), cache: NEVER },
    of: { anonymous: 404, stranger: 404, reviewer: 404, admin: 404 },
  },
  '/developers/': { shows: '<h1' },
  '/language-tools/': { shows: `pack-${FEW}-0` },
  '/categories/': { shows: 'tools-0' },
  '/category/:type/:slug/': { shows: LISTED },
  '/tag/:tag/': { status: 301, shows: '/search/?tag=pen' },
  '/collections/:path/': { shows: LISTED },
  '/collections/:owner/:path/': { shows: LISTED },
  '/collections/:folder/:owner/:path/': { shows: LISTED },
  '/collections/:path/feed.atom': file(ATOM, LISTED),
  '/collections/:owner/:path/feed.atom': file(ATOM, LISTED),
  '/collections/:folder/:owner/:path/feed.atom': file(ATOM, LISTED),
  '/replacements/': noindex(LISTED),
  '/signing/': { shows: '<h1' },
  '/signing/log/': { shows: `/signing/log/${FEW}a00/` },
  '/signing/log/:serial/': { shows: `${FEW}a00` },
  '/validation/:pk/': { shows: 'A message', isNoindex: true, cache: NEVER },
  '/validation/:pk/events': {
    shows: 'data: SIGNED',
    type: 'text/event-stream; charset=utf-8',
    cache: ['no-store, no-transform', 'no-store, no-transform'],
  },
  '/addon/:ref/feed.atom': file(ATOM, '<title>'),
  '/feeds/new.atom': file(ATOM, `/addon/pen-${FEW}-0/`),
  '/feeds/updated.atom': file(ATOM, `/addon/pen-${FEW}-0/`),
  '/robots.txt': file('text/plain; charset=utf-8', 'Sitemap: '),
  '/opensearch.xml': file('application/opensearchdescription+xml; charset=utf-8', '{searchTerms}'),
  '/favicon.svg': { ...file('image/svg+xml', '<svg'), cache: ['public, max-age=86400', PRIVATE] },
  '/sitemap.xml': file(XML, '/sitemap/addons/0.xml'),
  '/sitemap/pages.xml': file(XML, '/docs/'),
  '/sitemap/addons/:part': file(XML, `/addon/pen-${FEW}-0/`),
  '/account/unsubscribe/:token/': { shows: 'name="form" value="unsubscribe"', isNoindex: true, cache: NEVER },
  '/docs/': { shows: '/docs/verify/' },
  ...Object.fromEntries(DOCUMENTS.map((name) => [`/docs/${name}/`, { shows: '<h1' }])),
  '/docs/application-versions/': { shows: 'id="desktop_browser"' },
  '/docs/api/': { shows: '/docs/api/v4/' },
  '/docs/api/:version/': { shows: '/api/v4/' },
  '/docs/api/:version/try/': noindex('swagger'),
};

const PUBLIC_ROWS = pages.filter(({ visitor }) => visitor === 'all').map(({ path }) => path);
const ACCOUNT_ROWS = pages.filter(({ visitor }) => visitor === 'account').map(({ path }) => path);

/** What a response is, in one line. */
function summaryOf({ status, headers, text }: Loaded, { shows }: Expected): string {
  const isRedirect = status >= 300 && status < 400;
  const shown = isRedirect ? headers.get('location') : text;
  const robots = documentOf({ text })('meta[name=robots]').attr('content');
  return [
    status,
    ...(isRedirect ? [] : [headers.get('content-type')]),
    headers.get('cache-control'),
    ...(robots === undefined ? [] : ['noindex']),
    ...(status < 303 && !shown?.includes(shows) ? [`does not show "${shows}"`] : []),
  ].join(', ');
}

function expectedFor(role: Role, expected: Expected): string {
  const { status: usual, cache, type } = { ...PLAIN, ...expected };
  const status = expected.of?.[role] ?? usual;
  if (status >= 300 && status < 400) return `${status}, no-store`;
  const rest = expected.isNoindex ? ', noindex' : '';
  if (status >= 400) return `${status}, ${type}, no-store${rest}`;
  return `${status}, ${type}, ${cache[role === 'anonymous' ? 0 : 1]}${rest}`;
}

/** Texts that the page must not have for a role, and has. */
function leaksOf(role: Role, path: string, { text }: Loaded): string[] {
  const isPrivileged = role === 'owner' || role === 'reviewer' || role === 'admin';
  const isOwnHub = role === 'owner' && path === '/developers/';
  const isOfAddon = path.startsWith('/addon/') || path.startsWith('/validation/');
  const forbidden = [
    '@secret.example',
    SECRET.comment,
    // Lists are the same for all; pages of the add-on show more to its developers and reviewers, and the hub to its owner.
    ...((isPrivileged && isOfAddon) || isOwnHub
      ? []
      : [SECRET.name, world.hidden, SECRET.unlisted, `/developers/addon/${world.values.ref}`]),
    ...(role === 'anonymous' ? ['name="csrf"'] : []),
  ];
  return forbidden.filter((secret) => text.includes(secret));
}

/** The responses of each role that differ from those expected. */
async function differencesOf(path: string, address: string, expected: Expected): Promise<string[]> {
  const wrong = await Promise.all(
    ROLES.map(async (role) => {
      const loaded = await open(address, visitors[role]);
      const [found, wanted] = [summaryOf(loaded, expected), expectedFor(role, expected)];
      const leaks = leaksOf(role, path, loaded).map((leak) => `${path}, ${role}: shows ${leak}`);
      return [...(found === wanted ? [] : [`${path}, ${role}: ${found}; expected: ${wanted}`]), ...leaks];
    }),
  );
  return wrong.flat();
}

describe('every public page', () => {
  it('is in the table of this test', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual([...PUBLIC_ROWS].sort());
  });

  it('has status, headers and content for each role, and nothing that the role must not see', async () => {
    const wrong: string[] = [];
    for (const [path, expected] of Object.entries(EXPECTED)) {
      for (const query of ['', ...(expected.also ?? [])]) {
        wrong.push(...(await differencesOf(path, addressOf(path, world) + query, expected)));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('about an add-on that is not public exists for its developers and reviewers only', async () => {
    const wrong: string[] = [];
    for (const path of PUBLIC_ROWS.filter((each) => each.startsWith('/addon/:ref/'))) {
      const address = addressOf(path, world, world.hidden);
      const found = await Promise.all(ROLES.map(async (role) => [role, await open(address, visitors[role])] as const));
      for (const [role, { status, headers, text }] of found) {
        const isOutsider = role === 'anonymous' || role === 'stranger';
        const isForbidden = role === 'reviewer' && path.includes('/statistics');
        const expected = isOutsider ? 404 : isForbidden ? 403 : path.includes('/latest/') ? 302 : 200;
        if (status !== expected) wrong.push(`${path}, ${role}: ${status}, not ${expected}`);
        const cache = headers.get('cache-control');
        if (cache !== (status === 200 ? PRIVATE : 'no-store')) wrong.push(`${path}, ${role}: ${cache}`);
        if (isOutsider && text.includes(SECRET.name)) wrong.push(`${path}, ${role}: shows the name`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('every page of an account', () => {
  it('leads anonymous visitors to the sign-in and back', async () => {
    for (const path of ACCOUNT_ROWS) {
      const address = addressOf(path, world);
      const { status, headers } = await open(address, visitors.anonymous);
      const login = `/login/?next=${encodeURIComponent(address)}`;
      expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([303, login, 'no-store']);
    }
  });
});

describe('the number of statements of every page', () => {
  /** Empties the caches of documents. */
  const invalidateDocuments = () =>
    app.sql("UPDATE addon_document SET row_version = nextval(pg_get_serial_sequence('addon_document', 'row_version'))");

  /** The statements of the second visit of a page, as its owner. */
  async function statementsOf(path: string, of: PageWorld): Promise<string[]> {
    const [, area = ''] = path.split('/');
    const reviewer = path.includes('/canned/') ? visitors.admin : visitors.reviewer;
    const visitor = { reviewers: reviewer, moderation: visitors.admin, admin: visitors.admin }[area] ?? of.owner;
    const address = `${addressOf(path, of)}${area === 'reviewers' ? '?version=1.0' : ''}`;
    const visit = async () => {
      const { status, text } = await open(address, visitor);
      if (status >= 400) throw new Error(`${address}: ${status}`);
      return text;
    };
    while (isReading(await visit())) await sleep(100);
    await invalidateDocuments();
    return statementsDuring(visit);
  }

  const shortened = (all: readonly string[]) => all.map((each) => each.replace(/\s+/g, ' ').slice(0, 100));

  it(`is the same with ${FEW} and with ${MANY} items of each kind`, async () => {
    const few = new Map<string, string[]>();
    // Before the other items exist: some lists are the same for all owners.
    for (const { path } of pages) few.set(path, await statementsOf(path, world));
    const larger = await makePageWorld(app, MANY);
    const grown: unknown[] = [];
    for (const [path, expected] of few) {
      const found = await statementsOf(path, larger);
      if (!areConstant(expected, found)) grown.push({ path, few: shortened(expected), many: shortened(found) });
    }
    expect(grown).toEqual([]);
  });
});
