import { config } from '../../config.ts';
import {
  DEFAULT_LOCALE_KEY,
  type LocalizedText,
  type PackageManifest,
} from '../../package/manifest/package-manifest.ts';
import { canonicalLocale } from '../addons/locales.ts';
import { isWebAddress } from './check-texts.ts';

/** The default locale of an add-on made from a package: the package's own when it is supported, else the site's. */
export function packageLocale(manifest: PackageManifest): string {
  return (manifest.defaultLocale && canonicalLocale(manifest.defaultLocale)) || config.DEFAULT_LOCALE;
}

/** A text of a package as an add-on keeps it: supported locales only, what names no locale under `defaultLocale`. */
export function localizedFromPackage(texts: LocalizedText, defaultLocale: string): LocalizedText {
  const kept: LocalizedText = {};
  for (const [locale, text] of Object.entries(texts)) {
    const key = locale === DEFAULT_LOCALE_KEY ? defaultLocale : canonicalLocale(locale);
    if (key && text !== '') kept[key] = text;
  }
  return kept;
}

/** The homepage that a package names, in the languages where it is an address of the web; anything else is left out. */
export function homepageFromPackage(manifest: PackageManifest, defaultLocale: string): LocalizedText {
  const kept = Object.entries(localizedFromPackage(manifest.homepage, defaultLocale));
  return Object.fromEntries(kept.filter(([, address]) => isWebAddress(address)));
}
