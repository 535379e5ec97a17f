import { html } from 'hono/html';
import {
  type HubAddonFragment,
  HubFrameDocument,
  HubNewVersionDocument,
  HubUploadPackageDocument,
  HubVersionsDocument,
  type HubVersionsQuery,
} from '../../generated/operations/graphql.ts';
import { addonOfPath } from '../catalogue/addon-head.ts';
import { pageNumber } from '../catalogue/params.ts';
import { badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { CURSOR_PARAM, cursorPager, pager } from '../components/pager.ts';
import { day } from '../components/time.ts';
import { textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import { requireFile } from '../submit.ts';
import type { Ui } from '../ui.ts';
import { addonContent, HUB_ADDON_PAGE, hasRight, hubAddon, hubUrl } from './hub-addon.ts';
import { uploadTable } from './overview.ts';
import { channelName } from './states.ts';
import { agreementBox, channelField, hubAgreementForm, PACKAGE_FILE, packageForm } from './upload-forms.ts';

type Version = NonNullable<HubVersionsQuery['addon']>['versions']['nodes'][number];

/** Number of versions of a page, as the operation has it. */
const PAGE_SIZE = 25;

/** All versions and uploads of an add-on. */
export const hubVersionsPage = page({
  path: '/developers/addon/:ref/versions/',
  ...HUB_ADDON_PAGE,
  query: { page: pageNumber, ...CURSOR_PARAM },
  document: HubFrameDocument,
  more: {
    document: HubVersionsDocument,
    variables: ({ addon }, { path, query: { page: number, after } }) =>
      addon && hasRight(addon, 'INSPECT_UNLISTED') ? { ...addonOfPath({ path }), page: number, after } : null,
  },
  view: (data, { query, search }, ui, more) => {
    const addon = hubAddon(data.addon, 'INSPECT_UNLISTED');
    const { t } = ui;
    const { nodes = [], totalCount = 0 } = more?.addon?.versions ?? {};
    const { nodes: uploads = [], pageInfo } = more?.addon?.uploads ?? {};
    return addonContent(ui, {
      addon,
      tab: 'versions',
      body: () => html`${hasRight(addon, 'UPLOAD') && html`<p><a class="button primary" href="${hubUrl(addon, 'versions/new')}">${t('hub.version.new')}</a></p>`}
${nodes.length === 0 ? html`<p>${t('hub.overview.no-version')}</p>` : versionTable(ui, addon, nodes)}
${pager(ui, { page: query.page, pageCount: Math.ceil(totalCount / PAGE_SIZE), hrefOf: (each) => hubUrl(addon, `versions?page=${each}`) })}
<h2>${t('hub.uploads.all')}</h2>
<p class="muted">${t('hub.uploads.all-text')}</p>
${uploadTable(ui, uploads, 'uploads')}
${cursorPager(ui, { search, pageInfo })}`,
    });
  },
});

function versionTable(ui: Ui, addon: HubAddonFragment, versions: readonly Version[]): Html {
  const { t, format } = ui;
  return dataTable(ui, {
    id: 'versions',
    caption: t('hub.tab.versions'),
    columns: ['hub.uploads.version', 'hub.channel', 'hub.versions.state', { number: 'addon.size' }, 'hub.uploads.sent'],
    rows: versions.map((version) => [
      html`<a href="${hubUrl(addon, `versions/${version.databaseId}`)}"><bdi dir="ltr">${version.version}</bdi></a>`,
      channelName(ui, version.channel),
      versionState(ui, version),
      format.bytes(version.files.reduce((sum, { size }) => sum + size, 0)),
      day(ui, version.created),
    ]),
  });
}

/** Whether users can install a version. */
export function versionState(
  ui: Ui,
  { isDisabled, files }: Pick<Version, 'isDisabled'> & { files: readonly { status: string }[] },
): Html {
  const { t } = ui;
  if (isDisabled) return badge(ui, { kind: 'warning', text: t('hub.disabled') });
  if (files.length > 0 && files.every(({ status }) => status === 'PUBLIC')) {
    return badge(ui, { kind: 'ok', text: t('hub.versions.available') });
  }
  const isWaiting = files.some(({ status }) => status === 'AWAITING_REVIEW');
  return badge(
    ui,
    isWaiting
      ? { kind: 'info', text: t('validation.stage.AWAITING_REVIEW') }
      : { kind: 'error', text: t('hub.versions.unavailable') },
  );
}

/** Sending a further version. */
export const newVersionPage = page({
  path: '/developers/addon/:ref/versions/new/',
  ...HUB_ADDON_PAGE,
  document: HubNewVersionDocument,
  view: (data, _input, ui) => {
    const addon = hubAddon(data.addon, 'UPLOAD');
    const { t } = ui;
    const newest = [...(addon.channelStates ?? [])].sort((one, other) => other.created.localeCompare(one.created))[0];
    const hasAgreed = data.viewer?.private?.developerAgreementAccepted != null;
    return {
      ...addonContent(ui, {
        addon,
        tab: 'versions',
        heading: t('hub.version.new'),
        body: (own) =>
          hasAgreed
            ? html`${newest && html`<p>${t('hub.version.latest', { version: html`<bdi dir="ltr">${newest.version}</bdi>` })}</p>`}
${packageForm(own, { name: 'hub-version', submit: t('hub.version.send'), channel: newest?.channel === 'UNLISTED' ? 'UNLISTED' : 'LISTED', hidden: { addon: addon.id } })}`
            : agreementBox(own),
      }),
      scripts: ['upload.js'],
    };
  },
});

export const versionAgreementForm = hubAgreementForm(newVersionPage);

/** The package becomes a version with `/developers/submit/<pk>/`, as that of a new add-on does. */
export const newVersionForm = form({
  page: newVersionPage,
  name: 'hub-version',
  fields: { addon: textField, channel: channelField },
  file: PACKAGE_FILE,
  document: HubUploadPackageDocument,
  variables: ({ addon, channel }, _input, file) => ({ addon, channel, file: Promise.resolve(requireFile(file)) }),
  done: ({ createUpload }) =>
    redirect('upload' in createUpload ? `/validation/${createUpload.upload.pk}/` : '/developers/', 303),
});
