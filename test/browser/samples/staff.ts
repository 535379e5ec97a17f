/* The pages of reviewers, moderators and administrators. */
import { asEach, type Samples } from './sample.ts';

const REVIEWING: Samples = {
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
};

const MODERATION: Samples = {
  '/moderation/ratings/': [
    { path: '/moderation/ratings/', role: 'moderator' },
    { path: '/moderation/ratings/?addon=tab-notes', role: 'moderator' },
  ],
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
  '/admin/discovery/': [{ path: '/admin/discovery/', role: 'administrator' }],
  '/admin/discovery/edit/': [
    { path: '/admin/discovery/edit/?addon=tab-notes%40demo.example', role: 'administrator' },
    { path: '/admin/discovery/edit/?addon=there-is-none', role: 'administrator', status: 404 },
  ],
  '/admin/hero/': [{ path: '/admin/hero/', role: 'administrator' }],
  '/admin/hero/edit/': [
    { path: ({ hero }) => `/admin/hero/edit/?id=${hero}`, role: 'administrator' },
    { path: '/admin/hero/edit/?id=0', role: 'administrator', status: 404 },
  ],
  '/admin/hero/secondary/': [{ path: '/admin/hero/secondary/', role: 'administrator' }],
  '/admin/browser-mappings/': [{ path: '/admin/browser-mappings/', role: 'administrator' }],
  '/admin/browser-mappings/edit/': [
    {
      path: '/admin/browser-mappings/edit/?browser=chrome&extension=aapbdbdomjkkjkaonfhkkikfgjllcleb',
      role: 'administrator',
    },
    {
      path: '/admin/browser-mappings/edit/?browser=chrome&extension=there-is-none',
      role: 'administrator',
      status: 404,
    },
  ],
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
  '/admin/webhooks/': [{ path: '/admin/webhooks/', role: 'administrator' }],
  '/admin/webhooks/:id/': [
    { path: ({ webhooks }) => `/admin/webhooks/${webhooks.service}/`, role: 'administrator' },
    { path: '/admin/webhooks/0/', role: 'administrator', status: 404 },
  ],
  '/admin/mail/': [{ path: '/admin/mail/', role: 'administrator' }],
  '/admin/mail/:id/': [{ path: '/admin/mail/1/', role: 'administrator' }],
};

export const STAFF_SAMPLES: Samples = { ...REVIEWING, ...MODERATION, ...ADMINISTRATION };
