import { config } from '../../config.ts';
import {
  DEFAULT_LOCALE_KEY,
  type LocalizedText,
  type PackageManifest,
} from '../../package/manifest/package-manifest.ts';
import { canonicalLocale } from '../addons/locales.ts';
import { isPublicWebAddress } from './check-texts.ts';

/** The default locale of a new add-on: that of the package if it is supported, else that of the site. */
export function packageLocale(manifest: Pick<PackageManifest, 'defaultLocale'>): string {
  return (manifest.defaultLocale && canonicalLocale(manifest.defaultLocale)) || config.DEFAULT_LOCALE;
}

/** Keeps the texts in supported locales; text without a locale is stored under `defaultLocale`. */
export function localizedFromPackage(texts: LocalizedText, defaultLocale: string): LocalizedText {
  const kept: LocalizedText = {};
  for (const [locale, text] of Object.entries(texts)) {
    const key = locale === DEFAULT_LOCALE_KEY ? defaultLocale : canonicalLocale(locale);
    if (key && text !== '') kept[key] = text;
  }
  return kept;
}

/** The homepages of a package that are absolute web URLs, by locale. */
export function homepageFromPackage(manifest: PackageManifest, defaultLocale: string): LocalizedText {
  const kept = Object.entries(localizedFromPackage(manifest.homepage, defaultLocale));
  return Object.fromEntries(kept.filter(([, address]) => isPublicWebAddress(address)));
}
