/* Parts of pages about versions: their applications, licences, files. */

import { html, raw } from 'hono/html';
import { wrapLink } from '../../auth/outgoing-links.ts';
import type {
  LicenseFieldsFragment,
  PageFileFieldsFragment,
  PageVersionFieldsFragment,
} from '../../generated/operations/graphql.ts';
import { APPLICATIONS } from '../../package/enums.ts';
import { directionOf } from '../../texts/languages.ts';
import { badge } from '../components/badge.ts';
import { type Fact, facts } from '../components/facts.ts';
import { missingFile, sessionFileUrl } from '../components/file-link.ts';
import { icon } from '../components/icon.ts';
import { installLink } from '../components/install-link.ts';
import { type LocalText, localText } from '../components/local-text.ts';
import { notice } from '../components/notice.ts';
import { permissionList } from '../components/permission-list.ts';
import { code, type Html, joined } from '../html.ts';
import type { Ui } from '../ui.ts';
import { addonPath, type HeadAddon } from './addon-head.ts';

/** The file that most people need: that for all platforms, else the first; undefined without files. */
export const fileOf = <File extends { platform: string }>({ files }: { files: readonly File[] }): File | undefined =>
  files.find(({ platform }) => platform === 'ALL') ?? files[0];

type Ranges = PageVersionFieldsFragment['compatibility'];

/** The applications that a version works with; an empty list means all. */
export function applicationRanges(ui: Ui, ranges: Ranges): Html {
  if (ranges.length === 0) return ui.t('addon.all-apps');
  return html`<ul class="plain-list">
${ranges.map((range) => html`<li>${application(ui, range)}</li>`)}</ul>`;
}

/** An application with its versions. */
function application(ui: Ui, { app, min, max }: Ranges[number]): Html {
  const key = max === '*' ? 'addon.app-from' : 'addon.app-range';
  const [from, to] = [html`<bdi dir="ltr">${min}</bdi>`, html`<bdi dir="ltr">${max}</bdi>`];
  return ui.t(key, { app: ui.t(`catalogue.app.${app}`), min: from, max: to });
}

/** The name of a licence. */
export const licenseName = (ui: Ui, { name, builtin }: LicenseFieldsFragment): Html =>
  name?.value == null ? html`${builtin ?? ui.t('addon.license.custom')}` : localText(ui, name);

/** The licence: a link to its text, at `ownHref` or on another site. */
export function licenseLink(ui: Ui, license: LicenseFieldsFragment, ownHref: string): Html {
  const name = licenseName(ui, license);
  if (license.isCustom) return html`<a href="${ownHref}">${name}</a>`;
  return license.url === null ? name : html`<a href="${wrapLink(license.url)}" rel="noopener">${name}</a>`;
}

/** A text of developers; null without one. */
export const writtenText = (text: LocalText | null | undefined): Html | null =>
  text?.value ? userHtml(text.value, { lang: text.locale, class: 'user-text prose' }) : null;

/** What is new in a version. */
export const releaseNotes = (ui: Ui, version: Pick<PageVersionFieldsFragment, 'releaseNotes'>): Html =>
  writtenText(version.releaseNotes) ?? html`<p class="muted">${ui.t('addon.versions.no-notes')}</p>`;

interface Added {
  newPermissions: readonly string[] | null;
  newDataCollectionPermissions: readonly string[] | null;
}

/** What a version may do, and what the version before it could not. Formats without permissions show nothing. */
export function permissionSection(ui: Ui, version: PageVersionFieldsFragment, added?: Added): Html {
  const list = versionPermissions(ui, version, added);
  if (list === null) return html``;
  return html`<section aria-labelledby="permissions"><h2 id="permissions">${ui.t('addon.permissions')}</h2>
${list}</section>`;
}

/** The list of that section; null for formats without permissions. */
export function versionPermissions(ui: Ui, version: PageVersionFieldsFragment, added?: Added): Html | null {
  const file = fileOf(version);
  if (file === undefined || !file.isWebextension) return null;
  const { permissions: names, hostPermissions: hosts, optionalPermissions: optional } = file;
  const newNames = added?.newPermissions ?? null;
  return permissionList(ui, {
    permissions: names,
    hosts,
    optional,
    previous: newNames && [...names, ...hosts].filter((permission) => !newNames.includes(permission)),
    data: file.dataCollectionPermissions,
    optionalData: file.optionalDataCollectionPermissions,
    newData: added?.newDataCollectionPermissions ?? [],
  });
}

/** The serial number of a certificate, a link to its entry in the log. */
export const serialLink = (serial: string): Html => html`<a href="/signing/log/${serial}">${code(serial)}</a>`;

/** An add-on whose files are linked. Its visibility is null for viewers who see public add-ons only. */
interface FileAddon {
  visibility?: { isPublic: boolean } | null;
}

type ShownFile = Pick<PageFileFieldsFragment, 'databaseId' | 'name' | 'status' | 'url'>;

interface VersionAddon extends HeadAddon, FileAddon {
  type: string;
  hasEula: boolean;
}

/** The columns of a page with an install link: it comes first on small screens, and on top of the side column on others. */
export const installColumns = (install: Html, main: Html, side: Html): Html => html`<div class="columns with-install">
<div>${install}</div>
<div>
${main}
</div>
${side}
</div>`;

