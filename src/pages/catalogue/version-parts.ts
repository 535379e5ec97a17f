/* Parts of pages about versions: their applications, licences, files. */
import { html } from 'hono/html';
import type {
  LicenseFieldsFragment,
  PageFileFieldsFragment,
  PageVersionFieldsFragment,
} from '../../generated/operations/graphql.ts';
import { badge } from '../components/badge.ts';
import { type Fact, facts } from '../components/facts.ts';
import { installLink } from '../components/install-link.ts';
import { localText } from '../components/local-text.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { addonPath, type HeadAddon } from './addon-head.ts';

/** The file that most people need: that for all platforms, else the first; undefined without files. */
export const fileOf = <File extends { platform: string }>({ files }: { files: readonly File[] }): File | undefined =>
  files.find(({ platform }) => platform === 'ALL') ?? files[0];

/** The applications that a version works with; an empty list means all. */
export function applications(ui: Ui, ranges: PageVersionFieldsFragment['compatibility']): Html {
  if (ranges.length === 0) return ui.t('addon.all-apps');
  return html`<ul class="plain-list">
${ranges.map(({ app, min, max }) => {
  const key = max === '*' ? 'addon.app-from' : 'addon.app-range';
  const [from, to] = [html`<bdi dir="ltr">${min}</bdi>`, html`<bdi dir="ltr">${max}</bdi>`];
  return html`<li>${ui.t(key, { app: ui.t(`catalogue.app.${app}`), min: from, max: to })}</li>
`;
})}</ul>`;
}

/** The licence: a link to its text, here or on another site. */
export function licenseLink(ui: Ui, addon: HeadAddon, license: LicenseFieldsFragment): Html {
  const name =
    license.name?.value == null
      ? html`${license.builtin ?? ui.t('addon.license.custom')}`
      : localText(ui, license.name);
  if (license.isCustom) return html`<a href="${addonPath(addon, 'license/')}">${name}</a>`;
  return license.url === null ? name : html`<a href="${ui.wrapLink(license.url)}" rel="noopener">${name}</a>`;
}

interface VersionAddon extends HeadAddon {
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

/** The link that installs a version; nothing for a version without files. */
export function installOf(ui: Ui, addon: VersionAddon, version: PageVersionFieldsFragment, label: Html): Html {
  const file = fileOf(version);
  if (file === undefined) return html``;
  const eulaHref = addon.hasEula ? addonPath(addon, 'eula/') : null;
  return installLink(ui, { file, label, eulaHref, apps: version.compatibility });
}

/** What can be checked of a file. */
export function fileFacts(ui: Ui, file: PageFileFieldsFragment): Fact[] {
  const { t } = ui;
  const serial = file.certificateSerial;
  return [
    { term: t('addon.file.name'), value: html`<a href="${file.url}"><bdi dir="ltr">${file.name}</bdi></a>` },
    { term: t('addon.size'), value: ui.format.bytes(file.size) },
    { term: t('addon.platform'), value: t(`catalogue.platform.${file.platform}`) },
    { term: t('addon.hash'), value: html`<bdi dir="ltr"><code>${file.hash}</code></bdi>` },
    {
      term: t('addon.signature'),
      value: file.signed
        ? badge(ui, { kind: 'ok', icon: 'check', text: t('addon.signed') })
        : badge(ui, { text: t('addon.unsigned') }),
    },
    {
      term: t('addon.serial'),
      value:
        serial === null ? null : html`<a href="/signing/log/${serial}"><bdi dir="ltr"><code>${serial}</code></bdi></a>`,
    },
  ];
}

/** The files of a version. */
export const fileList = (ui: Ui, { files }: PageVersionFieldsFragment): Html =>
  html`${files.map((file) => facts(ui, { items: fileFacts(ui, file) }))}`;
