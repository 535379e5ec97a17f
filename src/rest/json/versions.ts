import { z } from 'zod';
import type {
  FileFieldsFragment,
  VersionFieldsFragment,
  VersionLicenseTextFragment,
  VersionNotesFragment,
} from '../../generated/operations/graphql.ts';
import { CHANNELS, FILE_STATUS, PLATFORMS } from '../../package/words.ts';
import { html } from '../links.ts';
import { type TextFields, translated } from '../translations.ts';
import type { View } from '../view.ts';
import { moment, textField } from './text.ts';

/** The File object (contract, File), keys in the order of its table. */
export const file = z
  .strictObject({
    id: z.int(),
    created: moment,
    hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    is_vendor_signed_extension: z.boolean(),
    is_restart_required: z.boolean(),
    is_webextension: z.boolean(),
    permissions: z.array(z.string()),
    platform: z.enum(PLATFORMS),
    size: z.int().min(0),
    status: z.union([z.literal(1), z.literal(4), z.literal(5)]),
    url: z.url(),
  })
  .meta({ id: 'File' });

const range = z.strictObject({ min: z.string(), max: z.string() });
const license = z.strictObject({ id: z.int(), name: textField, url: z.url().nullable() });
const licenseWithText = z.strictObject({
  id: z.int(),
  is_custom: z.boolean(),
  name: textField,
  text: textField,
  url: z.url().nullable(),
});

/** An object with one optional value per application. */
export const perApplication = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({
    desktop_browser: value.optional(),
    mobile_browser: value.optional(),
    suite_app: value.optional(),
    mail_client: value.optional(),
  });

const start = {
  id: z.int(),
  channel: z.enum(CHANNELS),
  compatibility: perApplication(range),
  edit_url: z.url(),
  files: z.array(file),
};
const end = {
  reviewed: moment.nullable(),
  is_strict_compatibility_enabled: z.boolean(),
  url: z.url(),
  version: z.string(),
};

/** Schema of a version in a search result. */
export const hitVersion = z.strictObject({ ...start, ...end }).meta({ id: 'VersionOfResult' });

/** Schema of a version in an add-on. */
export const addonVersion = z
  .strictObject({ ...start, license: license.nullable(), release_notes: textField, ...end })
  .meta({ id: 'VersionOfAddon' });

/** The Version object (contract, Version), keys in the order of its table. */
export const version = z
  .strictObject({ ...start, license: licenseWithText.nullable(), release_notes: textField, ...end })
  .meta({ id: 'Version' });

const STATUS_NUMBERS = {
  AWAITING_REVIEW: FILE_STATUS.awaitingReview,
  PUBLIC: FILE_STATUS.public,
  DISABLED: FILE_STATUS.disabled,
};

/** Returns the File object (contract, File). */
export function fileJson(shown: FileFieldsFragment) {
  return {
    id: shown.databaseId,
    created: shown.created,
    hash: shown.hash,
    is_vendor_signed_extension: shown.isVendorSignedExtension,
    is_restart_required: shown.isRestartRequired,
    is_webextension: shown.isWebextension,
    permissions: shown.permissions,
    platform: shown.platform.toLowerCase(),
    size: shown.size,
    status: STATUS_NUMBERS[shown.status],
    url: shown.url,
  };
}

/** A version as any of the operations selects it. Fields that an operation leaves out are absent in the JSON. */
export type VersionFields = VersionFieldsFragment &
  Partial<Pick<VersionNotesFragment, 'releaseNotes'>> & { license?: LicenseFields | null };

type LicenseFields = NonNullable<VersionNotesFragment['license']> &
  Partial<NonNullable<VersionLicenseTextFragment['license']>>;

/** A text with HTML; undefined when the operation does not select it. */
const optionalText = (text: TextFields | null | undefined, view: View) =>
  text === undefined ? undefined : html(translated(text, view), view);

function licenseJson(shown: LicenseFields, view: View) {
  return {
    id: shown.databaseId,
    is_custom: shown.isCustom,
    name: translated(shown.name, view),
    text: optionalText(shown.text, view),
    url: shown.url,
  };
}

/** Returns the Version object (contract, Version); keys in the order of the table. */
export function versionJson(shown: VersionFields, view: View) {
  return {
    id: shown.databaseId,
    channel: shown.channel.toLowerCase(),
    compatibility: Object.fromEntries(
      shown.compatibility.map(({ app, min, max }) => [app.toLowerCase(), { min, max }]),
    ),
    edit_url: shown.editUrl,
    files: shown.files.map(fileJson),
    license: shown.license ? licenseJson(shown.license, view) : shown.license,
    release_notes: optionalText(shown.releaseNotes, view),
    reviewed: shown.reviewed,
    is_strict_compatibility_enabled: shown.isStrictCompatibilityEnabled,
    url: shown.url,
    version: shown.version,
  };
}
