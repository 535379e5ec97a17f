import { html } from 'hono/html';
import {
  type Application,
  FileDownloadDocument,
  HubAttachSourceDocument,
  HubDeleteVersionDocument,
  HubUpdateVersionDocument,
  HubVersionDocument,
  type HubVersionQuery,
} from '../../generated/operations/graphql.ts';
import { labelParam, recordId, segmentParam } from '../../http/params.ts';
import { UPLOAD_LIMIT_BYTES } from '../../infra/staging/staging.ts';
import { addonOfPath, addonPath } from '../catalogue/addon-head.ts';
import { serialLink } from '../catalogue/version-parts.ts';
import { changed, changedInput, changedTexts, type Expected, expectedTexts } from '../changes.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { type Fact, facts } from '../components/facts.ts';
import { missingFile, sessionFileUrl } from '../components/file-link.ts';
import { type FormPart, formElement } from '../components/form.ts';
import { moment } from '../components/time.ts';
import { checkbox, type FieldReader, optionalText, textField } from '../fields.ts';
import { form } from '../form.ts';
import { code, type Html } from '../html.ts';
import { page } from '../page.ts';
import { requireFile } from '../submit.ts';
import type { Ui } from '../ui.ts';
import { addLanguage } from './add-language.ts';
import { addonContent, backTo, HUB_ADDON_PAGE, hasRight, hubAddon, hubUrl } from './hub-addon.ts';
import { languageParts, languagesOfForm, licenseField, notesField, writtenIn } from './listing-fields.ts';
import { channelName } from './states.ts';
import { versionState } from './versions.ts';

type Addon = NonNullable<HubVersionQuery['addon']>;
type Version = NonNullable<Addon['version']>;

const APPS = [
  'DESKTOP_BROWSER',
  'MOBILE_BROWSER',
  'MAIL_CLIENT',
  'SUITE_APP',
] as const satisfies readonly Application[];

/** One version: its files, notes, ranges, licence and source code, and its deletion with `?delete=1`. */
export const hubVersionPage = page({
  path: '/developers/addon/:ref/versions/:id/',
  ...HUB_ADDON_PAGE,
  params: { ...HUB_ADDON_PAGE.params, id: recordId('Id of the version.') },
  query: { add: labelParam('A language to add.'), delete: labelParam('Whether to confirm the deletion.') },
  document: HubVersionDocument,
  variables: ({ path }) => ({ ...addonOfPath({ path }), id: path.id }),
  view: (data, { query }, ui) => {
    const addon = hubAddon(data.addon);
    const { version } = addon;
    if (version === null) return null;
    const isDeleting = query.delete !== null && hasRight(addon, 'RELEASE');
    return {
      ...addonContent(ui, {
        addon,
        tab: 'versions',
        heading: ui.t(isDeleting ? 'hub.version.delete' : 'addon.versions.version', { version: version.version }),
        body: (own) => (isDeleting ? deletion(own, addon, version) : details(own, addon, version, data, query.add)),
      }),
      scripts: ['upload.js'],
    };
  },
});

function details(ui: Ui, addon: Addon, version: Version, { licenses }: HubVersionQuery, add: string | null): Html {
  const { t } = ui;
  return html`${facts(ui, { items: factsOf(ui, version) })}
${
  hasRight(addon, 'RELEASE') &&
  html`<h2>${t('hub.version.edit')}</h2>
${editBox(ui, addon, version, licenses, add)}
<h2>${t('hub.version.source')}</h2>
${sourceForm(ui, addon, version)}
<h2>${t('hub.version.delete-button')}</h2>
<p><a class="button danger" href="${hubUrl(addon, `versions/${version.databaseId}?delete=1`)}">${t('hub.version.delete-button')}</a></p>`
}`;
}

function factsOf(ui: Ui, { channel, created, isDisabled, files }: Version): Fact[] {
  const { t, format } = ui;
  return [
    { term: t('hub.channel'), value: channelName(ui, channel) },
    { term: t('hub.versions.state'), value: versionState(ui, { isDisabled, files }) },
    { term: t('hub.uploads.sent'), value: moment(ui, created) },
    ...files.flatMap(({ databaseId, name, size, hash, isStored, certificateSerial }) => [
      {
        term: t('addon.file.name'),
        value: isStored
          ? html`<a href="${sessionFileUrl({ databaseId, name })}"><bdi dir="ltr">${name}</bdi></a> (${format.bytes(size)})`
          : html`<bdi dir="ltr">${name}</bdi> ${missingFile(ui)}`,
      },
      { term: t('addon.hash'), value: code(hash) },
      { term: t('hub.version.serial'), value: certificateSerial && serialLink(certificateSerial) },
    ]),
  ];
}

function editBox(
  ui: Ui,
  addon: Addon,
  version: Version,
  licenses: HubVersionQuery['licenses'],
  add: string | null,
): Html {
  const { releaseNotes } = version;
  const place = { form: 'hub-version-edit', defaultLocale: addon.defaultLocale };
  const languages = languagesOfForm(ui, { ...place, fields: { releaseNotes }, add });
  const notes = languageParts(ui, { ...place, languages }, (language) => [
    {
      kind: 'textarea',
      name: `releaseNotes.${language}`,
      label: ui.t('hub.field.releaseNotes'),
      hint: ui.t('hub.field.html-hint'),
      language,
      value: writtenIn(releaseNotes, language),
    },
  ]);
  return html`${formElement(ui, {
    name: 'hub-version-edit',
    hidden: { id: version.id },
    expected: { ...expectedTexts({ releaseNotes }, languages), ...expectedValues(version) },
    parts: [...notes, ...ownFields(ui, addon, version, licenses)],
    submit: ui.t('ui.save'),
  })}
${addLanguage(ui, { ...place, present: languages })}`;
}

