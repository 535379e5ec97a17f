/* Validates the compatibility ranges that developers set on a version. */
import { refusedField } from '../../errors.ts';
import { type Database, db, type Transaction } from '../../infra/db.ts';
import { encodeApplicationVersion } from '../../package/application-version.ts';
import type { Application } from '../../package/enums.ts';
import { FIRST_MOBILE, isKnownAmong } from '../../package/manifest/compatibility.ts';
import type { VersionRange } from '../../package/manifest/package-manifest.ts';
import { message } from '../../texts/messages.ts';
import {
  type ApplicationRange,
  codeOf,
  type LimitedVersion,
  manifestRange,
  mobileRange,
  requireWithinManifest,
} from './manifest-limits.ts';

/** A range as developers set it: what is missing is that of the version, else a default. */
export interface WantedRange {
  app: Application;
  min?: string | null;
  max?: string | null;
}

interface RangedVersion extends LimitedVersion {
  /** The present ranges. */
  present: readonly PresentRange[];
}

interface PresentRange {
  app: string;
  min: string;
  max: string;
}

const FIELD = 'compatibility';
const INVALID = message('compatibility.invalid_range');
/** The first version of the browsers that does not support legacy packages. */
const FIRST_WITHOUT_LEGACY = encodeApplicationVersion('57.0a1') ?? 0;
const BROWSERS: readonly string[] = ['desktop_browser', 'mobile_browser'];
/** Types whose legacy packages still work in every version. */
const STILL_SUPPORTED_TYPES: readonly string[] = ['search', 'dictionary', 'persona', 'language'];

/** Converts a range to a database row. */
export function rangeRow({ app, min, max }: ApplicationRange) {
  return { app, min, max, minCode: BigInt(codeOf(min)), maxCode: BigInt(codeOf(max)) };
}

/** The oldest versions of the browsers that run WebExtensions, for ranges without a lower end. */
const DEFAULT_MIN: Partial<Record<Application, string>> = { desktop_browser: '42.0', mobile_browser: FIRST_MOBILE };
const ANY_VERSION = '*';
const LAST_WITH_LEGACY = '56.*';

/**
 * Completes ranges and validates them against the known application versions. Well-formed versions with a known major version
 * are added to the known ones.
 * @throws {InvalidInputError} on `compatibility` for an unknown version, an invalid range, a duplicate or missing
 * application, changed applications of a static theme, ranges wider than the manifest's, dictionaries, and versions that do not
 * support a legacy package.
 */
export async function checkRanges(
  tx: Transaction,
  version: RangedVersion,
  wanted: readonly WantedRange[],
): Promise<ApplicationRange[]> {
  if (version.addonType === 'dictionary') {
    throw refusedField(FIELD, message('compatibility.not_for_type'));
  }
  if (wanted.length === 0) throw refusedField(FIELD, message('compatibility.no_applications'));
  const apps = new Set<string>(wanted.map(({ app }) => app));
  if (apps.size < wanted.length) throw refusedField(FIELD, message('compatibility.application_twice'));
  const keepsApps = apps.size === version.present.length && version.present.every(({ app }) => apps.has(app));
  if (version.addonType === 'statictheme' && !keepsApps) {
    throw refusedField(FIELD, message('compatibility.static_theme'));
  }
  const lines = await applicationVersionLines(tx);
  const ranges = wanted.map((range) => completed(version, range, lines));
  const isKnown = isKnownAmong(lines);
  for (const range of ranges) checkRange(version, range, isKnown);
  requireWithinManifest(version, ranges);
  await noteApplicationVersions(tx, ranges.map(rangeRow));
  return ranges;
}

/** A range with the missing ends of the present one, else with those of the manifest, else with defaults. */
function completed(version: RangedVersion, wanted: WantedRange, lines: string): ApplicationRange {
  const { present, isWebextension, manifest } = version;
  const { app } = wanted;
  const known =
    present.find((range) => range.app === app) ??
    manifest?.ranges[app] ??
    fallbackRange(app, present) ??
    manifestRange(version, app);
  const hasLegacyEnd = !isWebextension && BROWSERS.includes(app);
  return {
    app,
    min: wanted.min ?? known?.min ?? DEFAULT_MIN[app] ?? oldestAmong(lines, app) ?? '',
    max: wanted.max ?? known?.max ?? (hasLegacyEnd ? LAST_WITH_LEGACY : ANY_VERSION),
  };
}

/** Limits of the desktop browser apply to the mobile browser, too. */
function fallbackRange(app: Application, present: readonly PresentRange[]): VersionRange | undefined {
  const desktop = app === 'mobile_browser' ? present.find((range) => range.app === 'desktop_browser') : undefined;
  return desktop && mobileRange(desktop);
}

/** The oldest known version of an application; undefined without one. */
function oldestAmong(lines: string, app: Application): string | undefined {
  const versions = lines
    .split('\n')
    .flatMap((line) => (line.startsWith(`${app} `) ? [line.slice(app.length + 1)] : []));
  return versions.filter((version) => !version.includes('*')).sort((one, other) => codeOf(one) - codeOf(other))[0];
}

function checkRange(
  { addonType, isWebextension }: RangedVersion,
  { app, min, max }: ApplicationRange,
  isKnown: (app: Application, version: string) => boolean,
): void {
  const [low, high] = [encodeApplicationVersion(min), encodeApplicationVersion(max)];
  if (low === null || min.includes('*') || !isKnown(app, min))
    throw refusedField(FIELD, message('compatibility.unknown_min'));
  if (high === null || !isKnown(app, max)) throw refusedField(FIELD, message('compatibility.unknown_max'));
  const isBound = !isWebextension && BROWSERS.includes(app) && !STILL_SUPPORTED_TYPES.includes(addonType);
  if (low > high || (isBound && high >= FIRST_WITHOUT_LEGACY)) throw refusedField(FIELD, INVALID);
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
