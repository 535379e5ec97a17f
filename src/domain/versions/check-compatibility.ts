/* Validates the compatibility ranges that developers set on a version. */
import { refusedField } from '../../errors.ts';
import { type Database, db, type Transaction } from '../../infra/db.ts';
import { isKnownAmong } from '../../package/manifest/compatibility.ts';
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import type { Application } from '../../package/words.ts';

export interface ApplicationRange {
  app: Application;
  min: string;
  max: string;
}

export interface RangedVersion {
  addonType: string;
  isWebextension: boolean;
  apps: readonly string[];
}

const FIELD = 'compatibility';
const BAD_RANGE = 'Invalid version range.';
/** The first version of the browsers that does not support legacy packages. */
const FIRST_WITHOUT_LEGACY = encodeApplicationVersion('57.0a1') ?? 0;
const BROWSERS: readonly string[] = ['desktop_browser', 'mobile_browser'];
/** Types whose legacy packages still work in every version. */
const STILL_SUPPORTED_TYPES: readonly string[] = ['search', 'dictionary', 'persona', 'language'];

const codeOf = (version: string): number => encodeApplicationVersion(version) ?? 0;

/** Converts a range to a database row. */
export function rangeRow({ app, min, max }: ApplicationRange) {
  return { app, min, max, minCode: BigInt(codeOf(min)), maxCode: BigInt(codeOf(max)) };
}

/**
 * Validates ranges against the known application versions. Well-formed versions with a known major version are added to the
 * known ones.
 * @throws {InvalidInputError} on `compatibility` for an unknown version, an invalid range, a duplicate or missing
 * application, changed applications of a static theme, and versions that do not support a legacy package.
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
  const isBound = !isWebextension && BROWSERS.includes(app) && !STILL_SUPPORTED_TYPES.includes(addonType);
  if (isBound && high >= FIRST_WITHOUT_LEGACY) throw refusedField(FIELD, BAD_RANGE);
}

/**
 * The known application versions, in the format of `isKnownAmong`: one line per version. Read for each upload, so that changes
 * by an operator apply in every process at once. A single text is faster than many rows.
 */
export async function applicationVersionLines(database: Database = db): Promise<string> {
  const [all] = await database.$queryRaw<{ lines: string | null }[]>`
    SELECT string_agg(app || ' ' || version, chr(10)) AS lines FROM application_version`;
  return all?.lines ?? '';
}

/** Adds the versions of these ranges to the known ones, in sorted order to prevent deadlocks. */
export async function noteApplicationVersions(
  tx: Transaction,
  ranges: readonly ReturnType<typeof rangeRow>[],
): Promise<void> {
  const versions = ranges.flatMap(({ app, min, max, minCode, maxCode }) => [
    { app, version: min, code: minCode },
    { app, version: max, code: maxCode },
  ]);
  const keyOf = ({ app, version }: { app: string; version: string }) => `${app} ${version}`;
  const data = versions.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  if (data.length > 0) await tx.applicationVersion.createMany({ data, skipDuplicates: true });
}
