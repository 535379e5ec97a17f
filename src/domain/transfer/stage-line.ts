import type { CopyValue } from '../../infra/bulk-session.ts';
import { MAX_INT4, MIN_INT4 } from '../../infra/int4.ts';
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { ADDON_TYPES, APPLICATIONS } from '../../package/words.ts';
import { isGroupName } from '../accounts/administration.ts';
import { readAddonLine } from './addon-line.ts';
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
import { stageAddon } from './stage-addon.ts';
import type { StagedTable, Staging } from './staging.ts';
import { storeFilesOf, storePictureOf } from './stored-files.ts';

interface Line {
  number: number;
  /** The kind, with which the keys in errors begin. */
  key: string;
  value: unknown;
  baseFolder: string | undefined;
}

type Stage = (staging: Staging, line: Line) => Promise<void> | void;

/** Rows of staging tables, without the number of the line. */
type Rows = (readonly [StagedTable, readonly CopyValue[]])[];

/** Stages lines whose rows depend on nothing but their values. */
const staged =
  <Value>(read: Reader<Value>, rowsOf: (value: Value) => Rows): Stage =>
  (staging, { number, key, value }) => {
    for (const [table, columns] of rowsOf(read(value, key))) staging.add(table, [number, ...columns]);
  };

const kind = derived;
const app = required(oneOf(APPLICATIONS));
const word = textLike((value) => /^[^\s/]+$/.test(value), 'a word without spaces and slashes');
const shortText = orNull(text(255));
const guids = list(guid, 10_000);

