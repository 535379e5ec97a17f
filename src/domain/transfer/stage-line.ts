import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { readAddonLine } from './addon-line.ts';
import {
  readAccount,
  readApplicationVersion,
  readCategory,
  readCollection,
  readFallback,
  readFeatured,
  readOverride,
  readReplacement,
  readStatistics,
} from './other-lines.ts';
import { LineError } from './read-value.ts';
import { stageAddon } from './stage-addon.ts';
import type { Staging } from './staging.ts';
import { storeFilesOf, storePictureOf } from './stored-files.ts';

/** The kinds in export and load order: each refers to earlier ones only. */
export const KINDS = [
  'application_version',
  'category',
  'account',
  'addon',
  'featured',
  'recommendation_fallback',
  'collection',
  'replacement',
  'compat_override',
  'daily_statistics',
] as const;

export type Kind = (typeof KINDS)[number];

type Stage = (staging: Staging, line: number, value: unknown, baseFolder: string | undefined) => Promise<void> | void;

const STAGES: Readonly<Record<Kind, Stage>> = {
  application_version: (staging, line, value) => {
    const { app, version } = readApplicationVersion(value, 'application_version');
    staging.add('s_application_version', [line, app, version, encodeApplicationVersion(version)]);
  },
  category: (staging, line, value) => {
    const { id, app, type, slug, name, weight } = readCategory(value, 'category');
    staging.add('s_category', [line, id, app, type, slug, name, weight]);
  },
  account: async (staging, line, value, baseFolder) => {
    const read = readAccount(value, 'account');
    const { picture_path: path } = read;
    const picture = path === null ? null : await storePictureOf(path, baseFolder, 'account.picture_path');
    staging.add('s_account', [
      ...[line, read.id, read.username, read.display_name, read.email, read.created, read.biography, read.homepage],
      ...[
        read.location,
        read.occupation,
        read.is_verified,
        read.read_dev_agreement,
        read.deleted,
        read.groups,
        picture,
      ],
    ]);
  },
  addon: async (staging, line, value, baseFolder) => {
    const addon = readAddonLine(value, 'addon');
    stageAddon(staging, line, addon, await storeFilesOf(addon, baseFolder, 'addon', staging.pictures));
  },
  featured: (staging, line, value) => {
    const { addon, app, locale, category } = readFeatured(value, 'featured');
    staging.add('s_featured', [line, addon, app, locale, category]);
  },
  recommendation_fallback: (staging, line, value) => {
    const { guid, position } = readFallback(value, 'recommendation_fallback');
    staging.add('s_fallback', [line, guid, position]);
  },
  collection: (staging, line, value) => {
    const { path, guids } = readCollection(value, 'collection');
    staging.add('s_collection', [line, path, guids]);
  },
  replacement: (staging, line, value) => {
    const { guid, path, replacement } = readReplacement(value, 'replacement');
    staging.add('s_replacement', [line, guid, path, replacement ?? []]);
  },
  compat_override: (staging, line, value) => {
    const { addon_guid, name, version_ranges } = readOverride(value, 'compat_override');
    staging.add('s_override', [line, addon_guid, name]);
    const ranges = version_ranges.flatMap(({ applications, ...range }) =>
      applications.map((app) => [range, app] as const),
    );
    for (const [place, [{ addon_min_version: first, addon_max_version: last }, application]] of ranges.entries()) {
      const { name: app, min_version, max_version } = application;
      staging.add('s_override_range', [line, place, first, last, app, min_version, max_version]);
    }
  },
  daily_statistics: (staging, line, value) => {
    const { guid, date, users, downloads } = readStatistics(value, 'daily_statistics');
    staging.add('s_statistics', [line, guid, date, users, downloads]);
  },
};

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
  line: number,
  text: string,
  baseFolder: string | undefined,
): Promise<void> {
  const value = parse(text);
  const kind: unknown = 'kind' in value ? value.kind : undefined;
  const known = KINDS.find((name) => name === kind);
  if (known === undefined) throw new LineError('kind', `expected one of ${KINDS.join(', ')}`);
  await STAGES[known](staging, line, value, baseFolder);
}
