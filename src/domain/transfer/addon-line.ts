/*
 * The schema of an add-on line of a catalogue file: the contract's objects as v4 returns them without `lang`. Derived keys are ignored.
 */
import { z } from 'zod';
import {
  ADDON_STATUSES,
  ADDON_TYPES,
  APPLICATIONS,
  CHANNELS,
  E10S,
  FILE_STATUS,
  PLATFORMS,
} from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import { type ListingColumn, type ListingKind, listingFields } from '../listing/fields.ts';
import { type CatalogueColumn, catalogueFields, type VersionTable } from '../versions/fields.ts';
import {
  addonSlug,
  applicationVersion,
  boundedText,
  colorValue,
  countValue,
  derivedValue,
  entriesValue,
  flagValue,
  guidValue,
  idValue,
  listValue,
  localeValue,
  nullIfAbsent,
  numberValue,
  refuseValue,
  relativePath,
  textLike,
  timestampValue,
  translatedHtml,
  translatedText,
  valueLike,
  versionNumber,
} from './line-values.ts';

const FILE_STATUSES: readonly number[] = Object.values(FILE_STATUS);

/** SPDX identifiers of the built-in licences that the format allows. */
export const BUILTIN_LICENSES = [
  ...(['MPL-2.0', 'Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'GPL-2.0-or-later', 'GPL-3.0-or-later'] as const),
  ...(['LGPL-2.1-or-later', 'LGPL-3.0-or-later', 'AGPL-3.0-or-later', 'Unlicense', 'CC0-1.0', 'CC-BY-4.0'] as const),
  ...(['CC-BY-SA-4.0', 'all-rights-reserved'] as const),
];

const texts = translatedText.default({});
const html = translatedHtml.default({});
const address = boundedText(2_000);

const fileStatus = valueLike<number>(
  (value) => FILE_STATUSES.some((status) => status === value),
  message('line.expected_file_status'),
);

const hash = textLike((value) => /^sha256:[0-9a-f]{64}$/i.test(value), message('line.expected_hash'));

const permissions = listValue(boundedText(2_000)).default([]);

const file = z.strictObject({
  id: nullIfAbsent(idValue),
  created: nullIfAbsent(timestampValue),
  hash: nullIfAbsent(hash),
  is_vendor_signed_extension: flagValue,
  is_restart_required: flagValue,
  is_webextension: flagValue,
  permissions,
  optional_permissions: permissions,
  host_permissions: permissions,
  data_collection_permissions: permissions,
  optional_data_collection_permissions: permissions,
  // Of a version that its developers have disabled.
  status_when_enabled: nullIfAbsent(fileStatus),
  platform: z.enum(PLATFORMS).default('all'),
  // In bytes. GraphQL integers end at 2 GB.
  size: nullIfAbsent(countValue),
  status: fileStatus,
  path: nullIfAbsent(relativePath),
  url: derivedValue,
});

const license = z.strictObject({
  id: derivedValue,
  is_custom: derivedValue,
  builtin: nullIfAbsent(z.enum(BUILTIN_LICENSES)),
  name: texts,
  text: html,
  url: nullIfAbsent(address),
});

const range = z.strictObject({ min: applicationVersion, max: applicationVersion });

/** The schema of a declared field, by its kind. */
const OF_KIND = {
  texts: () => texts,
  html: () => html,
  text: (max?: number) => nullIfAbsent(boundedText(max)),
  flag: () => flagValue,
};
type ListingKeys = { [Column in ListingColumn]: ReturnType<(typeof OF_KIND)[ListingKind<Column>]> };
const listingKeys = Object.fromEntries(
  listingFields.map(({ column, kind, max, importMax = max }) => [column, OF_KIND[kind](importMax)]),
) as ListingKeys;
type VersionKeys = { [Column in CatalogueColumn]: ReturnType<(typeof OF_KIND)[VersionTable[Column]['kind']]> };
const versionKeys = Object.fromEntries(
  catalogueFields.map(({ column, kind, max }) => [column, OF_KIND[kind](max)]),
) as VersionKeys;

const version = z.strictObject({
  id: nullIfAbsent(idValue),
  channel: z.enum(CHANNELS),
  compatibility: entriesValue(APPLICATIONS, range).default([]),
  edit_url: derivedValue,
  files: listValue(file, 100).default([]),
  license: nullIfAbsent(license),
  ...versionKeys,
  reviewed: nullIfAbsent(timestampValue),
  url: derivedValue,
  version: versionNumber,
  created: nullIfAbsent(timestampValue),
  deleted: flagValue,
});

const author = z.strictObject({
  id: derivedValue,
  name: derivedValue,
  url: derivedValue,
  picture_url: derivedValue,
  username: textLike((value) => value !== '', message('line.expected_author')),
  role: z.enum(['owner', 'developer']),
  listed: z.boolean().default(true),
  position: nullIfAbsent(countValue),
});

const size = listValue(countValue)
  .refine(({ length }) => length === 2, { params: { ...message('line.expected_size') } })
  .transform(([width = 0, height = 0]) => [width, height] as const)
  .default([0, 0]);

const preview = z.strictObject({
  id: nullIfAbsent(idValue),
  caption: texts,
  image_size: size,
  image_url: derivedValue,
  thumbnail_size: size,
  thumbnail_url: derivedValue,
  path: nullIfAbsent(relativePath),
});

/** Four keys of `theme_data` are read; the others are derived. */
const themeData = z.strictObject({
  accentcolor: nullIfAbsent(colorValue),
  textcolor: nullIfAbsent(colorValue),
  header_path: nullIfAbsent(relativePath),
  footer_path: nullIfAbsent(relativePath),
  ...Object.fromEntries(
    ['id', 'name', 'category', 'author', 'description', 'header', 'footer', 'headerURL', 'footerURL', 'previewURL']
      .concat(['iconURL', 'updateURL', 'detailURL', 'version'])
      .map((name) => [name, derivedValue]),
  ),
});

/** A tag in lower case, as tags that are edited. */
const tag = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
  textLike((value) => value !== '', message('line.expected_tag'), 128),
);

const rating = numberValue(0, 1_000_000).default(0);
const ratings = z.strictObject({
  count: countValue.default(0),
  text_count: countValue.default(0),
  average: rating,
  bayesian_average: rating,
  /** The part without lines of ratings; absent: all of it. */
  imported: nullIfAbsent(z.strictObject({ count: countValue, text_count: countValue, average: rating })),
});

const kept = z.strictObject({
  kind: derivedValue,
  id: nullIfAbsent(idValue),
  guid: guidValue,
  slug: nullIfAbsent(addonSlug),
  type: z.enum(ADDON_TYPES),
  status: z.enum(ADDON_STATUSES),
  ...listingKeys,
  developer_comments: nullIfAbsent(translatedHtml),
  'developer comments': nullIfAbsent(translatedHtml),
  default_locale: nullIfAbsent(localeValue),
  created: nullIfAbsent(timestampValue),
  last_updated: nullIfAbsent(timestampValue),
  tags: listValue(tag).default([]),
  categories: entriesValue(APPLICATIONS, listValue(boundedText(255))).default([]),
  average_daily_users: countValue.default(0),
  weekly_downloads: countValue.default(0),
  hotness: numberValue(-1e15, 1e15).default(0),
  ratings: ratings.prefault({}),
  previews: listValue(preview, 1_000).default([]),
  theme_data: nullIfAbsent(themeData),
  authors: listValue(author, 1_000).default([]),
  e10s: nullIfAbsent(z.enum(E10S)),
  deleted: flagValue,
  versions: listValue(version, 10_000).default([]),
  icon_path: nullIfAbsent(relativePath),
});

export type AddonLine = z.output<typeof kept>;
export type VersionLine = AddonLine['versions'][number];
export type FileLine = VersionLine['files'][number];

/** Derived keys of the contract's Add-on. */
const DERIVED = ['url', 'edit_url', 'review_url', 'ratings_url', 'icon_url', 'icons', 'has_eula', 'has_privacy_policy']
  .concat(['is_featured', 'is_disabled', 'current_version', 'latest_unlisted_version', '_score'])
  .map((name) => [name, derivedValue] as const);

const addonKeys = kept.extend(Object.fromEntries(DERIVED)) as unknown as typeof kept;

/** An add-on with all its parts. */
export const addonLine = addonKeys.check((payload) => {
  const addon = payload.value;
  const isDeleted = addon.deleted || addon.status === 'deleted';
  if (addon.slug === null && !isDeleted) refuseValue(payload, message('line.missing'), ['slug']);
  for (const [index, { files }] of addon.versions.entries()) {
    const place = files.findIndex(({ path, hash }) => path === null && hash === null);
    if (place !== -1) refuseValue(payload, message('line.hash_missing'), ['versions', index, 'files', place, 'hash']);
  }
  const names = addon.authors.map(({ username }) => username.toLowerCase());
  const again = names.findIndex((name, index) => names.indexOf(name) < index);
  if (again !== -1) refuseValue(payload, message('line.author_twice'), ['authors', again, 'username']);
});
