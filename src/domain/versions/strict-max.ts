import type { AddonType } from '../../package/enums.ts';

/**
 * Whether the upper bound of a version is a limit: versions with strict compatibility and WebExtensions, dictionaries apart.
 * Browsers drop the limit in the package when the entry of an update check does not repeat it.
 */
export function hasStrictMax(version: { type: AddonType; isWebextension: boolean; isStrict: boolean }): boolean {
  return version.isStrict || (version.isWebextension && version.type !== 'dictionary');
}
