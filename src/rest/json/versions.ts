import { z } from 'zod';
import type {
  FileFieldsFragment,
  VersionFieldsFragment,
  VersionForDevelopersFragment,
  VersionLicenseTextFragment,
  VersionNotesFragment,
} from '../../generated/operations/graphql.ts';
import { CHANNELS, FILE_STATUS, PLATFORMS } from '../../package/enums.ts';
import { wrapLinksInHtml } from '../links.ts';
import type { View } from '../view.ts';
import { hasLaterKeys } from '../words.ts';
import { listKey, type ShapeKey, type ShapeKeys, shape } from './shape.ts';
import { dateTime, textKey } from './text.ts';

const STATUS_NUMBERS = {
  AWAITING_REVIEW: FILE_STATUS.awaitingReview,
  PUBLIC: FILE_STATUS.public,
  DISABLED: FILE_STATUS.disabled,
};

const STATUS_WORDS = { AWAITING_REVIEW: 'unreviewed', PUBLIC: 'public', DISABLED: 'disabled' } as const;

/** The File object (contract, File; submission API), keys in the documented order. */
export const fileShape = shape<FileFieldsFragment>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    created: [dateTime, ({ created }) => created],
    hash: [z.string().regex(/^sha256:[0-9a-f]{64}$/), ({ hash }) => hash],
    is_vendor_signed_extension: [z.boolean(), ({ isVendorSignedExtension }) => isVendorSignedExtension],
    is_restart_required: { contract: [z.boolean(), ({ isRestartRequired }) => isRestartRequired] },
    is_webextension: { contract: [z.boolean(), ({ isWebextension }) => isWebextension] },
    optional_permissions: {
      contract: [
        z.array(z.string()).optional().meta({ description: 'Under v4, where the installation has API_WORDS.' }),
        ({ optionalPermissions }, view) => (hasLaterKeys(view) ? optionalPermissions : undefined),
      ],
      v5: [z.array(z.string()), ({ optionalPermissions }) => optionalPermissions],
    },
    host_permissions: { v5: [z.array(z.string()), ({ hostPermissions }) => hostPermissions] },
    data_collection_permissions: {
      v5: [z.array(z.string()), ({ dataCollectionPermissions }) => dataCollectionPermissions],
    },
    optional_data_collection_permissions: {
      v5: [z.array(z.string()), ({ optionalDataCollectionPermissions }) => optionalDataCollectionPermissions],
    },
    permissions: [z.array(z.string()), ({ permissions }) => permissions],
    platform: { contract: [z.enum(PLATFORMS), ({ platform }) => platform.toLowerCase()] },
    size: [z.int().min(0), ({ size }) => size],
    status: {
      contract: [z.union([z.literal(1), z.literal(4), z.literal(5)]), ({ status }) => STATUS_NUMBERS[status]],
      v5: [z.enum(Object.values(STATUS_WORDS)), ({ status }) => STATUS_WORDS[status]],
    },
    url: {
      contract: [z.url(), ({ url }) => url],
      // Clients cut the name of the saved file out of the last segment.
      v5: [z.url(), ({ url }) => url.replace(/\?.*$/, '')],
    },
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
export type VersionFields = VersionFieldsFragment &
  Partial<Pick<VersionNotesFragment, 'releaseNotes'>> &
  Partial<VersionForDevelopersFragment> & { license?: LicenseFields | null };

type LicenseFields = NonNullable<VersionNotesFragment['license']> &
  Partial<NonNullable<VersionLicenseTextFragment['license']>>;

const license = shape<LicenseFields>({
  id: [z.int(), ({ databaseId }) => databaseId],
  is_custom: {
    contract: [z.boolean(), ({ isCustom }) => isCustom],
    v5: [z.boolean(), ({ builtin }) => builtin === null],
  },
  name: textKey(({ name }) => name),
  slug: { v5: [z.string().nullable(), ({ builtin }) => builtin] },
  text: textKey(({ text }) => text, wrapLinksInHtml),
  url: [z.url().nullable(), ({ url }) => url],
});

