/*
 * The calls of visitors' front ends of 2019 and 2020, in the order of a visit: method, path, query, body, and what they read of the response.
 * All have `lang`, and most `wrap_outgoing_links=true`.
 */
export type Who = 'visitor' | 'author' | 'anonymous';

/** A call: who sends it, the request, the status, the paths of keys that it reads, and where values for later calls are. */
export interface Call {
  who?: Who;
  request: string;
  body?: object;
  status?: number;
  reads?: string;
  keeps?: Record<string, string>;
}

const PERSON = 'id name url username';
const under = (prefix: string, keys: string) =>
  keys
    .split(/\s+/)
    .map((key) => `${prefix}.${key}`)
    .join(' ');

const FILE = `created hash id is_otter_signed_extension is_restart_required is_webextension optional_permissions permissions platform
  size status url`;
const ADDON = [
  'average_daily_users categories default_locale guid icon_url id is_disabled is_experimental is_source_public',
  'last_updated name ratings.average ratings.bayesian_average ratings.count ratings.text_count slug status summary tags',
  'type url weekly_downloads requires_payment previews.0.image_url previews.0.thumbnail_url',
  under('authors.0', PERSON),
  'current_version.id current_version.version current_version.compatibility.otter.min current_version.compatibility.otter.max',
  under('current_version.files.0', FILE),
].join(' ');
const ADDON_PAGE = `${ADDON} authors.0.picture_url contributions_url created description edit_url has_eula has_privacy_policy homepage public_stats
  review_url support_email support_url developer_comments current_version.release_notes current_version.license.name
  current_version.license.url current_version.is_strict_compatibility_enabled`;
const LIST = 'count next page_size page_count previous results';
const RATING = `addon.icon_url addon.id addon.name addon.slug body created id is_deleted is_developer_reply is_latest score
  ${under('user', PERSON)} version.id version.version`;
const COLLECTION = `addon_count ${under('author', PERSON)} default_locale description id modified name slug url uuid`;
const MOBILE = `categories created current_version.files.0.id current_version.files.0.permissions current_version.files.0.url
  current_version.version default_locale description guid icon_url last_updated name ratings.average ratings.count summary url
  ${under('authors.0', PERSON)}`;
const PROFILE = `average_addon_rating biography created display_name has_anonymous_display_name has_anonymous_username homepage id
  is_addon_developer is_artist location name num_addons_listed occupation picture_type picture_url username email last_login
  last_login_ip permissions read_dev_agreement otter_edit_email_url? site_status.read_only site_status.notice`;

const NEW_COLLECTION = {
  ...{ default_locale: 'en-US', description: { 'en-US': '' }, name: { 'en-US': 'Favourites' }, slug: '{collection}' },
};

