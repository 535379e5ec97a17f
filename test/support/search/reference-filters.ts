import type {
  ApplicationFilter,
  FeaturedFilter,
  SearchFilters,
} from '../../../src/domain/search/query/search-request.ts';
import { encodeApplicationVersion, floorApplicationVersion } from '../../../src/package/application-version.ts';
import { ADDON_TYPES } from '../../../src/package/enums.ts';
import type { CatalogueAddon } from './catalogue.ts';

function works(addon: CatalogueAddon, { app, version }: ApplicationFilter): boolean {
  if (Object.keys(addon.compatibility).length === 0) return true;
  const range = addon.compatibility[app];
  if (range === undefined || version === null) return range !== undefined;
  const max = addon.isStrict || addon.type === 'language' ? range.max : '*';
  const code = (text: string) => encodeApplicationVersion(text) as number;
  return code(range.min) <= version && code(max) >= floorApplicationVersion(version);
}

function isFeatured(addon: CatalogueAddon, { app, locale }: FeaturedFilter, category: string | null): boolean {
  if (app === null && locale === null) return addon.featured.length > 0;
  return addon.featured.some(
    (entry) =>
      (app === null || entry.app === app) &&
      (locale === null || entry.locale === null || entry.locale === locale) &&
      (entry.category === null || entry.category === category),
  );
}

const canBeInstalled = ({ type, isInstallable = true }: CatalogueAddon) => type !== 'persona' && isInstallable;

/** Whether an add-on passes all filters. */
export function passes(addon: CatalogueAddon, filters: SearchFilters): boolean {
  const { application, types, platform, category, authors, excluded, guids, tags, featured, isInstallable } = filters;
  const guid = `addon${addon.id}@catalogue.example`;
  const slug = `addon-${addon.id}`;
  const wanted = types.length > 0 ? types : ADDON_TYPES;
  const isBy = addon.authors.some(({ id, username }) => authors.ids.includes(id) || authors.names.includes(username));
  return (
    wanted.includes(addon.type) &&
    (application === null || works(addon, application)) &&
    (platform === null || addon.platforms.includes('all') || addon.platforms.includes(platform)) &&
    (category === null || addon.categories.includes(`${application?.app}/${addon.type}/${category}`)) &&
    (authors.ids.length + authors.names.length === 0 || isBy) &&
    !excluded.ids.includes(addon.id) &&
    !excluded.names.includes(slug) &&
    (guids.length === 0 || guids.includes(guid)) &&
    tags.every((tag) => addon.tags.some((own) => own.toLowerCase() === tag.toLowerCase())) &&
    (isInstallable === undefined || isInstallable === canBeInstalled(addon)) &&
    (featured === null || isFeatured(addon, featured, category))
  );
}
