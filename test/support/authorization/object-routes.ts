/* Every route that takes an add-on or a version. */
import {
  AUTHORS,
  addonRead,
  change,
  edits,
  newest,
  notesRead,
  type RestAction,
  shownTo,
  signedIn,
  statusRule,
  submits,
  type Target,
  versionEdit,
  versionRead,
} from './object-rules.ts';

const addonPath =
  (rest: (target: Target) => string = () => '') =>
  (target: Target) =>
    `/addons/addon/${target.addon.id}/${rest(target)}`;
const versionPath = (rest = '') => addonPath(({ version }) => `versions/${version}/${rest}`);
const signingPath = (rest: (target: Target) => string) => (target: Target) =>
  `/addons/${target.addon.guid}/versions/${rest(target)}/`;

const EMPTY_FORM = { file: null, fields: new Map() };
const NO_UPLOAD = { values: {}, source: null };
const WRONG = { values: { slug: 5, is_disabled: 5 }, source: null };

export const REST_ACTIONS: readonly RestAction[] = [
  { name: 'GET /addons/addon/:addon/', apiVersion: 'v4', path: addonPath(), rule: addonRead },
  {
    name: 'GET /addons/addon/:addon/feature_compatibility/',
    ...{ apiVersion: 'v4', path: addonPath(() => 'feature_compatibility/'), rule: addonRead },
  },
  {
    name: 'GET /addons/addon/:addon/eula_policy/',
    ...{ apiVersion: 'v4', path: addonPath(() => 'eula_policy/'), rule: addonRead },
  },
  {
    name: 'GET /addons/addon/:addon/versions/',
    ...{ apiVersion: 'v4', path: addonPath(() => 'versions/'), rule: addonRead },
  },
  {
    name: 'GET /addons/addon/:addon/versions/:version_id/',
    ...{ apiVersion: 'v4', path: versionPath(), rule: versionRead, needsVersion: true },
  },
  {
    name: 'GET /addons/addon/:addon/versions/:version_ref/',
    ...{ apiVersion: 'v5', path: versionPath(), rule: versionRead, needsVersion: true },
  },
  {
    name: 'GET /addons/addon/:addon/versions/:version_ref/source/',
    ...{ apiVersion: 'v5', path: versionPath('source/'), needsVersion: true },
    rule: signedIn(shownTo((_rights, { readsSource }) => readsSource)),
  },
  {
    name: 'GET /addons/addon/:addon/versions/:version_id/reviewnotes/',
    ...{ apiVersion: 'v4', path: versionPath('reviewnotes/'), rule: notesRead, needsVersion: true },
  },
  {
    name: 'GET /addons/addon/:addon/versions/:version_id/reviewnotes/:note_id/',
    ...{ apiVersion: 'v4', rule: notesRead, needsVersion: true },
    path: addonPath(({ version, world }) => `versions/${version}/reviewnotes/${world.notes.get(version)}/`),
  },
  {
    name: 'PATCH /addons/addon/:addon/',
    ...{ apiVersion: 'v5', path: addonPath(), body: WRONG },
    rule: signedIn((rights, role) => (addonRead(rights, role) === 200 ? edits(rights, role) : addonRead(rights, role))),
  },
  {
    name: 'PATCH /addons/addon/:addon/versions/:version_ref/',
    ...{ apiVersion: 'v5', path: versionPath(), body: WRONG, rule: versionEdit, needsVersion: true },
  },
  {
    name: 'POST /addons/addon/:addon/versions/',
    ...{ apiVersion: 'v5', path: addonPath(() => 'versions/'), body: NO_UPLOAD, rule: change(() => AUTHORS) },
  },
  {
    name: 'PUT /addons/addon/:guid/',
    ...{ apiVersion: 'v5', path: ({ addon }) => `/addons/addon/${addon.guid}/`, body: NO_UPLOAD, rule: submits },
  },
  {
    name: 'PUT /addons/:guid/versions/:version/',
    ...{ apiVersion: 'v4', path: signingPath(() => '9.0'), body: EMPTY_FORM, rule: submits },
  },
  {
    name: 'GET /addons/:guid/versions/:version/',
    ...{ apiVersion: 'v4', path: signingPath(newest), rule: statusRule, needsVersion: true },
  },
  {
    name: 'GET /addons/:guid/versions/:version/uploads/:pk/',
    ...{ apiVersion: 'v4', rule: statusRule, needsVersion: true },
    path: signingPath((target) => `${newest(target)}/uploads/${target.world.uploads.get(target.version)}`),
  },
  {
    name: 'GET /file/:file_id/:base_filename',
    ...{ apiVersion: 'v4', path: ({ file }) => `/file/${file}/x.xpi`, needsVersion: true },
    rule: signedIn(shownTo((_rights, { downloads }) => downloads)),
  },
  {
    name: 'GET /downloads/file/:file_id/:base_filename',
    ...{ apiVersion: 'v4', path: ({ file }) => `/downloads/file/${file}/x.xpi`, needsVersion: true },
    rule: shownTo((_rights, { downloads }) => downloads),
  },
  {
    // Credentials have no effect.
    name: 'GET /downloads/latest/:addon/:base_filename',
    ...{ apiVersion: 'v4', path: ({ addon }) => `/downloads/latest/${addon.id}/x.xpi`, needsVersion: true },
    rule: (rights) => addonRead(rights, 'anonymous'),
  },
];
