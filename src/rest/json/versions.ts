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
import { shape } from './shape.ts';
import { moment, textField } from './text.ts';

const STATUS_NUMBERS = {
  AWAITING_REVIEW: FILE_STATUS.awaitingReview,
  PUBLIC: FILE_STATUS.public,
  DISABLED: FILE_STATUS.disabled,
};

/** The File object (contract, File), keys in the order of its table. */
export const file = shape<FileFieldsFragment>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    created: [moment, ({ created }) => created],
    hash: [z.string().regex(/^sha256:[0-9a-f]{64}$/), ({ hash }) => hash],
    is_vendor_signed_extension: [z.boolean(), ({ isVendorSignedExtension }) => isVendorSignedExtension],
    is_restart_required: [z.boolean(), ({ isRestartRequired }) => isRestartRequired],
    is_webextension: [z.boolean(), ({ isWebextension }) => isWebextension],
    permissions: [z.array(z.string()), ({ permissions }) => permissions],
    platform: [z.enum(PLATFORMS), ({ platform }) => platform.toLowerCase()],
    size: [z.int().min(0), ({ size }) => size],
    status: [z.union([z.literal(1), z.literal(4), z.literal(5)]), ({ status }) => STATUS_NUMBERS[status]],
    url: [z.url(), ({ url }) => url],
  },
  'File',
);

/** An object with one optional value per application. */
export const perApplication = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({
    desktop_browser: value.optional(),
    mobile_browser: value.optional(),
    suite_app: value.optional(),
    mail_client: value.optional(),
  });

/** A version as any of the operations selects it. Fields that an operation leaves out are absent in the JSON. */
type VersionFields = VersionFieldsFragment &
  Partial<Pick<VersionNotesFragment, 'releaseNotes'>> & { license?: LicenseFields | null };

type LicenseFields = NonNullable<VersionNotesFragment['license']> &
  Partial<NonNullable<VersionLicenseTextFragment['license']>>;

/** A text with HTML; undefined when the operation does not select it. */
const optionalText = (text: TextFields | null | undefined, view: View) =>
  text === undefined ? undefined : html(translated(text, view), view);

const license = shape<LicenseFields>({
  id: [z.int(), ({ databaseId }) => databaseId],
  is_custom: [z.boolean(), ({ isCustom }) => isCustom],
  name: [textField, ({ name }, view) => translated(name, view)],
  text: [textField, ({ text }, view) => optionalText(text, view)],
  url: [z.url().nullable(), ({ url }) => url],
});

/** The Version object (contract, Version), keys in the order of its table. */
export const version = shape<VersionFields>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    channel: [z.enum(CHANNELS), ({ channel }) => channel.toLowerCase()],
    compatibility: [
      perApplication(z.strictObject({ min: z.string(), max: z.string() })),
      ({ compatibility }) =>
        Object.fromEntries(compatibility.map(({ app, min, max }) => [app.toLowerCase(), { min, max }])),
    ],
    edit_url: [z.url(), ({ editUrl }) => editUrl],
    files: [z.array(file.schema), ({ files }, view) => files.map((each) => file.write(each, view))],
    license: [license.schema.nullable(), ({ license: shown }, view) => (shown ? license.write(shown, view) : shown)],
    release_notes: [textField, ({ releaseNotes }, view) => optionalText(releaseNotes, view)],
    reviewed: [moment.nullable(), ({ reviewed }) => reviewed],
    is_strict_compatibility_enabled: [z.boolean(), ({ isStrictCompatibilityEnabled }) => isStrictCompatibilityEnabled],
    url: [z.url(), ({ url }) => url],
    version: [z.string(), (shown) => shown.version],
  },
  'Version',
);

/** Schema of a version in an add-on. */
export const addonVersion = version.schema
  .extend({ license: license.schema.omit({ is_custom: true, text: true }).nullable() })
  .meta({ id: 'VersionOfAddon' });

/** Schema of a version in a search result. */
export const hitVersion = version.schema.omit({ license: true, release_notes: true }).meta({ id: 'VersionOfResult' });
