import { z } from 'zod';
import { MAX_INT4, MIN_INT4 } from '../../infra/int4.ts';
import { encodeApplicationVersion } from '../../package/application-version.ts';
import { ADDON_TYPES, APPLICATIONS } from '../../package/enums.ts';
import { type Message, message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { isGroupName } from '../accounts/administration.ts';
import { addonLine } from './addon-line.ts';
import { collectionLine } from './collection-line.ts';
import { discoveryLine, heroLine, mappingLine } from './curated-lines.ts';
import { LineError } from './line-error.ts';
import {
  applicationVersion,
  boundedText,
  countValue,
  derivedValue,
  flagValue,
  guidValue,
  idValue,
  isDestination,
  isoDay,
  listValue,
  localeValue,
  nullIfAbsent,
  relativePath,
  textLike,
  timestampValue,
  translatedText,
  usernameValue,
  wholeValue,
  wordText,
} from './line-values.ts';
import { ratingLine } from './rating-line.ts';
import { stageAddon } from './stage-addon.ts';
import type { StagedRow, StagedTable, Staging } from './staging.ts';
import { storeFilesOf, storePictureOf } from './stored-files.ts';

type Issue = z.core.$ZodIssue;

const quoted = (word: unknown): string => JSON.stringify(word);

/** What a value should be, by the type that its schema expects. */
const EXPECTED: Readonly<Record<string, Message>> = {
  object: message('line.expected_object'),
  array: message('line.expected_list'),
  boolean: message('line.expected_flag'),
};

function problemOf(issue: Issue): Message {
  if (issue.input === undefined) return message('line.missing');
  if (issue.code === 'custom') return issue.params as Message & typeof issue.params;
  if (issue.code === 'unrecognized_keys') return message('line.unknown_key');
  if (issue.code === 'too_big') return message('line.too_many_entries', { max: Number(issue.maximum) });
  if (issue.code === 'invalid_value') {
    const [first, second, ...more] = issue.values.map(quoted);
    return first !== undefined && second !== undefined && more.length === 0
      ? message('line.expected_either', { first, second })
      : message('line.expected_one_of', { words: issue.values.map(quoted).join(', ') });
  }
  const expected = issue.code === 'invalid_type' ? EXPECTED[issue.expected] : undefined;
  if (expected === undefined) throw new Error(`no message for ${issue.code}`);
  return expected;
}

/** The issue to report: unknown keys of an object come before its values, and those are in the order of the schema. */
function firstOf(issues: readonly Issue[], depth = 0): Issue | undefined {
  const [first] = issues;
  const unknown = issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length === depth);
  if (unknown !== undefined || first === undefined || first.path.length <= depth) return unknown ?? first;
  return firstOf(
    issues.filter(({ path }) => path[depth] === first.path[depth]),
    depth + 1,
  );
}

/** Reads a value by its schema. @throws {LineError} naming the first invalid key, which begins with `key`. */
function readValue<Schema extends z.ZodType>(schema: Schema, value: unknown, key: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value, { reportInput: true });
  if (error === undefined) return data as z.output<Schema>;
  const issue = firstOf(error.issues) as Issue;
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
  const names = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  throw new LineError(key + names.join(''), problemOf(issue));
}

interface Line {
  number: number;
  /** The kind, with which the keys in errors begin. */
  key: string;
  value: unknown;
  baseFolder: string | undefined;
}

type Stage = (staging: Staging, line: Line) => Promise<void> | void;

/** Rows of staging tables, without the number of the line. */
type Rows = { [Table in StagedTable]: readonly [Table, Omit<StagedRow<Table>, 'line'>] }[StagedTable][];

/** Stages lines whose rows depend on nothing but their values. */
const staged =
  <Schema extends z.ZodType>(schema: Schema, rowsOf: (value: z.output<Schema>) => Rows): Stage =>
  (staging, { number, key, value }) => {
    for (const [table, row] of rowsOf(readValue(schema, value, key)))
      staging.add(table, { line: number, ...row } as StagedRow<typeof table>);
  };

const kind = derivedValue;
const app = z.enum(APPLICATIONS);
const shortText = nullIfAbsent(boundedText(255));
const guids = listValue(guidValue, 10_000);

const groupName = textLike(isGroupName, message('line.expected_group'));

const accountLine = z.strictObject({
  kind,
  id: nullIfAbsent(idValue),
  username: usernameValue,
  display_name: shortText,
  email: nullIfAbsent(textLike((value) => /^\S+@\S+$/.test(value), message('line.expected_email'))),
  created: nullIfAbsent(timestampValue),
  biography: nullIfAbsent(boundedText()),
  homepage: nullIfAbsent(boundedText(2_000)),
  location: shortText,
  occupation: shortText,
  is_verified: flagValue,
  read_dev_agreement: nullIfAbsent(timestampValue),
  deleted: flagValue,
  groups: nullIfAbsent(listValue(groupName, 100)),
  picture_path: nullIfAbsent(relativePath),
  picture_url: derivedValue,
  url: derivedValue,
});

/** A replacement has either a path or guids. */
const replacementLine = z
  .strictObject({
    kind,
    guid: guidValue,
    path: nullIfAbsent(textLike(isDestination, message('line.expected_destination'), 2_000)),
    replacement: nullIfAbsent(guids),
  })
  .refine(({ path, replacement }) => (path === null) !== (replacement === null), {
    params: { ...message('line.expected_path_or_guids') },
    path: ['path'],
  });