/** The texts of a link that installs a version, in programs that it is made for and in others. */
interface InstallLabels {
  label: Html;
  /** By default, that the file is saved. */
  saveLabel?: Html;
}

/** The link that installs a version, or why nothing can be installed; nothing for a version without files. */
export function installOf(
  ui: Ui,
  addon: VersionAddon,
  version: PageVersionFieldsFragment | null,
  { label, saveLabel = ui.t('ui.install.save') }: InstallLabels,
): Html {
  const file = version === null ? undefined : fileOf(version);
  if (version === null || file === undefined) return addon.type === 'PERSONA' ? withoutFile(ui) : html``;
  if (!file.isStored) return missingFile(ui);
  const href = fileUrl(addon, version, file);
  if (href !== file.url) return saveLink(ui, href);
  const eulaHref = addon.hasEula ? addonPath(addon, 'eula/') : null;
  const apps = version.compatibility;
  const programs =
    apps.length === 0
      ? APPLICATIONS.map((app) => ui.t(`catalogue.app.${app.toUpperCase() as Uppercase<typeof app>}`))
      : apps.map((range) => application(ui, range));
  return file.isWebextension
    ? installLink(ui, { file, label, saveLabel, eulaHref, apps, programs })
    : legacyFile(ui, eulaHref ?? href, programs);
}

/** The link that saves a file. */
export const saveLink = (ui: Ui, href: string): Html =>
  html`<p><a class="button small" href="${href}">${icon(ui, 'download')}${ui.t('addon.versions.download')}</a></p>`;

/** In place of a link to a file that a type of add-on never has: what to choose instead. */
const withoutFile = (ui: Ui): Html =>
  notice(ui, {
    kind: 'info',
    title: ui.t('addon.persona.title'),
    text: ui.t('addon.persona.text'),
    actions: html`<a class="button" href="${othersHref(ui, { type: 'statictheme' })}">${ui.t('addon.persona.more')}</a>`,
  });

/** In place of the link that installs a file of a format before WebExtensions: whom it is for, and other add-ons. */
const legacyFile = (ui: Ui, href: string, programs: readonly Html[]): Html =>
  notice(ui, {
    kind: 'info',
    title: ui.t('addon.legacy.title'),
    text: ui.t('addon.legacy.text', { programs: joined(programs) }),
    actions: html`<a class="button small" href="${href}">${icon(ui, 'download')}${ui.t('addon.versions.download')}</a>
<a href="${othersHref(ui)}">${ui.t('addon.legacy.more')}</a>`,
  });

/** A search for what the visitor searched before, where the address has it; otherwise for the most used add-ons. */
function othersHref(ui: Ui, type: Record<string, string> = {}): string {
  const q = new URL(ui.path, 'http://localhost').searchParams.get('q');
  return `/search/?${new URLSearchParams(q ? { q, ...type } : { ...type, sort: 'users' })}`;
}

/** Where a file is downloaded: with the session of pages if only developers and reviewers may. */
export const fileUrl = (addon: FileAddon, { channel }: { channel: string }, file: ShownFile): string =>
  addon.visibility?.isPublic !== false && channel === 'LISTED' && file.status === 'PUBLIC'
    ? file.url
    : sessionFileUrl(file);

/** The name of a file, a link to its download. */
function fileName(ui: Ui, { isStored, name }: PageFileFieldsFragment, href: string): Html {
  const text = html`<bdi dir="ltr">${name}</bdi>`;
  return isStored ? html`<a href="${href}">${text}</a>` : html`${text} ${missingFile(ui)}`;
}

/** What can be checked of a file. */
function fileFacts(ui: Ui, file: PageFileFieldsFragment, href: string): Fact[] {
  const { t } = ui;
  return [
    { term: t('addon.file.name'), value: fileName(ui, file, href) },
    { term: t('addon.size'), value: ui.format.bytes(file.size) },
    { term: t('addon.platform'), value: t(`catalogue.platform.${file.platform}`) },
    { term: t('addon.hash'), value: code(file.hash) },
    {
      term: t('addon.signature'),
      value: file.isSigned
        ? badge(ui, { kind: 'ok', icon: 'check', text: t('addon.signed') })
        : badge(ui, { text: t('addon.unsigned') }),
    },
    { term: t('addon.serial'), value: file.certificateSerial && serialLink(file.certificateSerial) },
  ];
}

/** The files of a version. */
export const fileList = (ui: Ui, addon: FileAddon, version: PageVersionFieldsFragment): Html =>
  html`${version.files.map((file) => facts(ui, { items: fileFacts(ui, file, fileUrl(addon, version, file)) }))}`;

/**
 * Stored HTML of a user, in an element with its language. It was cleaned when it was written; its links must be wrapped
 * (`wrapLinks: true` in the operation).
 */
function userHtml(stored: string, attributes: { lang: string | null; class?: string }): Html {
  const { lang, class: name = 'user-text' } = attributes;
  return html`<div class="${name}"${lang === null ? '' : html` lang="${lang}" dir="${directionOf(lang)}"`}>${raw(stored)}</div>`;
}
