/* The pages of accounts and developers. */
import { asEach, type Samples } from './sample.ts';

const HUB = '/developers/addon/tab-notes/';

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
  '/account/collections/': asEach('/account/collections/', 'developer', 'user'),
  '/account/collections/:slug/': [
    { path: '/account/collections/quiet-reading/', role: 'user' },
    { path: '/account/collections/quiet-reading/?notes=1', role: 'user' },
    { path: '/account/collections/hostile/', role: 'user' },
  ],
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
  '/developers/addon/:ref/webhooks/': [{ path: `${HUB}webhooks/`, role: 'developer' }],
  '/developers/addon/:ref/webhooks/:id/': [
    { path: ({ webhooks }) => `${HUB}webhooks/${webhooks.addon}/`, role: 'developer' },
    { path: `${HUB}webhooks/0/`, role: 'developer', status: 404 },
  ],
  '/developers/addon/:ref/versions/': [{ path: `${HUB}versions/`, role: 'developer' }],
  '/developers/addon/:ref/versions/new/': [{ path: `${HUB}versions/new/`, role: 'developer' }],
  '/developers/addon/:ref/versions/:id/': [
    { path: ({ versionId }) => `${HUB}versions/${versionId}/`, role: 'developer' },
  ],
  '/developers/addon/:ref/activity/': [{ path: `${HUB}activity/`, role: 'developer' }],
  '/developers/addon/:ref/danger/': [{ path: `${HUB}danger/`, role: 'developer' }],
  '/developers/file/:id/:name': [
    { path: ({ fileId }) => `/developers/file/${fileId}/x.xpi`, role: 'developer', isPage: false },
  ],
  '/developers/themes/new/': [{ path: '/developers/themes/new/', role: 'developer' }],
};

export const PEOPLE_SAMPLES: Samples = { ...ACCOUNT, ...DEVELOPERS };
