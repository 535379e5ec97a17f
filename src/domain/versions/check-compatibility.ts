/*
 * Which versions of applications a developer may say that a version of his add-on works with.
 */

import { refusedField } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { isKnownAmong } from '../../package/manifest/compatibility.ts';
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import type { Application } from '../../package/words.ts';
import { applicationVersionLines, noteApplicationVersions } from './known-versions.ts';

export interface ApplicationRange {
  app: Application;
  min: string;
  max: string;
}

/** What the rules need to know of the version. */
export interface RangedVersion {
  addonType: string;
  isWebextension: boolean;
  apps: readonly string[];
}

const FIELD = 'compatibility';
const BAD_RANGE = 'Invalid version range.';
/** The first version of the browsers that runs no legacy packages. */
const WITHOUT_LEGACY = encodeApplicationVersion('57.0a1') ?? 0;
const BROWSERS: readonly string[] = ['desktop_browser', 'mobile_browser'];
/** Applications take these, and language packs, from before as they are. */
const OLD_FORMATS_RUN: readonly string[] = ['search', 'dictionary', 'persona', 'language'];

const codeOf = (version: string): number => encodeApplicationVersion(version) ?? 0;

/** A range as it is kept. */
export function rangeRow({ app, min, max }: ApplicationRange) {
  return { app, min, max, minCode: BigInt(codeOf(min)), maxCode: BigInt(codeOf(max)) };
}

/**
 * Holds ranges against the known versions of applications; what is well-formed and of a known major version becomes known.
 * @throws {InvalidInputError} on `compatibility` for an unknown version, a range that is none, an application named twice,
 * no application, another set of them for a static theme, and a legacy package beyond what runs it.
 */
export async function checkRanges(
  tx: Transaction,
  version: RangedVersion,
  ranges: readonly ApplicationRange[],
): Promise<void> {
  if (ranges.length === 0) throw refusedField(FIELD, 'Need at least one compatible application.');
  const apps = new Set<string>(ranges.map(({ app }) => app));
  if (apps.size < ranges.length) throw refusedField(FIELD, 'An application can only be present once.');
  const keepsApps = apps.size === version.apps.length && version.apps.every((app) => apps.has(app));
  if (version.addonType === 'statictheme' && !keepsApps) {
    throw refusedField(FIELD, 'The applications of a static theme cannot be changed.');
  }
  const isKnown = isKnownAmong(await applicationVersionLines(tx));
  for (const range of ranges) {
    checkRange(version, range);
    const unknown = [range.min, range.max].find((each) => !isKnown(range.app, each));
    if (unknown !== undefined) throw refusedField(FIELD, `${range.app} has no version ${unknown}.`);
  }
  await noteApplicationVersions(tx, ranges.map(rangeRow));
}

function checkRange({ addonType, isWebextension }: RangedVersion, { app, min, max }: ApplicationRange): void {
  const [low, high] = [encodeApplicationVersion(min), encodeApplicationVersion(max)];
  if (low === null || high === null || min.includes('*') || low > high) throw refusedField(FIELD, BAD_RANGE);
  const isBound = !isWebextension && BROWSERS.includes(app) && !OLD_FORMATS_RUN.includes(addonType);
  if (isBound && high >= WITHOUT_LEGACY) throw refusedField(FIELD, BAD_RANGE);
}
