/* Addresses in the demo that show every page. */
import { HOSTILE_SLUG, HOSTILE_USERNAME, LONG_SLUG } from './hostile.ts';
import type { Role } from './roles.ts';
import type { Facts } from './sample-facts.ts';

/** An address that is checked. */
export interface Sample {
  path: string | ((facts: Facts) => string);
  /** Default: anonymous. */
  role?: Role;
  /** Default: 200. */
  status?: number;
  /** Whether its texts are as long as they can be, so that no budget holds. */
  isHuge?: true;
  /** False for redirects, files and fragments: only the status is checked. */
  isPage?: false;
}

const ADDON = '/addon/tab-notes/';
const HUB = '/developers/addon/tab-notes/';

/** The same page for each role. */
const asEach = (path: string, ...roles: Role[]): Sample[] => roles.map((role) => ({ path, role }));
const file = (path: Sample['path'], status = 200): Sample => ({ path, status, isPage: false });

const SITE: Samples = {
  '/login/': [{ path: '/login/?next=/developers/' }],
  '/logout/': [{ path: '/logout/', role: 'developer' }],
  '/preferences/': [{ path: '/preferences/' }],
  '/about/': [{ path: '/about/' }],
  '/.well-known/security.txt': [file('/.well-known/security.txt')],
};

const CATALOGUE: Samples = {
  '/': [{ path: '/' }, { path: '/?app=mobile_browser' }, { path: '/', role: 'administrator' }],
  '/search/': [
    { path: '/search/?q=tab' },
    { path: '/search/?type=statictheme,persona&sort=users' },
    { path: '/search/?q=tab&page=999' },
    { path: '/search/?q=nothing-has-this-name&type=extension&app=desktop_browser' },
    { path: `/search/?author=${encodeURIComponent(HOSTILE_USERNAME)}` },
  ],
  '/search/suggest': [file('/search/suggest?q=tab')],
  '/addon/:ref/': [
    { path: ADDON },
    ...asEach(ADDON, 'developer', 'reviewer'),
    { path: '/addon/evening-sky/' },
    { path: '/addon/reading-time/' },
    { path: '/addon/margin-notes/', role: 'developer' },
    { path: `/addon/${HOSTILE_SLUG}/` },
    { path: `/addon/${LONG_SLUG}/`, isHuge: true },
    { path: '/addon/there-is-none/', status: 404 },
  ],
  '/addon/:ref/reviews/': [{ path: `${ADDON}reviews/` }],
  '/addon/:ref/versions/': [{ path: `${ADDON}versions/` }, { path: `/addon/${HOSTILE_SLUG}/versions/` }],
  '/addon/:ref/versions/:version/': [
    { path: `${ADDON}versions/1.1/` },
    { path: '/addon/reading-time/versions/1.0/', role: 'developer' },
  ],
  '/addon/:ref/versions/:version/files/': [
    ...asEach(`${ADDON}versions/1.1/files/`, 'developer', 'reviewer'),
    { path: `${ADDON}versions/1.1/files/?file=manifest.json`, role: 'developer' },
    { path: `${ADDON}versions/1.1/files/?file=note.js&pretty=1`, role: 'developer' },
    { path: '/addon/tab-notes/versions/1.2/files/?file=manifest.json&comment=2', role: 'reviewer' },
    { path: `${ADDON}versions/1.1/files/`, status: 404 },
  ],
  '/addon/:ref/versions/:version/source/': [{ path: `${ADDON}versions/1.1/source/`, role: 'developer', status: 404 }],
  '/addon/:ref/compare/:range/': [
    ...asEach(`${ADDON}compare/1.0...1.1/`, 'developer', 'reviewer'),
    { path: `${ADDON}compare/1.0...1.1/?file=manifest.json`, role: 'developer' },
    { path: `${ADDON}compare/1.0...1.1/`, status: 404 },
  ],
  '/addon/:ref/latest/': [file(`${ADDON}latest/`, 302)],
  '/addon/:ref/previews/:place/': [{ path: `${ADDON}previews/1/` }],
  '/addon/:ref/license/': [{ path: `${ADDON}license/` }, { path: `/addon/${HOSTILE_SLUG}/license/` }],
  '/addon/:ref/eula/': [{ path: '/addon/reading-time/eula/' }],
  '/addon/:ref/privacy/': [{ path: '/addon/reading-time/privacy/' }],
  '/addon/:ref/statistics/': [{ path: `${ADDON}statistics/`, role: 'developer' }],
  '/addon/:ref/statistics.csv': [{ path: `${ADDON}statistics.csv`, role: 'developer', isPage: false }],
  '/addon/:ref/report/': [{ path: `${ADDON}report/` }],
  '/user/:username/': [{ path: '/user/demo-developer/' }, { path: `/user/${encodeURIComponent(HOSTILE_USERNAME)}/` }],
  '/user/:username/report/': [{ path: '/user/demo-developer/report/' }],
  '/report/': [{ path: '/report/?guid=unknown@example.org' }],
  '/report/:number/': [
    { path: '/report/1/', role: 'user' },
    { path: '/report/1/', status: 404 },
  ],
  '/language-tools/': [{ path: '/language-tools/' }],
  '/category/:type/:slug/': [{ path: ({ category }) => category }],
  '/tag/:tag/': [file('/tag/notes/', 301)],
  '/categories/': [{ path: '/categories/' }],
  '/collections/:path/': [file('/collections/there-is-none/', 404)],
  '/collections/:owner/:path/': [{ path: '/collections/paper-kite/reading-room/' }],
  '/collections/:folder/:owner/:path/': [file('/collections/there/is/none/', 404)],
  '/replacements/': [{ path: '/replacements/?guid=old-sorter@legacy.example' }, { path: '/replacements/?guid=x@y' }],
  '/signing/': [{ path: '/signing/' }],
  '/signing/log/': [{ path: '/signing/log/' }, { path: '/signing/log/?guid=tab-notes@demo.example' }],
  '/signing/log/:serial/': [{ path: ({ serial }) => `/signing/log/${serial}/` }],
  '/validation/:pk/': [
    { path: ({ validation }) => validation },
    { path: ({ validation }) => validation, role: 'developer' },
    { path: ({ broken }) => `/validation/${broken}/`, role: 'developer' },
  ],
  '/validation/:pk/events': [file(({ validation }) => `${validation}/events`)],
};

