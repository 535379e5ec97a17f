import { html } from 'hono/html';
import { VersionPageDocument, type VersionPageQuery } from '../../generated/operations/graphql.ts';
import { addonReference } from '../../graphql/references.ts';
import { segmentParam } from '../../http/params.ts';
import { facts } from '../components/facts.ts';
import { notice } from '../components/notice.ts';
import { day } from '../components/time.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PAGE, addonName, addonPath, toCanonical } from './addon-head.ts';
import { addonHeader } from './addon-header.ts';
import { pathOf } from './addresses.ts';
import {
  applicationRanges,
  fileList,
  installColumns,
  installOf,
  licenseLink,
  licenseName,
  permissionSection,
  releaseNotes,
  writtenText,
} from './version-parts.ts';

type VersionedAddon = NonNullable<VersionPageQuery['addon']>;
type ShownVersion = NonNullable<VersionedAddon['version']>;

/** One version: what changed, what it works with, its files. */
export const versionPage = page({
  ...ADDON_PAGE,
  path: '/addon/:ref/versions/:version/',
  params: { ...ADDON_PAGE.params, version: segmentParam('Version number.') },
  document: VersionPageDocument,
  variables: ({ path }) => ({ by: addonReference(path.ref), version: path.version }),
  view: ({ addon }, input, ui) => {
    const version = addon?.version ?? null;
    if (addon === null || version === null) return null;
    const rest = `versions/${encodeURIComponent(version.version)}/`;
    return (
      toCanonical(addon, input, rest) ?? {
        title: `${addonName(addon)} ${version.version}`,
        canonical: addonPath(addon, rest),
        scripts: ['install.js'],
        main: versionMain(ui, addon, version),
      }
    );
  },
});

function versionMain(ui: Ui, addon: VersionedAddon, version: ShownVersion): Html {
  const { t } = ui;
  const number = html`<bdi dir="ltr">${version.version}</bdi>`;
  return html`${addonHeader(ui, addon, { current: 'versions', title: number })}
<h1>${t('addon.versions.version', { version: number })}</h1>
${unsignedNotice(ui, version)}
${olderNotice(ui, addon, version)}
${installColumns(
  installOf(ui, addon, version, { label: t('addon.install') }),
  html`<section aria-labelledby="notes"><h2 id="notes">${t('addon.versions.notes')}</h2>
${releaseNotes(ui, version)}</section>
${permissionSection(ui, version)}
${ownLicense(ui, version)}
<section aria-labelledby="files"><h2 id="files">${t('addon.versions.files')}</h2>
${fileList(ui, addon, version)}
${version.contents !== null && html`<p><a href="${addonPath(addon, `versions/${encodeURIComponent(version.version)}/files/`)}">${t('code.version-files')}</a></p>`}</section>`,
  html`<aside aria-label="${t('addon.facts')}">
${facts(ui, {
  isNarrow: true,
  items: [
    { term: t(isUnsigned(version) ? 'addon.uploaded' : 'addon.released'), value: day(ui, version.created) },
    { term: t('addon.works-with'), value: applicationRanges(ui, version.compatibility) },
    { term: t('addon.license'), value: version.license && licenseLink(ui, version.license, '#license') },
    { term: t('version.provenance'), value: version.provenance && builtBy(ui, version.provenance) },
  ],
})}
</aside>`,
)}`;
}

/** Characters of the hash of a commit, as Git shortens them in large repositories. The page of the run has all. */
const COMMIT_LENGTH = 12;

/** The job that uploaded the version, by the claims of its token. */
function builtBy(
  { t }: Ui,
  { issuer, repository, commit, workflow, runUrl }: NonNullable<ShownVersion['provenance']>,
): Html {
  const ltr = (text: string) => html`<bdi dir="ltr">${text}</bdi>`;
  if (repository === null) return t('version.provenance.hidden', { issuer: ltr(issuer) });
  const job =
    commit === null
      ? ltr(repository)
      : t('version.provenance.at', { repository: ltr(repository), commit: code(commit.slice(0, COMMIT_LENGTH)) });
  const file = workflow === null ? null : fileOf(workflow, repository);
  return html`${runUrl === null ? job : html`<a href="${runUrl}" rel="nofollow noopener">${job}</a>`}${file !== null && html` <span class="muted small">${ltr(file)}</span>`}`;
}

/** Without the repository of the version: `.github/workflows/x.yml@…` or, where a server precedes it, `.gitlab-ci.yml@…`. */
function fileOf(workflow: string, repository: string): string {
  const [before = '', ...rest] = workflow.split(`${repository}/`);
  return rest.length === 1 && /^(?:[^/]+\/)?$/.test(before) ? (rest[0] ?? '').replace(/^\//, '') : workflow;
}

/** The licence that the developers wrote, which other versions need not have. */
function ownLicense(ui: Ui, { license }: ShownVersion): Html {
  if (license === null || !license.isCustom) return html``;
  return html`<section aria-labelledby="license"><h2 id="license">${ui.t('addon.license')}</h2>
<p class="lead">${licenseName(ui, license)}</p>
${writtenText(license.text)}</section>`;
}

/** Whether it waits for its signature, so that only its developers and staff see it. */
const isUnsigned = ({ files }: ShownVersion): boolean =>
  files.some(({ isSigned, status }) => !isSigned && status === 'AWAITING_REVIEW');

const unsignedNotice = (ui: Ui, version: ShownVersion): Html | null =>
  isUnsigned(version)
    ? notice(ui, {
        kind: 'warning',
        title: ui.t('addon.versions.unsigned'),
        text: ui.t('addon.versions.unsigned-text'),
      })
    : null;

/** On older versions, the way to the newest one. */
function olderNotice(ui: Ui, { currentVersion }: VersionedAddon, version: ShownVersion): Html {
  if (currentVersion === null || currentVersion.id === version.id) return html``;
  const link = html`<a href="${pathOf(currentVersion.url)}"><bdi dir="ltr">${currentVersion.version}</bdi></a>`;
  return notice(ui, { kind: 'info', text: ui.t('addon.versions.older', { link }) });
}
