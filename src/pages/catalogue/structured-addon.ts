/* What search engines read of an add-on: a `SoftwareApplication` of schema.org. */
import { config } from '../../config.ts';
import { addonName, addonPath, type ShownAddon } from './addon-head.ts';
import { fileOf } from './version-parts.ts';

/** The structured data of the page of an add-on. What is not known is left out. */
export function structuredAddon(addon: ShownAddon): Readonly<Record<string, unknown>> {
  const { currentVersion: version, ratings, summary, requiresPayment, icons, authors } = addon;
  const file = version === null ? undefined : fileOf(version);
  return {
    '@type': 'SoftwareApplication',
    name: addonName(addon),
    url: config.BASE_URL + addonPath(addon),
    ...(summary?.value ? { description: summary.value } : {}),
    applicationCategory: 'BrowserApplication',
    image: icons.at(-1)?.url,
    author: authors.map(({ name, url }) => ({ '@type': 'Person', name, ...(url === null ? {} : { url }) })),
    ...(version === null ? {} : { softwareVersion: version.version, datePublished: version.created }),
    dateModified: addon.lastUpdated,
    ...(file === undefined ? {} : { fileSize: `${file.size} B` }),
    ...(version?.license?.url ? { license: version.license.url } : {}),
    ...(requiresPayment ? {} : { isAccessibleForFree: true }),
    ...(ratings.count === 0
      ? {}
      : { aggregateRating: { '@type': 'AggregateRating', ratingValue: ratings.average, ratingCount: ratings.count } }),
  };
}
