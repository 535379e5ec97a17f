/* The application versions that a package is compatible with, by its manifest and by the defaults of its format. */

import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { encodeApplicationVersion } from '../application-version.ts';
import { type AddonType, APPLICATION_IDS, APPLICATIONS, type Application } from '../enums.ts';
import type { Compatibility, VersionRange } from './package-manifest.ts';

/** `strict_min_version` and `strict_max_version` as written; `null` when missing. */
export interface WrittenRange {
  min: string | null;
  max: string | null;
}

/** The range of the mobile browser. `isSet`: the manifest has settings for it, which may be empty. */
interface WrittenMobileRange extends WrittenRange {
  isSet?: boolean;
}

/** Whether a well-formed version is in the operator's table of application versions. */
export type IsKnownVersion = (application: Application, version: string) => boolean;

/**
 * Makes the rule of an installation from the versions of its table, one `application version` on each line. A version is
 * known if it is listed, or if its major version is as `N.0` or `N.*`.
 */
export function isKnownAmong(lines: string): IsKnownVersion {
  const known = `\n${lines}\n`;
  return (application, version) => {
    const major = /^\d+/.exec(version)?.[0] ?? '*';
    return [version, `${major}.0`, `${major}.*`].some((name) => known.includes(`\n${application} ${name}\n`));
  };
}

/** One `em:targetApplication` of a legacy package. */
interface TargetApplication {
  id: string;
  min: string;
  max: string;
}

const ANY_VERSION = '*';
const FIRST_WITH_WEBEXTENSIONS = '42.0';
const FIRST_WITHOUT_IDS = '48.0';
/** The oldest version of the mobile browser that runs WebExtensions. */
export const FIRST_MOBILE = '48.0';
/** The last versions that run legacy packages, and the meaning of `*` in one. */
const LAST_WITH_LEGACY = '56.*';
const FIRST_BY_TYPE: Partial<Record<AddonType, string>> = { statictheme: '53.0', dictionary: '61.0' };

/**
 * The ranges of a WebExtension. Desktop: 42.0 (48.0 without an id, 53.0 for static themes, 61.0 for dictionaries) or the
 * higher version given, to `*` or the version given. Mobile, for extensions only: missing values are those of `desktop`, else 48.0
 * and `*`. A manifest without settings for mobile does not support it when the versions of `desktop` begin or end below 48.0, or
 * are unknown for mobile.
 * @throws PackageError for a version that is unknown, below 42.0, or too old for a package without an id, and for a range without
 * any version
 */
export function webExtensionCompatibility(
  type: AddonType,
  hasId: boolean,
  desktop: WrittenRange,
  mobile: WrittenMobileRange,
  isKnown: IsKnownVersion = () => true,
): Compatibility {
  const written = { desktop_browser: desktop, mobile_browser: mobile } as const;
  requireEach(written, (_app, version) => encodeApplicationVersion(version) !== null, 'manifest.app_version_malformed');
  checkLowestVersion(desktop.min, hasId);
  requireEach(written, isKnown, 'manifest.app_version_unknown');
  const lowest = FIRST_BY_TYPE[type] ?? (hasId ? FIRST_WITH_WEBEXTENSIONS : FIRST_WITHOUT_IDS);
  const range = { min: later(desktop.min ?? lowest, lowest), max: desktop.max ?? ANY_VERSION };
  if (isBefore(range.max, range.min)) throw reversedRange('desktop_browser', range);
  const mobileRange = type === 'extension' ? mobileCompatibility(desktop, mobile, isKnown) : null;
  return { desktop_browser: range, ...(mobileRange ? { mobile_browser: mobileRange } : {}) };
}

function knowsBoth(isKnown: IsKnownVersion, application: Application, { min, max }: WrittenRange): boolean {
  return [min, max].every((version) => version === null || isKnown(application, version));
}

function checkLowestVersion(min: string | null, hasId: boolean): void {
  if (min === null) return;
  if (!hasId && isBefore(min, FIRST_WITHOUT_IDS)) {
    throw new PackageError(message('manifest.id_required', { value: min }));
  }
  if (isBefore(min, FIRST_WITH_WEBEXTENSIONS)) {
    throw new PackageError(message('manifest.app_version_too_low', { version: FIRST_WITH_WEBEXTENSIONS, value: min }));
  }
}