const visit: Call[] = [
  { request: 'GET site/', reads: 'read_only notice' },
  {
    request: 'GET hero/',
    reads: `primary.gradient.start primary.gradient.end primary.featured_image primary.description
      ${under('primary.addon', 'guid name slug summary type url current_version.id')} secondary.headline secondary.description
      secondary.cta.text secondary.cta.url ${under('secondary.modules.2', 'cta.text cta.url description icon')}`,
  },
  { request: 'GET shelves/sponsored/', reads: 'results impression_data impression_url' },
  { request: 'GET addons/categories/', reads: under('0', 'application description id misc name slug type weight') },
  {
    request: 'GET addons/search/?app=otter&type=extension&sort=recommended,users&page_size=4&recommended=true',
    reads: `${LIST} ${under('results.0', ADDON)}`,
  },
  { request: 'GET addons/search/?app=otter&type=extension&sort=random&recommended=true', reads: LIST },
  ...['random', 'users', 'hotness', 'rating'].map((sort) => ({
    request: `GET addons/search/?app=otter&appversion=57.0&page=1&page_size=4&promoted=recommended&sort=${sort}&type=extension`,
    reads: `${LIST} results.0.id`,
  })),
  {
    request: 'GET addons/search/?app=otter&appversion=57.0&page_size=6&promoted=sponsored&sort=random&type=extension',
    reads: `${LIST} !results.0`,
  },
  { request: 'GET addons/search/?app=otter&page_size=3&sort=users&type=statictheme', reads: LIST },
  {
    request: 'GET addons/search/?app=otter&featured=true&page_size=3&sort=random&type=statictheme,persona',
    reads: LIST,
  },
  { request: 'GET addons/search/?app=otter&q=clock&page=1&appversion=57.0', reads: `${LIST} results.0.id` },
  {
    request: 'GET addons/search/?app=otter&appversion=57.0&platform=linux&q=clock&sort=users&type=extension',
    reads: LIST,
  },
  { request: 'GET addons/search/?app=otter&appversion=57.0&tag=tabs', reads: LIST },
  { request: 'GET addons/search/?app=otter&appversion=57.0&sort=recommended,users&type=extension', reads: LIST },
  { request: 'GET addons/search/?app=pocketotter&sort=users&type=extension&category=time', reads: LIST },
  {
    request: 'GET addons/autocomplete/?app=otter&appversion=57.0&platform=linux&q=clo',
    reads: under('results.0', 'icon_url id name type url'),
  },
  { request: 'GET addons/language-tools/?app=otter', reads: under('results.0', 'id name slug target_locale type url') },
  {
    ...{ who: 'visitor', request: 'GET addons/addon/{addon}/?app=otter&appversion=57.0&show_grouped_ratings=true' },
    reads: `${ADDON_PAGE} ratings.grouped_counts.5`,
  },
  { who: 'visitor', request: 'GET addons/addon/{guid}/?app=otter', reads: 'slug', keeps: { addon: 'slug' } },
  {
    request:
      'GET addons/search/?app=otter&appversion=57.0&author={authorId}&exclude_addons={addon}&page=1&page_size=6&sort=hotness&type=extension',
    reads: LIST,
  },
  {
    request:
      'GET addons/search/?app=otter&appversion=57.0&author={authorId}&page=1&page_size=10&sort=users&type=extension',
    reads: `${LIST} results.0.authors.0.id`,
  },
  { request: 'GET addons/recommendations/?guid={guid}&recommended=true', reads: `${LIST} outcome fallback_reason` },
  { request: 'GET addons/addon/{addon}/eula_policy/', reads: 'eula privacy_policy' },
  {
    ...{ who: 'visitor', request: 'GET addons/addon/{addon}/versions/?page=1' },
    reads: `${LIST} ${under('results.0', 'channel compatibility id license.name release_notes version')} ${under('results.0.files.0', FILE.replace(/\s+/g, ' '))}`,
  },
  { request: 'GET addons/addon/{addon}/versions/{version}/', reads: 'channel compatibility id license.text version' },
  { request: 'GET addons/addon/unknown/', status: 404, reads: 'detail' },
];

const account: Call[] = [
  { who: 'visitor', request: 'GET accounts/profile/', reads: PROFILE },
  { request: 'GET accounts/profile/', status: 401, reads: 'detail' },
  { request: 'GET accounts/account/{authorId}/', reads: 'id name username num_addons_listed picture_url biography' },
  { request: 'GET accounts/account/{authorId}/?lang=de', reads: 'id' },
  {
    ...{ who: 'visitor', request: 'PATCH accounts/account/{me}/' },
    body: { biography: 'Rates.', display_name: 'Rater', homepage: null, location: '', occupation: null },
    reads: PROFILE.replace(/email|otter_\S+|site_status\S+/g, ''),
  },
  { who: 'visitor', request: 'DELETE accounts/account/{me}/picture/', reads: 'id picture_url' },
  { who: 'visitor', request: 'GET accounts/account/{me}/notifications/', reads: under('0', 'enabled mandatory name') },
  {
    ...{ who: 'visitor', request: 'POST accounts/account/{me}/notifications/' },
    body: { reply: false },
    reads: under('0', 'enabled mandatory name'),
  },
  // A profile whose fields were never set, and the settings as the page shows them again.
  {
    ...{ who: 'visitor', request: 'PATCH accounts/account/{me}/' },
    body: { biography: null, display_name: 'Rater', homepage: null, location: null, occupation: null },
    reads: 'id name username',
  },
  { who: 'visitor', request: 'GET accounts/account/{me}/notifications/', reads: under('0', 'enabled mandatory name') },
  {
    request: 'POST accounts/unsubscribe/',
    body: { hash: 'def', notification: 'reply', token: 'abc' },
    status: 404,
    reads: 'detail',
  },
];

