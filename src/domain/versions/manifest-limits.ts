/* The limits that the manifest of a version sets. Developers may set narrower ranges, never wider ones. */
import { refusedField } from '../../errors.ts';
import { encodeApplicationVersion } from '../../package/application-version.ts';
import type { AddonType, Application } from '../../package/enums.ts';
import { FIRST_MOBILE } from '../../package/manifest/compatibility.ts';
import type { PackageManifest, VersionRange } from '../../package/manifest/package-manifest.ts';
import { message } from '../../texts/messages.ts';

/** What a version keeps of its manifest: `version.manifest_compatibility`. */
export interface ManifestCompatibility {
  isStrict: boolean;
  ranges: Partial<Record<Application, ManifestRange>>;
}

/** `isLocked`: the manifest sets it for this application alone, so developers cannot even narrow it. */
interface ManifestRange extends VersionRange {
  isLocked: boolean;
}

/** A version whose ranges are checked. `manifest` is null when its package was not read: imports without packages. */
export interface LimitedVersion {
  addonType: AddonType;
  isWebextension: boolean;
  manifest: ManifestCompatibility | null;
}

export interface ApplicationRange extends VersionRange {
  app: Application;
}

/** The order of a version; malformed ones come first. */
export const codeOf = (version: string): number => encodeApplicationVersion(version) ?? 0;

/** What a version keeps of its manifest. */
export function manifestCompatibility(manifest: PackageManifest): ManifestCompatibility {
  const ranges = Object.entries(manifest.compatibility).map(([app, range]) => {
    return [app, { ...range, isLocked: manifest.lockedApplications.includes(app as Application) }] as const;
  });
  return { isStrict: manifest.strictCompatibility, ranges: Object.fromEntries(ranges) };
}

/** The range of the mobile browser that follows from that of the desktop browser, as in manifests; it has no older version. */
export function mobileRange({ min, max }: VersionRange): VersionRange {
  return { min: codeOf(min) < codeOf(FIRST_MOBILE) ? FIRST_MOBILE : min, max };
}

/** The range of an application that the manifest sets. The desktop's limits of a WebExtension apply to the mobile browser, too. */
export function manifestRange(
  { manifest, isWebextension }: Omit<LimitedVersion, 'addonType'>,
  app: Application,
): VersionRange | undefined {
  const desktop = isWebextension && app === 'mobile_browser' ? manifest?.ranges.desktop_browser : undefined;
  return manifest?.ranges[app] ?? (desktop && mobileRange(desktop));
}

/**
 * @throws {InvalidInputError} on `compatibility` unless all ranges are within those of the manifest and those that it locks are
 * unchanged. A maximum that applications do not enforce is no limit. A legacy package supports the applications that it targets, and no
 * others.
 */
export function requireWithinManifest(version: LimitedVersion, ranges: readonly ApplicationRange[]): void {
  const { manifest, addonType: type, isWebextension } = version;
  if (manifest === null) return;
  const isMaxStrict = hasStrictMax({ type, isWebextension, isStrict: manifest.isStrict });
  for (const { app, min, max } of ranges) {
    const limits = manifestRange(version, app);
    if (limits === undefined) {
      if (isWebextension || Object.keys(manifest.ranges).length === 0) continue;
      throw setByManifest('compatibility', app);
    }
    const isWider = codeOf(min) < codeOf(limits.min) || (isMaxStrict && codeOf(max) > codeOf(limits.max));
    if (isWider) throw setByManifest('compatibility', app);
  }
  for (const [app, { min, max, isLocked }] of Object.entries(manifest.ranges)) {
    if (!isLocked || ranges.some((range) => range.app === app && range.min === min && range.max === max)) continue;
    throw setByManifest('compatibility', app);
  }
}

/**
 * The strictness that developers set.
 * @throws {InvalidInputError} on `isStrictCompatibilityEnabled` for false when the manifest requires strict compatibility.
 */
export function checkStrictness(manifest: ManifestCompatibility | null, isStrict: boolean): boolean {
  const apps = Object.keys(manifest?.ranges ?? {});
  if (!isStrict && manifest?.isStrict && apps.length > 0) {
    throw setByManifest('isStrictCompatibilityEnabled', apps.join(', '));
  }
  return isStrict;
}

const setByManifest = (field: string, app: string) =>
  refusedField(field, message('compatibility.set_by_manifest', { app }));

/**
 * Whether the upper bound of a version is a limit: versions with strict compatibility and WebExtensions, dictionaries apart.
 * Browsers drop the limit in the package when the entry of an update check does not repeat it.
 */
export function hasStrictMax(version: { type: AddonType; isWebextension: boolean; isStrict: boolean }): boolean {
  return version.isStrict || (version.isWebextension && version.type !== 'dictionary');
}