/** Files for programs. */
const FILES: Samples = {
  '/addon/:ref/feed.atom': [file('/addon/tab-notes/feed.atom')],
  '/feeds/new.atom': [file('/feeds/new.atom?type=extension')],
  '/feeds/updated.atom': [file('/feeds/updated.atom')],
  '/robots.txt': [file('/robots.txt')],
  '/opensearch.xml': [file('/opensearch.xml')],
  '/favicon.svg': [file('/favicon.svg')],
  '/sitemap.xml': [file('/sitemap.xml')],
  '/sitemap/pages.xml': [file('/sitemap/pages.xml')],
  '/sitemap/addons/:part': [file('/sitemap/addons/0.xml')],
};

const ACCOUNT: Samples = {
  '/account/': [{ path: '/account/', role: 'developer' }],
  '/account/data.json': [{ path: '/account/data.json', role: 'developer', isPage: false }],
  '/account/notifications/': [{ path: '/account/notifications/', role: 'developer' }],
  '/account/unsubscribe/:token/': [{ path: '/account/unsubscribe/invalid/', status: 404 }],
  '/account/keys/': [{ path: '/account/keys/', role: 'developer' }],
  '/account/keys/:id/revoke/': [{ path: ({ keyId }) => `/account/keys/${keyId}/revoke/`, role: 'developer' }],
  '/account/sessions/': [{ path: '/account/sessions/', role: 'developer' }],
  '/account/identities/': [{ path: '/account/identities/', role: 'developer' }],
  '/account/invitations/': asEach('/account/invitations/', 'developer', 'user'),
  '/account/delete/': asEach('/account/delete/', 'developer', 'user'),
};

