import { dictionary, languagePack, staticTheme, type WebExtensionOptions, xpi } from '../support/packages.ts';

/** An add-on, and how its packages are built. */
export interface Product {
  guid: string;
  build(version: string): Promise<Buffer>;
}

/** The versions of the browser that packages are for. Language packs name their last one. */
const EVERY = { strict_min_version: '115.0' };
const CURRENT = { strict_min_version: '153.0', strict_max_version: '153.*' };

/** Add-ons that are updated. */
export const products: Product[] = [
  product('clock@example.org', xpi),
  product('night@example.org', staticTheme),
  product('de@dictionaries.example.org', dictionary),
  product('langpack-de@example.org', languagePack, CURRENT),
];

/** An add-on whose author disables it after its installation. */
export const disabled = product('disabled@example.org', xpi);

/** Id of the add-on outside of the catalogue. */
export const UNLISTED_GUID = 'tools@example.org';

/** That add-on. Its manifest names its own address of updates. */
export const unlisted = (updateUrl: string): Product =>
  product(UNLISTED_GUID, xpi, { ...EVERY, update_url: updateUrl });

function product(
  guid: string,
  build: (options: WebExtensionOptions) => Promise<Buffer>,
  versions: Record<string, string> = EVERY,
): Product {
  const browser_specific_settings = { gecko: { id: guid, ...versions } };
  return {
    guid,
    build: (version) => build({ version, manifest: { description: 'For tests.', browser_specific_settings } }),
  };
}
