/* The pages for everybody: catalogue, site, help, files for programs. */
import {
  HELD_RATING,
  HOSTILE_COLLECTION,
  HOSTILE_RATING,
  HOSTILE_SLUG,
  HOSTILE_USERNAME,
  LONG_SLUG,
} from '../hostile.ts';
import { asEach, file, type Samples } from './sample.ts';

const ADDON = '/addon/tab-notes/';

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
  '/addon/:ref/reviews/': [
    { path: `${ADDON}reviews/` },
    { path: `${ADDON}reviews/`, role: 'user' },
    { path: `/addon/${HOSTILE_SLUG}/reviews/` },
  ],
  '/ratings/:rating/report/': [{ path: '/ratings/1/report/' }, ...asEach('/ratings/1/report/', 'user')],
  '/ratings/:rating/': [
    { path: '/ratings/1/' },
    ...asEach('/ratings/1/', 'developer', 'moderator'),
    { path: `/ratings/${HOSTILE_RATING}/`, role: 'user' },
    { path: `/ratings/${HELD_RATING}/`, role: 'moderator' },
  ],
  '/addon/:ref/versions/': [{ path: `${ADDON}versions/` }, { path: `/addon/${HOSTILE_SLUG}/versions/` }],
  '/addon/:ref/versions/:version/': [
    { path: `${ADDON}versions/1.1/` },
    { path: '/addon/reading-time/versions/1.0/', role: 'developer' },
  ],
  '/addon/:ref/latest/': [file(`${ADDON}latest/`, 302)],
  '/addon/:ref/previews/:place/': [{ path: `${ADDON}previews/1/` }],
  '/addon/:ref/license/': [{ path: `${ADDON}license/` }, { path: `/addon/${HOSTILE_SLUG}/license/` }],
  '/addon/:ref/eula/': [{ path: '/addon/reading-time/eula/' }],
  '/addon/:ref/privacy/': [{ path: '/addon/reading-time/privacy/' }],
  '/addon/:ref/statistics/': [{ path: `${ADDON}statistics/`, role: 'developer' }],
  '/addon/:ref/statistics.csv': [{ path: `${ADDON}statistics.csv`, role: 'developer', isPage: false }],
  '/addon/:ref/report/': [{ path: `${ADDON}report/` }],
  '/addon/:ref/collect/': asEach(`${ADDON}collect/`, 'developer', 'user'),
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
  '/collections/:owner/:path/': [
    { path: '/collections/paper-kite/reading-room/' },
    { path: '/collections/demo-user/quiet-reading/' },
    { path: '/collections/demo-user/quiet-reading/', role: 'user' },
    { path: `/collections/${HOSTILE_COLLECTION}/` },
  ],
  '/collections/:path/feed.atom': [file('/collections/there-is-none/feed.atom', 404)],
  '/collections/:owner/:path/feed.atom': [file(`/collections/${HOSTILE_COLLECTION}/feed.atom`)],
  '/collections/:folder/:owner/:path/feed.atom': [file('/collections/there/is/none/feed.atom', 404)],
  '/report/collection/:uuid/': [
    { path: ({ collection }) => `/report/collection/${collection}/` },
    file('/report/collection/00000000000000000000000000000000/', 404),
  ],
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

const HELP: Samples = {
  '/docs/': [{ path: '/docs/' }],
  '/docs/install/': [{ path: '/docs/install/' }],
  '/docs/first-addon/': [{ path: '/docs/first-addon/' }],
  '/docs/moderation/': [{ path: '/docs/moderation/' }],
  '/docs/review/': [{ path: '/docs/review/' }],
  '/docs/reviewers/': [{ path: '/docs/reviewers/' }],
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

export const PUBLIC_SAMPLES: Samples = { ...SITE, ...CATALOGUE, ...FILES, ...HELP };
