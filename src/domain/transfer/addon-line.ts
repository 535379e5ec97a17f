/*
 * Reader for an add-on line of a catalogue file: the contract's objects as v4 returns them without `lang`. Derived keys are ignored.
 */
import {
  ADDON_STATUSES,
  ADDON_TYPES,
  APPLICATIONS,
  CHANNELS,
  E10S,
  FILE_STATUS,
  PLATFORMS,
} from '../../package/words.ts';
import {
  applicationVersion,
  color,
  guid,
  locale,
  relativePath,
  slug,
  translated,
  translatedHtml,
  versionNumber,
} from './line-texts.ts';
import {
  count,
  derived,
  entries,
  type Field,
  flag,
  id,
  LineError,
  list,
  moment,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Read,
  type Reader,
  required,
  text,
  textLike,
} from './read-value.ts';

const FILE_STATUSES: readonly number[] = Object.values(FILE_STATUS);

/** SPDX identifiers of the built-in licences that the format allows. */
export const BUILTIN_LICENSES = [
  ...(['MPL-2.0', 'Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'GPL-2.0-or-later', 'GPL-3.0-or-later'] as const),
  ...(['LGPL-2.1-or-later', 'LGPL-3.0-or-later', 'AGPL-3.0-or-later', 'Unlicense', 'CC0-1.0', 'CC-BY-4.0'] as const),
  ...(['CC-BY-SA-4.0', 'all-rights-reserved'] as const),
];

const no = (): Field<boolean> => optional(flag, false);
const none = <T>(read: Parameters<typeof orNull<T>>[0]): Field<T | null> => optional(orNull(read), null);
const texts = (): Field<Readonly<Record<string, string>>> => optional(translated, {});
const html = (): Field<Readonly<Record<string, string>>> => optional(translatedHtml, {});
const address = text(2_000);

const fileStatus = (value: unknown, key: string): number => {
  if (typeof value !== 'number' || !FILE_STATUSES.includes(value)) throw new LineError(key, 'expected 1, 4 or 5');
  return value;
};

const hash = textLike((value) => /^sha256:[0-9a-f]{64}$/i.test(value), 'sha256: and 64 hex digits');

const file = object({
  id: none(id),
  created: none(moment),
  hash: none(hash),
  is_vendor_signed_extension: no(),
  is_restart_required: no(),
  is_webextension: no(),
  permissions: optional(list(text(2_000)), []),
  optional_permissions: optional(list(text(2_000)), []),
  host_permissions: optional(list(text(2_000)), []),
  data_collection_permissions: optional(list(text(2_000)), []),
  optional_data_collection_permissions: optional(list(text(2_000)), []),
  // Of a version that its developers have disabled.
  status_when_enabled: none(fileStatus),
  platform: optional(oneOf(PLATFORMS), 'all' as const),
  // In bytes. GraphQL integers end at 2 GB.
  size: none(count),
  status: required(fileStatus),
  path: none(relativePath),
  url: derived,
});

const license = object({
  id: derived,
  is_custom: derived,
  builtin: none(oneOf(BUILTIN_LICENSES)),
  name: texts(),
  text: html(),
  url: none(address),
});

const range = object({ min: required(applicationVersion), max: required(applicationVersion) });

const version = object({
  id: none(id),
  channel: required(oneOf(CHANNELS)),
  compatibility: optional(entries(APPLICATIONS, range), []),
  edit_url: derived,
  files: optional(list(file, 100), []),
  license: none(license),
  release_notes: html(),
  reviewed: none(moment),
  is_strict_compatibility_enabled: no(),
  url: derived,
  version: required(versionNumber),
  created: none(moment),
  deleted: no(),
});

const author = object({
  id: derived,
  name: derived,
  url: derived,
  picture_url: derived,
  username: required(textLike((value) => value !== '', 'a username')),
  role: required(oneOf(['owner', 'developer'] as const)),
  listed: optional(flag, true),
  position: none(count),
});

const size = (value: unknown, key: string): [number, number] => {
  const [width = 0, height = 0, ...more] = list(count)(value, key);
  if (more.length > 0 || (value as unknown[]).length < 2) throw new LineError(key, 'expected width and height');
  return [width, height];
};
const noSize = (): Field<[number, number]> => optional(size, [0, 0]);

const preview = object({
  id: none(id),
  caption: texts(),
  image_size: noSize(),
  image_url: derived,
  thumbnail_size: noSize(),
  thumbnail_url: derived,
  path: none(relativePath),
});

/** Four keys of `theme_data` are read; the others are derived. */
const themeData = object({
  accentcolor: none(color),
  textcolor: none(color),
  header_path: none(relativePath),
  footer_path: none(relativePath),
  ...Object.fromEntries(
    ['id', 'name', 'category', 'author', 'description', 'header', 'footer', 'headerURL', 'footerURL', 'previewURL']
      .concat(['iconURL', 'updateURL', 'detailURL', 'version'])
      .map((name) => [name, derived]),
  ),
});

const lowerCaseTag = textLike((value) => value !== '', 'a tag', 128);
/** A tag in lower case, as tags that are edited. */
const tag: Reader<string> = (value, key) =>
  lowerCaseTag(typeof value === 'string' ? value.trim().toLowerCase() : value, key);

const rating = () => optional(number(0, 1_000_000), 0);
const ratings = object({
  count: optional(count, 0),
  text_count: optional(count, 0),
  average: rating(),
  bayesian_average: rating(),
});

const KEPT = {
  id: none(id),
  guid: required(guid),
  slug: none(slug),
  type: required(oneOf(ADDON_TYPES)),
  status: required(oneOf(ADDON_STATUSES)),
  name: texts(),
  summary: texts(),
  description: html(),
  developer_comments: optional(orNull(translatedHtml), null),
  'developer comments': optional(orNull(translatedHtml), null),
  homepage: texts(),
  support_email: texts(),
  support_url: texts(),
  default_locale: none(locale),
  created: none(moment),
  last_updated: none(moment),
  tags: optional(list(tag), []),
  categories: optional(entries(APPLICATIONS, list(text(255))), []),
  average_daily_users: optional(count, 0),
  weekly_downloads: optional(count, 0),
  hotness: optional(number(-1e15, 1e15), 0),
  ratings: optional(ratings, { count: 0, text_count: 0, average: 0, bayesian_average: 0 }),
  contributions_url: none(address),
  is_experimental: no(),
  is_source_public: no(),
  public_stats: no(),
  requires_payment: no(),
  requires_sensitive_data_access: no(),
  previews: optional(list(preview, 1_000), []),
  theme_data: none(themeData),
  authors: optional(list(author, 1_000), []),
  eula: html(),
  privacy_policy: html(),
  e10s: none(oneOf(E10S)),
  target_locale: none(text(64)),
  locale_disambiguation: none(text(255)),
  is_disabled_by_developer: no(),
  deleted: no(),
  versions: optional(list(version, 10_000), []),
  icon_path: none(relativePath),
};

/** Derived keys of the contract's Add-on. */
const DERIVED = ['url', 'edit_url', 'review_url', 'ratings_url', 'icon_url', 'icons', 'has_eula', 'has_privacy_policy']
  .concat(['is_featured', 'is_disabled', 'current_version', 'latest_unlisted_version', '_score'])
  .map((name) => [name, derived] as const);

const shape = { kind: derived, ...Object.fromEntries(DERIVED), ...KEPT } as typeof KEPT & { kind: Field<undefined> };

export type AddonLine = Read<typeof KEPT>;
export type VersionLine = AddonLine['versions'][number];
export type FileLine = VersionLine['files'][number];

const readShape = object(shape);

/** Reads an add-on with all its parts. @throws {LineError} naming the invalid key. */
export function readAddonLine(value: unknown, key: string): AddonLine {
  const addon = readShape(value, key) as AddonLine;
  const isDeleted = addon.deleted || addon.status === 'deleted';
  if (addon.slug === null && !isDeleted) throw new LineError(`${key}.slug`, 'missing');
  addon.versions.forEach(({ files }, index) => {
    files.forEach((each, place) => {
      const at = `${key}.versions[${index}].files[${place}]`;
      if (each.path === null && each.hash === null) throw new LineError(`${at}.hash`, 'missing, as there is no path');
    });
  });
  const known = new Set<string>();
  addon.authors.forEach(({ username }, index) => {
    const at = username.toLowerCase();
    if (known.has(at)) throw new LineError(`${key}.authors[${index}].username`, 'the same author twice');
    known.add(at);
  });
  return addon;
}