/** The range of a version for an application, as it is typed; empty without one. */
function rangeIn({ compatibility }: Version, app: Application): string {
  const range = compatibility.find((each) => each.app === app);
  return range === undefined ? '' : `${range.min} - ${range.max}`;
}

const expectedValues = (version: Version): Expected => ({
  ...Object.fromEntries(APPS.map((app) => [`compatibility.${app}`, rangeIn(version, app)])),
  license: version.license?.id ?? '',
  approvalNotes: version.approvalNotes,
  isDisabled: version.isDisabled === true,
});

function ownFields(ui: Ui, addon: Addon, version: Version, licenses: HubVersionQuery['licenses']): FormPart[] {
  const { t } = ui;
  const ranges = APPS.map(
    (app): FormPart => ({
      kind: 'text',
      name: `compatibility.${app}`,
      label: ui.t(`catalogue.app.${app}`),
      value: rangeIn(version, app),
      direction: 'ltr',
      maxLength: 80,
    }),
  );
  return [
    { kind: 'group', legend: t('hub.field.compatibility'), hint: t('hub.field.compatibility-hint'), parts: ranges },
    ...(hasRight(addon, 'OWN') ? [licenseField(ui, licenses, { chosen: version.license, isRequired: false })] : []),
    notesField(ui, version.approvalNotes),
    {
      kind: 'checkbox',
      name: 'isDisabled',
      label: t('hub.version.disabled'),
      hint: t('hub.version.disabled-hint'),
      isChecked: version.isDisabled === true,
    },
  ];
}

function sourceForm(ui: Ui, addon: Addon, { id, version, source }: Version): Html {
  const { t, format } = ui;
  const href = addonPath(addon, `versions/${encodeURIComponent(version)}/source/`);
  return html`${source === null ? html`<p>${t('hub.version.no-source')}</p>` : html`<p><a href="${href}"><bdi dir="ltr">${source.name}</bdi></a> (${format.bytes(source.size)})</p>`}
${formElement(ui, {
  name: 'hub-version-source',
  hidden: { version: id },
  expected: { file: source?.hash ?? '' },
  parts: [
    {
      kind: 'file',
      name: 'file',
      label: t('hub.version.source-file'),
      hint: t('hub.version.source-hint', { size: format.limit(UPLOAD_LIMIT_BYTES) }),
      accept: '.zip,.tar.gz,.tgz,.tar.bz2',
      isRequired: true,
    },
  ],
  submit: t('hub.version.source-send'),
})}`;
}

const deletion = (ui: Ui, addon: Addon, { id, databaseId }: Version): Html =>
  confirmForm(ui, {
    name: 'hub-version-delete',
    consequences: [ui.t('hub.version.delete-file'), ui.t('hub.version.delete-number')],
    keeps: [ui.t('hub.version.delete-installed'), ui.t('hub.version.delete-others')],
    submit: ui.t('hub.version.delete-button'),
    cancelHref: hubUrl(addon, `versions/${databaseId}`),
    hidden: { id },
  });

/** Ranges as typed: `57.0 - *`, one field for each application. */
const rangesField: FieldReader<{ app: Application; min: string; max: string | null }[]> = {
  read: (typed, name) =>
    APPS.flatMap((app) => {
      const text = (typed.get(`${name}.${app}`)?.at(-1) ?? '').trim();
      // The mutation refuses an empty minimum and a maximum that consists of several versions.
      const [min = '', ...rest] = text.split(/(?:^|\s+)-(?:\s+|$)|\s*–\s*/);
      return text === '' ? [] : [{ app, min, max: rest.join(' - ') || null }];
    }),
};

export const versionForm = form({
  page: hubVersionPage,
  name: 'hub-version-edit',
  isExtensible: true,
  fields: {
    ...{ id: textField, releaseNotes: changedTexts },
    ...{ compatibility: changed(rangesField), license: changed(optionalText) },
    ...{ approvalNotes: changed(textField), isDisabled: changed(checkbox) },
  },
  document: HubUpdateVersionDocument,
  // Without a choice, a licence of the developers stays.
  variables: ({ id, releaseNotes, license, ...values }) => ({
    input: { id, releaseNotes, ...changedInput({ ...values, license: license?.value === null ? null : license }) },
  }),
});

const EXPECTED_FILE = 'expected.file';

export const sourceFileForm = form({
  page: hubVersionPage,
  name: 'hub-version-source',
  fields: { version: textField, [EXPECTED_FILE]: optionalText },
  file: { limitBytes: UPLOAD_LIMIT_BYTES, isCounted: false },
  document: HubAttachSourceDocument,
  variables: ({ version, [EXPECTED_FILE]: hash }, _input, file) => ({
    input: { version, file: Promise.resolve(requireFile(file)), expected: { hash } },
  }),
});

export const deleteVersionForm = form({
  page: hubVersionPage,
  name: 'hub-version-delete',
  fields: { id: textField },
  document: HubDeleteVersionDocument,
  variables: ({ id }) => ({ id }),
  done: backTo('versions', 'hub-version-delete'),
});

/** A file for its authors and reviewers, with the session of pages. Other viewers of files that are not public get 404. */
export const filePage = page({
  path: '/developers/file/:id/:name',
  visitor: 'account',
  params: { id: recordId('Id of the file.'), name: segmentParam('Any name; it only names the saved file.') },
  document: FileDownloadDocument,
  variables: ({ path: { id } }) => ({ id }),
  view: ({ fileDownload: file }, { path: { id } }) => ({ kind: 'download', id, addonId: file.addonId, file }),
});
