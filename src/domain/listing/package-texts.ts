import { config } from '../../config.ts';
import {
  DEFAULT_LOCALE_KEY,
  type ManifestTexts,
  type PackageManifest,
} from '../../package/manifest/package-manifest.ts';
import { canonicalLocale, nearestLocale } from '../../texts/locales.ts';
import { isPublicWebAddress } from './check-texts.ts';

/** What the languages of the texts of a package depend on. */
type Localized = Pick<PackageManifest, 'defaultLocale'>;

/** The default locale of a new add-on: the supported one closest to that of the package (`en` is `en-US`), else that of the site. */
export function packageLocale({ defaultLocale }: Localized): string {
  return (defaultLocale && nearestLocale(defaultLocale)) || config.DEFAULT_LOCALE;
}

/**
 * The texts of a package in supported locales. Texts in other locales are kept in the closest one, if the package has none in
 * that; that in the default locale of the package in `packageLocale`.
 */
export function localizedFromPackage(texts: ManifestTexts, manifest: Localized): ManifestTexts {
  const own = manifest.defaultLocale ?? DEFAULT_LOCALE_KEY;
  const closest = (locale: string) => (locale === own ? packageLocale(manifest) : nearestLocale(locale));
  const kept: ManifestTexts = {};
  for (const keyOf of [canonicalLocale, closest]) {
    for (const [locale, text] of Object.entries(texts)) {
      const key = keyOf(locale);
      if (key !== null && text !== '') kept[key] ??= text;
    }
  }
  return kept;
}

/** The homepages of a package that are absolute web URLs, by locale. */
export function homepageFromPackage({ homepage, ...manifest }: Localized & { homepage: ManifestTexts }): ManifestTexts {
  const kept = Object.entries(localizedFromPackage(homepage, manifest));
  return Object.fromEntries(kept.filter(([, address]) => isPublicWebAddress(address)));
}