const username = textLike(
  (value) => /^[^\s/?#](?:[^/?#]*[^\s/?#])?$/.test(value) && !/^\d+$/.test(value),
  'a username: no slashes, ? or #, and not only digits',
);
const groupName = textLike(isGroupName, 'the name of a group');

const readAccount = object({
  kind,
  id: optional(orNull(id), null),
  username: required(username),
  display_name: optional(shortText, null),
  email: optional(orNull(textLike((value) => /^\S+@\S+$/.test(value), 'an e-mail address')), null),
  created: optional(orNull(moment), null),
  biography: optional(orNull(text()), null),
  homepage: optional(orNull(text(2_000)), null),
  location: optional(shortText, null),
  occupation: optional(shortText, null),
  is_verified: optional(flag, false),
  read_dev_agreement: optional(orNull(moment), null),
  deleted: optional(flag, false),
  groups: optional(orNull(list(groupName, 100)), null),
  picture_path: optional(orNull(relativePath), null),
  picture_url: derived,
  url: derived,
});

const readReplacementKeys = object({
  kind,
  guid: required(guid),
  path: optional(orNull(textLike(isDestination, 'a path or an http address', 2_000)), null),
  replacement: optional(orNull(guids), null),
});

/** A replacement has either a path or guids. */
const readReplacement: Reader<ReturnType<typeof readReplacementKeys>> = (value, key) => {
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

/** The limit of mutations. An export merges ranges with the same versions of the add-on. */
const MAX_RANGES = 500;

/** A non-empty list: a range without applications has no row. */
const applications: Reader<ReturnType<typeof overridden>[]> = (value, key) => {
  const entries = list(overridden, MAX_RANGES)(value, key);
  if (entries.length === 0) throw new LineError(key, 'expected at least one entry');
  return entries;
};

const range = object({
  addon_min_version: required(addonVersion),
  addon_max_version: required(addonVersion),
  applications: required(applications),
});

/** The kinds in export and load order: each refers to earlier ones only. Keys are the contract's where it defines the object. */
const STAGES = {
  application_version: staged(object({ kind, app, version: required(applicationVersion) }), ({ app, version }) => [
    ['s_application_version', [app, version, encodeApplicationVersion(version)]],
  ]),
  category: staged(
    object({
      kind,
      id: optional(orNull(id), null),
      app,
      type: required(oneOf(ADDON_TYPES)),
      slug: required(word),
      name: optional(translated, {}),
      weight: optional(whole(MIN_INT4, MAX_INT4), 0),
    }),
    ({ id, app, type, slug, name, weight }) => [['s_category', [id, app, type, slug, name, weight]]],
  ),
  account: async (staging, { number, key, value, baseFolder }) => {
    const read = readAccount(value, key);
    const { picture_path: path } = read;
    const picture =
      path === null ? null : await storePictureOf(path, baseFolder, `${key}.picture_path`, staging.pictures);
    staging.add('s_account', [
      ...[number, read.id, read.username, read.display_name, read.email, read.created, read.biography, read.homepage],
      ...[read.location, read.occupation, read.is_verified, read.read_dev_agreement, read.deleted, read.groups],
      picture,
    ]);
  },
  addon: async (staging, { number, key, value, baseFolder }) => {
    const addon = readAddonLine(value, key);
    stageAddon(staging, number, addon, await storeFilesOf(addon, baseFolder, key, staging.pictures));
  },
  featured: staged(
    object({
      kind,
      addon: required(guid),
      app,
      locale: optional(orNull(locale), null),
      category: optional(orNull(word), null),
    }),
    ({ addon, app, locale, category }) => [['s_featured', [addon, app, locale, category]]],
  ),
  recommendation_fallback: staged(
    object({ kind, guid: required(guid), position: required(count) }),
    ({ guid, position }) => [['s_fallback', [guid, position]]],
  ),
  collection: staged(
    object({
      kind,
      path: required(textLike((value) => /^[^/](?:.*[^/])?$/.test(value), 'a path without slashes around it')),
      guids: required(guids),
    }),
    ({ path, guids }) => [['s_collection', [path, guids]]],
  ),
  replacement: staged(readReplacement, ({ guid, path, replacement }) => [
    ['s_replacement', [guid, path, replacement ?? []]],
  ]),
  compat_override: staged(
    object({
      kind,
      addon_id: optional(orNull(id), null),
      addon_guid: required(guid),
      name: optional(text(255), ''),
      version_ranges: required(list(range, MAX_RANGES)),
    }),
    ({ addon_guid, name, version_ranges }) => {
      const ranges = version_ranges.flatMap(({ applications, addon_min_version, addon_max_version }) =>
        applications.map((application) => [
          ...[addon_min_version, addon_max_version, application.name],
          ...[application.min_version, application.max_version],
        ]),
      );
      return [
        ['s_override', [addon_guid, name]],
        ...ranges.map((columns, place) => ['s_override_range', [place, ...columns]] as const),
      ];
    },
  ),
  daily_statistics: staged(
    object({
      kind,
      guid: required(guid),
      date: required(day),
      users: optional(count, 0),
      downloads: optional(count, 0),
    }),
    ({ guid, date, users, downloads }) => [['s_statistics', [guid, date, users, downloads]]],
  ),
} satisfies Record<string, Stage>;

export type Kind = keyof typeof STAGES;
export const KINDS = Object.keys(STAGES) as Kind[];

function parse(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser counts lines from the start of its input.
    const [reason = ''] = (error as Error).message.replace(/ \(line \d+ column \d+\)/, '').split('\n');
    throw new LineError('', `not JSON: ${reason.slice(0, 120)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new LineError('', 'expected an object with a kind');
}

/**
 * Reads and stages one line, completely or not at all.
 * @throws {LineError} naming the invalid key (`addon.versions[0].channel`; empty for the whole line).
 */
export async function stageLine(
  staging: Staging,
  number: number,
  text: string,
  baseFolder: string | undefined,
): Promise<void> {
  const value = parse(text);
  const key = KINDS.find((name) => name === ('kind' in value ? value.kind : undefined));
  if (key === undefined) throw new LineError('kind', `expected one of ${KINDS.join(', ')}`);
  await STAGES[key](staging, { number, key, value, baseFolder });
}