const ratings: Call[] = [
  {
    ...{ who: 'visitor', request: 'GET ratings/rating/?addon={addonId}&user={me}&version={version}' },
    reads: `${LIST} !results.0`,
  },
  {
    ...{ who: 'visitor', request: 'POST ratings/rating/' },
    body: { addon: '{addonId}', score: 4, version: '{version}' },
    status: 201,
    reads: RATING,
    keeps: { rating: 'id' },
  },
  // The text and the stars are sent each by itself.
  { who: 'visitor', request: 'PATCH ratings/rating/{rating}/', body: { body: 'Keeps time.' }, reads: RATING },
  { who: 'visitor', request: 'PATCH ratings/rating/{rating}/', body: { score: 5 }, reads: RATING },
  {
    ...{ who: 'visitor', request: 'GET ratings/rating/?addon={addonId}&user={me}&show_permissions_for={me}' },
    reads: `${LIST} can_reply results.0.id !results.1`,
  },
  {
    ...{ who: 'author', request: 'POST ratings/rating/{rating}/reply/' },
    body: { body: 'Thank you.' },
    status: 201,
    reads: `${RATING.replace('score', '').replace('version.id version.version', '')} id`,
  },
  {
    request: 'GET ratings/rating/?addon={addon}&page=1&score=5&show_grouped_ratings=true',
    reads: `${LIST} ${under('results.0', 'id body score reply.body reply.id reply.user.name')} grouped_ratings.5`,
  },
  {
    request: 'GET ratings/rating/?addon={addonId}&show_grouped_ratings=true',
    reads: 'grouped_ratings.1 grouped_ratings.5',
  },
  { request: 'GET ratings/rating/?addon={addon}', reads: `${LIST} results.0.id` },
  { request: 'GET ratings/rating/{rating}/', reads: `${RATING} reply.body` },
  { request: 'GET ratings/rating/?user={me}&page=1', reads: `${LIST} results.0.addon.slug` },
  {
    ...{ who: 'author', request: 'POST ratings/rating/{rating}/flag/' },
    body: { flag: 'review_flag_reason_spam' },
    status: 202,
    reads: 'msg',
  },
  {
    ...{ who: 'author', request: 'GET ratings/rating/?addon={addon}&show_flags_for={authorId}' },
    reads: 'results.0.flags.0.flag',
  },
  { who: 'visitor', request: 'DELETE ratings/rating/{rating}/', status: 204 },
  // Who has deleted a rating rates the same version again.
  { who: 'visitor', request: 'GET ratings/rating/?user={me}&addon={addonId}', reads: `${LIST} !results.0` },
  {
    ...{ who: 'visitor', request: 'POST ratings/rating/' },
    body: { addon: '{addonId}', score: 5, version: '{version}' },
    status: 201,
    reads: RATING,
  },
];