const overridden = z.strictObject({
  name: app,
  id: derivedValue,
  guid: derivedValue,
  min_version: applicationVersion,
  max_version: applicationVersion,
});

const addonVersion = textLike((value) => /^\S+$/.test(value), message('line.expected_addon_version'));

/** The limit of mutations. An export merges ranges with the same versions of the add-on. */
const MAX_RANGES = 500;

/** A non-empty list: a range without applications has no row. */
const applications = listValue(overridden, MAX_RANGES).refine(({ length }) => length > 0, {
  params: { ...message('line.no_entries') },
});

const range = z.strictObject({
  addon_min_version: addonVersion,
  addon_max_version: addonVersion,
  applications,
});

/** The kinds in export and load order: each refers to earlier ones only. Keys are the contract's where it defines the object. */
const STAGES = {
  application_version: staged(z.strictObject({ kind, app, version: applicationVersion }), ({ app, version }) => [
    ['s_application_version', { app, version, code: encodeApplicationVersion(version) }],
  ]),
  category: staged(
    z.strictObject({
      kind,
      id: nullIfAbsent(idValue),
      app,
      type: z.enum(ADDON_TYPES),
      slug: wordText,
      name: translatedText.default({}),
      weight: wholeValue(MIN_INT4, MAX_INT4).default(0),
    }),
    (category) => [['s_category', category]],
  ),
  account: async (staging, { number, key, value, baseFolder }) => {
    const account = readValue(accountLine, value, key);
    const { picture_path: path } = account;
    const picture_sha256 =
      path === null ? null : await storePictureOf(path, baseFolder, `${key}.picture_path`, staging.pictures);
    staging.add('s_account', { line: number, ...account, picture_sha256 });
  },
  addon: async (staging, { number, key, value, baseFolder }) => {
    const addon = readValue(addonLine, value, key);
    stageAddon(staging, number, addon, await storeFilesOf(addon, baseFolder, key, staging.pictures));
  },
  featured: staged(
    z.strictObject({
      kind,
      addon: guidValue,
      app,
      locale: nullIfAbsent(localeValue),
      category: nullIfAbsent(wordText),
    }),
    ({ addon, ...values }) => [['s_featured', { guid: addon, ...values }]],
  ),
  recommendation_fallback: staged(z.strictObject({ kind, guid: guidValue, position: countValue }), (fallback) => [
    ['s_fallback', fallback],
  ]),
  collection: staged(
    z.strictObject({
      kind,
      path: textLike((value) => /^[^/](?:.*[^/])?$/.test(value), message('line.expected_collection_path')),
      guids,
    }),
    (collection) => [['s_collection', collection]],
  ),
  account_collection: staged(collectionLine, ({ addons, public: isPublic, ...values }) => [
    ['s_account_collection', { ...values, is_public: isPublic }],
    ...addons.map((each, place) => ['s_collection_item', { place, ...each }] as const),
  ]),
  discovery: staged(discoveryLine, ({ entries, ...place }) => [
    ['s_discovery', place],
    ...entries.map(({ addon, ...texts }, place) => ['s_discovery_entry', { place, guid: addon, ...texts }] as const),
  ]),
  hero: staged(heroLine, ({ entries, secondary }) => [
    ['s_hero', { secondary }],
    ...entries.map(({ addon, ...values }, place) => ['s_hero_entry', { place, guid: addon, ...values }] as const),
  ]),
  browser_mapping: staged(mappingLine, ({ addon_guid, ...values }) => [['s_mapping', { guid: addon_guid, ...values }]]),
  replacement: staged(replacementLine, ({ guid, path, replacement }) => [
    ['s_replacement', { guid, path, guids: replacement ?? [] }],
  ]),
  compat_override: staged(
    z.strictObject({
      kind,
      addon_id: nullIfAbsent(idValue),
      addon_guid: guidValue,
      name: boundedText(255).default(''),
      version_ranges: listValue(range, MAX_RANGES),
    }),
    ({ addon_guid, name, version_ranges }) => {
      const ranges = version_ranges.flatMap(({ applications, ...range }) =>
        applications.map(({ name, ...application }) => ({ ...range, ...application, app: name })),
      );
      return [
        ['s_override', { guid: addon_guid, name }],
        ...ranges.map((range, place) => ['s_override_range', { place, ...range }] as const),
      ];
    },
  ),
  rating: staged(ratingLine, ({ addon, user, ...values }) => [
    ['s_rating', { guid: addon, username: user, ...values }],
  ]),
  daily_statistics: staged(
    z.strictObject({
      kind,
      guid: guidValue,
      date: isoDay,
      users: countValue.default(0),
      downloads: countValue.default(0),
    }),
    ({ date, ...numbers }) => [['s_statistics', { day: date, ...numbers }]],
  ),
} satisfies Record<string, Stage>;

export type LineKind = keyof typeof STAGES;
export const LINE_KINDS = Object.keys(STAGES) as LineKind[];

function parse(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser counts lines from the start of its input.
    const [reason = ''] = (error as Error).message.replace(/ \(line \d+ column \d+\)/, '').split('\n');
    throw new LineError('', message('line.not_json', { reason: printable(reason.slice(0, 120)) }));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new LineError('', message('line.expected_kind'));
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
  const key = LINE_KINDS.find((name) => name === ('kind' in value ? value.kind : undefined));
  if (key === undefined) throw new LineError('kind', message('line.expected_one_of', { words: LINE_KINDS.join(', ') }));
  await STAGES[key](staging, { number, key, value, baseFolder });
}
