/*
 * Readers of all other kinds of lines, with the contract's keys where it defines the object.
 */
import { MAX_INT4, MIN_INT4 } from '../../infra/int4.ts';
import { ADDON_TYPES, APPLICATIONS } from '../../package/words.ts';
import { applicationVersion, guid, isDestination, locale, relativePath, translated } from './line-texts.ts';
import {
  count,
  day,
  derived,
  flag,
  id,
  LineError,
  list,
  moment,
  object,
  oneOf,
  optional,
  orNull,
  type Reader,
  required,
  text,
  textLike,
  whole,
} from './read-value.ts';

const kind = derived;
const app = required(oneOf(APPLICATIONS));
const word = textLike((value) => /^[^\s/]+$/.test(value), 'a word without spaces and slashes');
const line = orNull(text(255));
const numbers = { min: MIN_INT4, max: MAX_INT4 };

export const readApplicationVersion = object({ kind, app, version: required(applicationVersion) });

export const readCategory = object({
  kind,
  id: optional(orNull(id), null),
  app,
  type: required(oneOf(ADDON_TYPES)),
  slug: required(word),
  name: optional(translated, {}),
  weight: optional(whole(numbers.min, numbers.max), 0),
});

const username = textLike(
  (value) => /^[^\s/?#](?:[^/?#]*[^\s/?#])?$/.test(value) && !/^\d+$/.test(value),
  'a username: no slashes, ? or #, and not only digits',
);

export const readAccount = object({
  kind,
  id: optional(orNull(id), null),
  username: required(username),
  display_name: optional(line, null),
  email: optional(orNull(textLike((value) => /^\S+@\S+$/.test(value), 'an e-mail address')), null),
  created: optional(orNull(moment), null),
  biography: optional(orNull(text()), null),
  homepage: optional(orNull(text(2_000)), null),
  location: optional(line, null),
  occupation: optional(line, null),
  is_verified: optional(flag, false),
  read_dev_agreement: optional(orNull(moment), null),
  deleted: optional(flag, false),
  groups: optional(
    orNull(
      list(
        textLike((value) => value.trim() !== '', 'the name of a group'),
        100,
      ),
    ),
    null,
  ),
  picture_path: optional(orNull(relativePath), null),
  picture_url: derived,
  url: derived,
});

export const readFeatured = object({
  kind,
  addon: required(guid),
  app,
  locale: optional(orNull(locale), null),
  category: optional(orNull(word), null),
});

export const readFallback = object({ kind, guid: required(guid), position: required(count) });

const guids = list(guid, 10_000);

export const readCollection = object({
  kind,
  path: required(textLike((value) => /^[^/](?:.*[^/])?$/.test(value), 'a path without slashes around it')),
  guids: required(guids),
});

const address = textLike(isDestination, 'a path or an http address', 2_000);
const readReplacementKeys = object({
  kind,
  guid: required(guid),
  path: optional(orNull(address), null),
  replacement: optional(orNull(guids), null),
});

/** A replacement has either a path or guids. */
export const readReplacement: Reader<ReturnType<typeof readReplacementKeys>> = (value, key) => {
  const read = readReplacementKeys(value, key);
  if ((read.path === null) === (read.replacement === null)) {
    throw new LineError(`${key}.path`, 'expected either a path or a replacement');
  }
  return read;
};

const overridden = object({
  name: app,
  id: derived,
  guid: derived,
  min_version: required(applicationVersion),
  max_version: required(applicationVersion),
});

const addonVersion = textLike((value) => /^\S+$/.test(value), 'a version of the add-on');

/** A non-empty list: a range without applications has no row. */
const filled =
  <T>(read: Reader<T[]>): Reader<T[]> =>
  (value, key) => {
    const entries = read(value, key);
    if (entries.length === 0) throw new LineError(key, 'expected at least one entry');
    return entries;
  };

/** The limit of mutations. An export merges ranges with the same versions of the add-on. */
const MAX_RANGES = 500;

export const readOverride = object({
  kind,
  addon_id: optional(orNull(id), null),
  addon_guid: required(guid),
  name: optional(text(255), ''),
  version_ranges: required(
    list(
      object({
        addon_min_version: required(addonVersion),
        addon_max_version: required(addonVersion),
        applications: required(filled(list(overridden, MAX_RANGES))),
      }),
      MAX_RANGES,
    ),
  ),
});

export const readStatistics = object({
  kind,
  guid: required(guid),
  date: required(day),
  users: optional(count, 0),
  downloads: optional(count, 0),
});