const collections: Call[] = [
  {
    ...{ who: 'visitor', request: 'POST accounts/account/{me}/collections/' },
    body: NEW_COLLECTION,
    status: 201,
    reads: COLLECTION,
  },
  {
    ...{ who: 'visitor', request: 'POST accounts/account/{me}/collections/' },
    body: NEW_COLLECTION,
    status: 400,
    reads: 'slug.0',
  },
  {
    ...{ who: 'visitor', request: 'GET accounts/account/{me}/collections/' },
    reads: `${LIST} ${under('results.0', COLLECTION)}`,
  },
  {
    ...{ who: 'visitor', request: 'POST accounts/account/{me}/collections/{collection}/addons/' },
    body: { addon: '{addonId}' },
    status: 201,
  },
  {
    ...{ who: 'visitor', request: 'POST accounts/account/{me}/collections/{collection}/addons/' },
    body: { addon: '{addonId}' },
    status: 400,
    reads: 'addon.0',
  },
  { request: 'GET accounts/account/{me}/collections/{collection}/', reads: COLLECTION },
  {
    request: 'GET accounts/account/{me}/collections/{collection}/addons/?page=1&sort=-added',
    reads: `${LIST} results.0.notes ${under('results.0.addon', 'guid icon_url id name slug type url average_daily_users')}`,
  },
  {
    request: 'GET accounts/account/{me}/collections/{collection}/addons/?page=1&sort=name',
    reads: `${LIST} results.0.addon.id`,
  },
  // Those of a browser for telephones, with and without a language: of the texts it asks for all keys.
  ...['&lang=de', ''].map((language) => ({
    request: `GET accounts/account/{me}/collections/{collection}/addons/?page_size=50&sort=-popularity${language}`,
    reads: under('results.0.addon', MOBILE),
  })),
  { request: 'GET accounts/account/{me}/collections/unknown/addons/', status: 404, reads: 'detail' },
  {
    ...{ who: 'visitor', request: 'PATCH accounts/account/{me}/collections/{collection}/addons/{addonId}/' },
    body: { notes: 'At weekends.' },
    status: 200,
  },
  // Without a note: an empty text.
  {
    ...{ who: 'visitor', request: 'PATCH accounts/account/{me}/collections/{collection}/addons/{addonId}/' },
    body: { notes: '' },
    status: 200,
  },
  {
    ...{ who: 'visitor', request: 'PATCH accounts/account/{me}/collections/{collection}/' },
    body: { ...NEW_COLLECTION, description: { 'en-US': 'Kept.' }, name: { 'en-US': 'Best ones' } },
    reads: 'name',
  },
  { who: 'visitor', request: 'DELETE accounts/account/{me}/collections/{collection}/addons/{addonId}/', status: 204 },
  { who: 'visitor', request: 'DELETE accounts/account/{me}/collections/{collection}/', status: 204 },
];

const reports: Call[] = [
  {
    request: 'POST abuse/report/addon/',
    body: { addon: '{addon}', message: 'Does harm.' },
    status: 201,
    reads: 'addon.guid addon.id addon.slug message',
  },
  {
    ...{ who: 'visitor', request: 'POST abuse/report/user/' },
    body: { user: '{authorId}', message: 'Does harm.' },
    status: 201,
    reads: `message ${under('reporter', PERSON)} ${under('user', PERSON)}`,
  },
  { request: 'GET blocklist/block/{guid}/', status: 404, reads: 'detail' },
];

/** Sign-out, and the deletion of accounts: of an author, who must not, and of a visitor. */
const departure: Call[] = [
  { who: 'author', request: 'DELETE accounts/account/{authorId}/', status: 400, reads: 'non_field_errors.0' },
  { who: 'author', request: 'DELETE accounts/session/', reads: 'ok' },
  { who: 'author', request: 'GET accounts/profile/', status: 401, reads: 'detail' },
  { who: 'visitor', request: 'DELETE accounts/account/{me}/', status: 204 },
  { who: 'visitor', request: 'GET accounts/profile/', status: 401, reads: 'detail' },
  { request: 'GET accounts/account/{me}/', status: 404, reads: 'detail' },
  { request: 'GET ratings/rating/?addon={addonId}&page=1', reads: under('results.0', 'score user.id user.name') },
];

/** By the part of the visit. Later parts need what earlier ones have made. */
export const FRONT_END_CALLS = { visit, account, ratings, collections, reports, departure };