/** The file of a version for all platforms, else its first one. */
const mainFile = ({ files }: Pick<VersionFields, 'files'>) =>
  files.find(({ platform }) => platform === 'ALL') ?? files[0] ?? null;

/** The one file that a version has under v5. */
export const mainFileKey: ShapeKey<Pick<VersionFields, 'files'>> = [
  z.union([fileShape.v5, z.null()]),
  (shown, view) => {
    const found = mainFile(shown);
    return found && fileShape.write(found, view);
  },
];

const writeLicense = ({ license: shown }: VersionFields, view: View) => (shown ? license.write(shown, view) : shown);

/** The keys before the files. */
const FIRST_KEYS = {
  channel: [z.enum(CHANNELS), ({ channel }) => channel.toLowerCase()],
  compatibility: [
    perApplication(z.strictObject({ min: z.string(), max: z.string() })),
    ({ compatibility }) =>
      Object.fromEntries(compatibility.map(({ app, min, max }) => [app.toLowerCase(), { min, max }])),
  ],
  edit_url: [z.url(), ({ editUrl }) => editUrl],
} satisfies ShapeKeys<VersionFields>;

const strict: ShapeKey<VersionFields> = [
  z.boolean(),
  ({ isStrictCompatibilityEnabled }) => isStrictCompatibilityEnabled,
];

const LAST_KEYS = {
  release_notes: textKey(({ releaseNotes }) => releaseNotes, wrapLinksInHtml),
  reviewed: [dateTime.nullable(), ({ reviewed }) => reviewed],
} satisfies ShapeKeys<VersionFields>;

const id: ShapeKey<VersionFields> = [z.int(), ({ databaseId }) => databaseId];
const number: ShapeKey<VersionFields> = [z.string(), (shown) => shown.version];

/** The Version object (contract, Version; submission API), keys in the documented order. */
export const versionShape = shape<VersionFields>(
  {
    id,
    ...FIRST_KEYS,
    files: listKey(fileShape, ({ files }) => files),
    license: [license.schema.nullable(), writeLicense],
    ...LAST_KEYS,
    is_strict_compatibility_enabled: strict,
    url: [z.url(), ({ url }) => url],
    version: number,
  },
  'Version',
  {
    id,
    // These are absent for viewers who are neither authors nor reviewers.
    approval_notes: [z.string().optional(), ({ approvalNotes }) => approvalNotes ?? undefined],
    ...FIRST_KEYS,
    file: mainFileKey,
    is_disabled: [z.boolean().optional(), ({ isDisabled }) => isDisabled ?? undefined],
    is_strict_compatibility_enabled: strict,
    license: [z.union([license.v5.extend({ text: license.v5.shape.text.optional() }), z.null()]), writeLicense],
    ...LAST_KEYS,
    source: [
      z.url().nullable().optional(),
      ({ approvalNotes, source }) => (approvalNotes == null ? undefined : (source?.url ?? null)),
    ],
    version: number,
  },
);

/** Schemas of a version in an add-on. Under v5 that is the version of a list, whose licence has no text either. */
export const addonVersion = {
  schema: versionShape.schema
    .extend({ license: license.schema.omit({ is_custom: true, text: true }).nullable() })
    .meta({ id: 'VersionOfAddon' }),
  v5: versionShape.v5
    .extend({ license: z.union([license.v5.omit({ text: true }), z.null()]) })
    .meta({ id: 'VersionWithoutLicenseText' }),
};

/** A version whose licence has no text. */
export function withoutLicenseText(shown: VersionFields): VersionFields {
  if (!shown.license) return shown;
  const { text: _text, ...rest } = shown.license;
  return { ...shown, license: rest };
}

/** Schemas of a version in a search result. */
export const hitVersion = {
  schema: versionShape.schema.omit({ license: true, release_notes: true }).meta({ id: 'VersionOfResult' }),
  v5: versionShape.v5.omit({ license: true, release_notes: true }).meta({ id: 'VersionOfResult' }),
};