const DEVELOPERS: Samples = {
  '/developers/': asEach('/developers/', 'anonymous', 'developer', 'user'),
  '/developers/submit/': [{ path: '/developers/submit/', role: 'developer' }],
  '/developers/submit/:pk/': [{ path: ({ upload }) => `/developers/submit/${upload}/`, role: 'developer' }],
  '/developers/validate/': [{ path: '/developers/validate/', role: 'developer' }],
  '/developers/addon/:ref/': [
    { path: HUB, role: 'developer' },
    { path: '/developers/addon/margin-notes/', role: 'developer' },
  ],
  '/developers/addon/:ref/edit/': [{ path: `${HUB}edit/?add=fr`, role: 'developer' }],
  '/developers/addon/:ref/media/': [{ path: `${HUB}media/`, role: 'developer' }],
  '/developers/addon/:ref/license/': [{ path: `${HUB}license/`, role: 'developer' }],
  '/developers/addon/:ref/authors/': [{ path: `${HUB}authors/`, role: 'developer' }],
  '/developers/addon/:ref/publishing/': [{ path: `${HUB}publishing/`, role: 'developer' }],
  '/developers/addon/:ref/versions/': [{ path: `${HUB}versions/`, role: 'developer' }],
  '/developers/addon/:ref/versions/new/': [{ path: `${HUB}versions/new/`, role: 'developer' }],
  '/developers/addon/:ref/versions/:id/': [
    { path: ({ versionId }) => `${HUB}versions/${versionId}/`, role: 'developer' },
  ],
  '/reviewers/': [
    { path: '/reviewers/', role: 'reviewer' },
    { path: '/reviewers/?claimed=no&channel=listed&type=extension&age=1&sort=users&first=1', role: 'reviewer' },
    { path: '/reviewers/', role: 'developer', status: 403 },
  ],
  '/reviewers/queue/:part/': [
    { path: '/reviewers/queue/listed/', role: 'reviewer' },
    { path: '/reviewers/queue/listed/?author=unknown', role: 'reviewer' },
    { path: '/reviewers/queue/unknown/', role: 'reviewer', status: 404 },
  ],
  '/reviewers/next/': [
    { path: '/reviewers/next/', role: 'reviewer', status: 303, isPage: false },
    { path: '/reviewers/next/', role: 'developer', status: 403 },
  ],
  '/reviewers/author/:username/': [
    { path: '/reviewers/author/demo-developer/', role: 'reviewer' },
    { path: '/reviewers/author/unknown/', role: 'reviewer', status: 404 },
  ],
  '/reviewers/log/': [
    { path: '/reviewers/log/', role: 'reviewer' },
    { path: '/reviewers/log/?action=approved&reviewer=demo-reviewer&from=2020-01-01', role: 'reviewer' },
  ],
  '/reviewers/subscriptions/': [{ path: '/reviewers/subscriptions/', role: 'reviewer' }],
  '/reviewers/canned/': asEach('/reviewers/canned/', 'administrator', 'reviewer'),
  '/reviewers/canned/new/': [{ path: '/reviewers/canned/new/', role: 'administrator' }],
  '/reviewers/canned/:id/': [
    { path: ({ canned }) => `/reviewers/canned/${canned}/`, role: 'administrator' },
    { path: '/reviewers/canned/0/', role: 'administrator', status: 404 },
  ],
  '/reviewers/review/:ref/': [
    { path: '/reviewers/review/tab-notes/?version=1.2', role: 'reviewer' },
    { path: '/reviewers/review/tab-notes/?version=1.1', role: 'reviewer' },
    { path: '/reviewers/review/margin-notes/?version=1.0', role: 'developer', status: 404 },
  ],
  '/developers/addon/:ref/activity/': [{ path: `${HUB}activity/`, role: 'developer' }],
  '/developers/addon/:ref/danger/': [{ path: `${HUB}danger/`, role: 'developer' }],
  '/developers/file/:id/:name': [
    { path: ({ fileId }) => `/developers/file/${fileId}/x.xpi`, role: 'developer', isPage: false },
  ],
  '/developers/themes/new/': [{ path: '/developers/themes/new/', role: 'developer' }],
};

const HELP: Samples = {
  '/docs/': [{ path: '/docs/' }],
  '/docs/install/': [{ path: '/docs/install/' }],
  '/docs/first-addon/': [{ path: '/docs/first-addon/' }],
  '/docs/review/': [{ path: '/docs/review/' }],
  '/docs/agreement/': [{ path: '/docs/agreement/' }],
  '/docs/verify/': [{ path: '/docs/verify/' }],
  '/docs/limits/': [{ path: '/docs/limits/' }],
  '/docs/application-versions/': [{ path: '/docs/application-versions/' }],
  '/docs/api/': [{ path: '/docs/api/' }],
  '/docs/api/:version/': ['v3', 'v4', 'v5'].map((version) => ({ path: `/docs/api/${version}/` })),
  // Swagger UI, a program of others, is exempt from the checks of pages.
  '/docs/api/:version/try/': [file('/docs/api/v4/try/')],
  '/docs/accessibility/': [{ path: '/docs/accessibility/' }],
};

