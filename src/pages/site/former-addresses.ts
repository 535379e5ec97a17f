/*
 * Addresses of former sites of add-ons, which had a language and an application in front of each path; links to them keep working when such a
 * domain leads here. Pages of this service come first: only requests for addresses that it does not have are redirected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setHeaders } from '../../http/headers.ts';
import { isRead, sentUrl } from '../../http/request-target.ts';
import { ADDON_TYPES } from '../../package/enums.ts';

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i;
const APPLICATION = /^[a-z][a-z_]{1,31}$/;

/** Pages of an add-on that have the same name here. */
const ADDON_PAGES = ['reviews', 'versions', 'license', 'eula', 'privacy', 'statistics', 'latest', 'report'];

/** The token of an unsubscribe link, whose path had its account, signature and type as parts. */
const unsubscribeToken = ([token = 'unknown', hash, notification]: readonly string[]): string =>
  hash === undefined || notification === undefined ? token : `${token}-${notification}-${hash}`;

/** Lists by type: `themes` are those that are packaged as extensions are. */
const LISTS: Readonly<Record<string, string>> = {
  extensions: 'extension',
  themes: 'statictheme',
  'language-tools': 'language',
  'search-tools': 'search',
  ...Object.fromEntries(ADDON_TYPES.map((type) => [type, type])),
};

/** The page here for a path, as its segments behind language and application, and parameters to add; null without one. */
type Target = (rest: readonly string[]) => string | null;

const fixed =
  (path: string): Target =>
  () =>
    path;

const SECTIONS: Readonly<Record<string, Target>> = {
  addon: ([ref, part, name]) => {
    if (ref === undefined) return '/search/';
    if (part === 'abuse') return `/addon/${ref}/report/`;
    if (part === undefined || !ADDON_PAGES.includes(part)) return `/addon/${ref}/`;
    return part === 'versions' && name !== undefined ? `/addon/${ref}/versions/${name}/` : `/addon/${ref}/${part}/`;
  },
  user: ([name, part]) => {
    if (name === undefined) return null;
    return part === 'abuse' ? `/user/${name}/report/` : `/user/${name}/`;
  },
  collections: (path) => (path.length === 0 ? '/' : `/collections/${path.join('/')}/`),
  category: ([type, slug]) =>
    type === undefined || slug === undefined ? '/categories/' : `/category/${type}/${slug}/`,
  tag: ([tag]) => (tag === undefined ? '/search/' : `/tag/${tag}/`),
  search: fixed('/search/'),
  categories: fixed('/categories/'),
  'language-tools': fixed('/language-tools/'),
  developers: ([part, ref]) =>
    part === 'addon' && ref !== undefined && ref !== 'submit' ? `/developers/addon/${ref}/` : '/developers/',
  reviewers: fixed('/reviewers/'),
  editors: fixed('/reviewers/'),
  users: ([part, ...rest]) => {
    if (part === 'unsubscribe') return `/account/unsubscribe/${unsubscribeToken(rest)}/`;
    if (part === 'login' || part === 'register') return '/login/';
    return '/account/';
  },
  'blocked-addon': ([guid]) => (guid === undefined ? '/replacements/' : `/replacements/?guid=${guid}`),
  feedback: ([kind, name]) => {
    if (kind === 'user' && name !== undefined) return `/user/${name}/report/`;
    return kind === 'addon' && name !== undefined ? `/report/?guid=${name}` : '/report/';
  },
};

function listTarget(type: string, [slug]: readonly string[]): string {
  if (slug === 'categories') return '/categories/';
  return slug === undefined ? `/search/?type=${type}` : `/category/${type}/${slug}/`;
}

function targetOf([section = '', ...rest]: readonly string[]): string | null {
  if (section === '') return '/';
  const own = Object.hasOwn(SECTIONS, section) ? SECTIONS[section] : undefined;
  if (own !== undefined) return own(rest);
  const type = Object.hasOwn(LISTS, section) ? LISTS[section] : undefined;
  return type === undefined ? null : listTarget(type, rest);
}

/** Whether a path without language and application is one that only former sites had. */
const isFormer = ([section = '']: readonly string[]): boolean =>
  ['blocked-addon', 'feedback', 'users'].includes(section);

/**
 * The address here of one below `/<language>/<application>/` or `/<language>/`, with its query; null for others. Languages and applications
 * need not be known.
 */
export function addressHere(target: string): string | null {
  const queryStart = target.indexOf('?');
  const path = queryStart === -1 ? target : target.slice(0, queryStart);
  const query = queryStart === -1 ? '' : target.slice(queryStart + 1);
  const segments = path.split('/').filter((part) => part !== '');
  // Browsers read the release notes of installed add-ons there.
  if (segments.at(-1) === 'updateinfo') return null;
  const found = isFormer(segments) ? targetOf(segments) : targetBehindLanguage(segments);
  if (found === null || found === path) return null;
  return query === '' ? found : `${found}${found.includes('?') ? '&' : '?'}${query}`;
}

function targetBehindLanguage([language = '', application = '', ...rest]: readonly string[]): string | null {
  if (!LANGUAGE.test(language)) return null;
  if (Object.hasOwn(SECTIONS, application) || Object.hasOwn(LISTS, application))
    return targetOf([application, ...rest]);
  return APPLICATION.test(application) ? targetOf(rest) : null;
}

/** Redirects a former address. Calls `next` for others. */
export function redirectFormerAddress(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const location = isRead(request) ? addressHere(sentUrl(request)) : null;
  if (location === null) return void next();
  response.statusCode = 301;
  setHeaders(response, { Location: location, 'Content-Length': 0, 'Cache-Control': 'public, max-age=3600' });
  response.end();
}
