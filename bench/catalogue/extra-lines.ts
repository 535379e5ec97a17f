/* Catalogue lines that some measurements require and generated catalogues lack. */

const LOCALES = ['de', 'fr', 'pl', 'ja', 'pt-BR', 'es-ES', 'it', 'nl', 'sv-SE', 'cs'];

function languagePack(index: number): object {
  const file = {
    hash: `sha256:${index.toString(16).padStart(64, '0')}`,
    platform: 'all',
    size: 400_000 + index,
    status: 4,
    is_webextension: true,
    created: '2018-05-01T00:00:00Z',
  };
  return {
    kind: 'addon',
    guid: `langpack-bench-${index}@bench.example`,
    slug: `langpack-bench-${index}`,
    type: 'language',
    status: 'public',
    default_locale: 'en-US',
    name: { 'en-US': `Bench language pack ${index}` },
    target_locale: LOCALES[index % LOCALES.length],
    created: '2018-05-01T00:00:00Z',
    last_updated: '2018-05-01T00:00:00Z',
    authors: [],
    versions: [
      {
        version: '57.0',
        channel: 'listed',
        created: '2018-05-01T00:00:00Z',
        reviewed: '2018-05-01T00:00:00Z',
        compatibility: { desktop_browser: { min: '57.0', max: '*' } },
        files: [file],
      },
    ],
  };
}

/** The slug of an add-on with a full page of versions. */
export const MANY_VERSIONS = 'many-versions-bench';

/** The add-on with a full page of versions, as long as a page of ratings. */
export function manyVersions(count: number): object {
  const created = '2018-05-01T00:00:00Z';
  return {
    kind: 'addon',
    guid: 'many-versions@bench.example',
    slug: MANY_VERSIONS,
    type: 'extension',
    status: 'public',
    default_locale: 'en-US',
    name: { 'en-US': 'Many versions' },
    created,
    last_updated: created,
    authors: [],
    versions: Array.from({ length: count }, (_, index) => ({
      version: `1.${index}`,
      channel: 'listed',
      created,
      reviewed: created,
      release_notes: { 'en-US': `Changes of version 1.${index}.` },
      compatibility: { desktop_browser: { min: '57.0', max: '*' } },
      files: [
        {
          hash: `sha256:${(2 ** 32 + index).toString(16).padStart(64, '0')}`,
          platform: 'all',
          size: 200_000 + index,
          status: 4,
          is_webextension: true,
          created,
        },
      ],
    })),
  };
}

/** Language packs for the desktop browser. */
export function languagePacks(count: number): object[] {
  return Array.from({ length: count }, (_, index) => languagePack(index));
}

/** An override for each of these add-ons. */
export function overrides(guids: readonly string[]): object[] {
  return guids.map((guid, index) => ({
    kind: 'compat_override',
    addon_guid: guid,
    name: `Override ${index}`,
    version_ranges: [
      {
        addon_min_version: '0',
        addon_max_version: '1.0',
        applications: [{ name: 'desktop_browser', min_version: '50.0', max_version: '*' }],
      },
    ],
  }));
}