const MODERATION: Samples = {
  '/moderation/': [
    { path: '/moderation/', role: 'moderator' },
    { path: '/moderation/?state=all&target=addon&age=day&addon=tab-notes', role: 'moderator' },
    { path: '/moderation/', role: 'developer', status: 403 },
  ],
  '/moderation/:id/': [
    { path: '/moderation/1/', role: 'moderator' },
    { path: '/moderation/1/', role: 'developer', status: 404 },
  ],
};

const ADMINISTRATION: Samples = {
  '/admin/': [
    { path: '/admin/', role: 'administrator' },
    { path: '/admin/', role: 'developer', status: 403 },
  ],
  '/admin/featured/': [{ path: '/admin/featured/', role: 'administrator' }],
  '/admin/collections/': [{ path: '/admin/collections/', role: 'administrator' }],
  '/admin/collections/edit/': [
    { path: '/admin/collections/edit/?path=paper-kite/reading-room', role: 'administrator' },
    { path: '/admin/collections/edit/?path=there-is-none', role: 'administrator', status: 404 },
  ],
  '/admin/replacements/': [{ path: '/admin/replacements/', role: 'administrator' }],
  '/admin/replacements/edit/': [
    { path: '/admin/replacements/edit/?guid=old-sorter@legacy.example', role: 'administrator' },
  ],
  '/admin/recommendations/': [{ path: '/admin/recommendations/', role: 'administrator' }],
  '/admin/overrides/': [{ path: '/admin/overrides/', role: 'administrator' }],
  '/admin/overrides/edit/': [
    {
      path: ({ override }) => `/admin/overrides/edit/?guid=${encodeURIComponent(override)}`,
      role: 'administrator',
    },
    { path: '/admin/overrides/edit/?guid=there-is-none', role: 'administrator', status: 404 },
  ],
  '/admin/applications/': [{ path: '/admin/applications/?app=mail_client', role: 'administrator' }],
  '/admin/categories/': [{ path: '/admin/categories/', role: 'administrator' }],
  '/admin/categories/edit/': [
    {
      path: ({ category }) =>
        `/admin/categories/edit/?app=desktop_browser&type=extension&slug=${category.split('/')[3]}`,
      role: 'administrator',
    },
  ],
  '/admin/licenses/': [{ path: '/admin/licenses/', role: 'administrator' }],
  '/admin/licenses/edit/': [{ path: '/admin/licenses/edit/?builtin=MIT', role: 'administrator' }],
  '/admin/jobs/': [
    { path: '/admin/jobs/', role: 'administrator' },
    { path: '/admin/jobs/?state=all&task=sign-version', role: 'administrator' },
    { path: '/admin/jobs/?state=retrying', role: 'administrator' },
  ],
  '/admin/jobs/:job/': [
    { path: ({ job }) => `/admin/jobs/${job}/`, role: 'administrator' },
    { path: '/admin/jobs/0/', role: 'administrator', status: 404 },
  ],
  '/admin/users/': [
    { path: '/admin/users/', role: 'administrator' },
    { path: '/admin/users/?q=demo&state=active', role: 'moderator' },
  ],
  '/admin/users/:id/': [{ path: '/admin/users/1/', role: 'administrator' }],
  '/admin/groups/': [{ path: '/admin/groups/', role: 'administrator' }],
  '/admin/groups/:id/': [{ path: '/admin/groups/1/', role: 'administrator' }],
  '/admin/read-only/': [{ path: '/admin/read-only/', role: 'administrator' }],
  '/admin/audit/': [{ path: '/admin/audit/', role: 'administrator' }],
  '/admin/audit/verify/': [{ path: '/admin/audit/verify/', role: 'administrator' }],
  '/admin/audit/export.csv': [{ path: '/admin/audit/export.csv', role: 'administrator', isPage: false }],
  '/admin/mail/': [{ path: '/admin/mail/', role: 'administrator' }],
  '/admin/mail/:id/': [{ path: '/admin/mail/1/', role: 'administrator' }],
};

type Samples = Readonly<Record<string, readonly Sample[]>>;

/** Addresses by the path in the page table. */
export const SAMPLES: Samples = {
  ...SITE,
  ...CATALOGUE,
  ...FILES,
  ...ACCOUNT,
  ...DEVELOPERS,
  ...MODERATION,
  ...ADMINISTRATION,
  ...HELP,
};

/** Pages that are in no table: errors, and the sign-in of the demo. */
export const ADDITIONAL: readonly Sample[] = [
  { path: '/there/is/no/such/page/', status: 404 },
  { path: '/developers/addon/evening-sky/', role: 'developer', status: 403 },
  { path: '/api/v4/accounts/login/start/?to=/' },
];