function mobileCompatibility(
  desktop: WrittenRange,
  mobile: WrittenMobileRange,
  isKnown: IsKnownVersion,
): VersionRange | null {
  const taken = { min: mobile.min ?? desktop.min, max: mobile.max ?? desktop.max };
  const isSet = mobile.isSet === true || mobile.min !== null || mobile.max !== null;
  const min = isSet ? later(taken.min ?? FIRST_MOBILE, FIRST_MOBILE) : (taken.min ?? FIRST_MOBILE);
  const max = taken.max ?? ANY_VERSION;
  if (knowsBoth(isKnown, 'mobile_browser', taken) && !isBefore(min, FIRST_MOBILE) && !isBefore(max, min)) {
    return { min, max };
  }
  // A range that the manifest sets must not be lost without notice.
  if (isSet) throw unusableMobile(taken, { min, max }, isKnown);
  return null;
}

/**
 * The ranges of a legacy package. Other applications are ignored; the first usable range of an application counts; a `max` of
 * `*` becomes `56.*`.
 * @throws PackageError for an application without a usable range, and for targets of other applications only: a package without
 * ranges would be compatible with everything
 */
export function legacyCompatibility(
  targets: readonly TargetApplication[],
  isKnown: IsKnownVersion = () => true,
): Compatibility {
  const compatibility: Compatibility = {};
  let unusable: { app: Application; range: VersionRange } | null = null;
  for (const { id, min, max } of targets) {
    const app = APPLICATIONS.find((known) => APPLICATION_IDS[known].guid === id.toLowerCase());
    if (app === undefined || compatibility[app]) continue;
    const range = { min, max: max === ANY_VERSION ? LAST_WITH_LEGACY : max };
    if (isUsable(app, range, isKnown)) compatibility[app] = range;
    else unusable ??= { app, range: { min, max } };
  }
  if (unusable !== null && compatibility[unusable.app] === undefined) throw unusableTarget(unusable);
  if (targets.length > 0 && Object.keys(compatibility).length === 0) throw otherApplications(targets);
  return compatibility;
}

function isUsable(app: Application, { min, max }: VersionRange, isKnown: IsKnownVersion): boolean {
  if (encodeApplicationVersion(min) === null || encodeApplicationVersion(max) === null) return false;
  return knowsBoth(isKnown, app, { min, max }) && !isBefore(max, min);
}

const MAX_SHOWN = 100;

function unusableTarget({ app, range }: { app: Application; range: VersionRange }): PackageError {
  const [min, max] = [range.min.slice(0, MAX_SHOWN), range.max.slice(0, MAX_SHOWN)];
  return new PackageError(message('package.unusable_target', { app, min, max }));
}

function otherApplications(targets: readonly TargetApplication[]): PackageError {
  const ids = [...new Set(targets.map(({ id }) => id.slice(0, MAX_SHOWN) || '""'))];
  return new PackageError(message('package.other_applications', { ids: ids.slice(0, 3).join(', ') }));
}

/** The keys of the settings of each browser. */
const SETTINGS = { desktop_browser: 'gecko', mobile_browser: 'gecko_android' } as const;
type Browser = keyof typeof SETTINGS;

/** @throws PackageError naming the key of the first version that fails */
function requireEach(
  written: Partial<Record<Browser, WrittenRange>>,
  isUsable: IsKnownVersion,
  code: 'manifest.app_version_malformed' | 'manifest.app_version_unknown',
): void {
  for (const [app, { min, max }] of Object.entries(written) as [Browser, WrittenRange][]) {
    for (const [key, value] of [['strict_min_version', min] as const, ['strict_max_version', max] as const]) {
      if (value === null || isUsable(app, value)) continue;
      throw new PackageError(message(code, { key: `${SETTINGS[app]}.${key}`, value: printable(value) }));
    }
  }
}

/** Versions that mobile takes from the desktop may be unknown for it. */
function unusableMobile(taken: WrittenRange, range: VersionRange, isKnown: IsKnownVersion): PackageError {
  requireEach({ mobile_browser: taken }, isKnown, 'manifest.app_version_unknown');
  return reversedRange('mobile_browser', range);
}

const reversedRange = (app: Browser, { min, max }: VersionRange): PackageError =>
  new PackageError(message('manifest.app_range_reversed', { app, min, max }));

/** Both versions are well-formed. */
function isBefore(a: string, b: string): boolean {
  return (encodeApplicationVersion(a) ?? 0) < (encodeApplicationVersion(b) ?? 0);
}

function later(a: string, b: string): string {
  return isBefore(a, b) ? b : a;
}
