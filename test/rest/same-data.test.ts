/*
 * Compares REST responses with GraphQL results of the same data. Names, enumeration values and lists of pairs differ between
 * the two forms; they are converted here, and the rest must be equal.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { type FullCatalogue, fullCatalogue } from '../support/full-catalogue.ts';

const app = setUpApp();
let author: Client;
let made: FullCatalogue;

beforeAll(async () => {
  author = await app.developer();
  made = await fullCatalogue([author.accountId ?? 0]);
});

type Json = Record<string, unknown>;

const file = `databaseId created hash isVendorSignedExtension
  isRestartRequired isWebextension permissions platform size status url`;

/** The GraphQL selections, with the form of translated fields that matches `lang`. */
function selections(lang: string | null) {
  const text = lang === null ? '{ all { locale value } }' : `{ value(lang: "${lang}") }`;
  const themeText = lang === null ? '{ value }' : text;
  const found = `databaseId channel compatibility { app min max } editUrl files { ${file} } reviewed
    isStrictCompatibilityEnabled url version`;
  const shown = `${found} license { databaseId name ${text} url } releaseNotes ${text}`;
  const version = `${found} license { databaseId isCustom name ${text} text ${text} url } releaseNotes ${text}`;
  const common = `databaseId averageDailyUsers categories { app slug }
    contributionsUrl created defaultLocale description ${text}
    developerComments ${text} editUrl guid hasEula hasPrivacyPolicy
    homepage ${text} iconUrl icons { size url } isDisabled isExperimental
    isFeatured isSourcePublic name ${text} lastUpdated
    previews { databaseId caption ${text} imageSize { width height } imageUrl
      thumbnailSize { width height } thumbnailUrl }
    hasPublicStatistics ratings { count textCount average bayesianAverage }
    ratingsUrl requiresPayment requiresSensitiveDataAccess
    reviewUrl slug status summary ${text} supportEmail ${text} supportUrl ${text} tags
    themeData { name ${themeText} accentColor textColor category ${themeText} author description ${themeText}
      headerUrl footerUrl previewUrl iconUrl updateUrl detailUrl }
    type url weeklyDownloads`;
  return {
    text,
    version,
    detail: `${common} authors { databaseId name url username pictureUrl } currentVersion { ${shown} }`,
    hit: `${common} authors { databaseId name url username } currentVersion { ${found} }`,
    unlisted: `latestUnlistedVersion { ${shown} }`,
  };
}

const WORDS = ['type', 'status', 'channel', 'platform', 'e10s'];
const word = (value: string) => value.toLowerCase().replaceAll('_', '-');
const pairs = (list: Json[], entry: (item: Json) => [string, unknown]) => Object.fromEntries(list.map(entry));

const FILE_STATUS: Readonly<Record<string, number>> = { AWAITING_REVIEW: 1, PUBLIC: 4, DISABLED: 5 };

/** A GraphQL value in REST's form. */
function restForm(value: unknown, key = ''): unknown {
  if (key === 'files') return (value as Json[]).map((each) => fileForm(each));
  if (WORDS.includes(key) && typeof value === 'string') return word(value);
  if (key === 'categories') return grouped(value as { app: string; slug: string }[]);
  if (key === 'compatibility')
    return pairs(value as Json[], ({ app: name, min, max }) => [String(name).toLowerCase(), { min, max }]);
  if (key === 'icons') return pairs(value as Json[], ({ size, url }) => [String(size), url]);
  if (Array.isArray(value)) return value.map((item) => restForm(item));
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).join(' ');
  if (keys === 'all') return pairs((value as { all: Json[] }).all, ({ locale, value: text }) => [String(locale), text]);
  if (keys === 'value') return (value as Json).value;
  if (keys === 'width height') return Object.values(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snakeCase(name), restForm(inner, name)]));
}

const fileForm = (shown: Json) => ({ ...(restForm(shown) as Json), status: FILE_STATUS[String(shown.status)] });

/** What REST calls otherwise. */
const RENAMED: Readonly<Record<string, string>> = { databaseId: 'id', hasPublicStatistics: 'public_stats' };

const snakeCase = (name: string) =>
  RENAMED[name] ?? name.replace('DatabaseId', 'Id').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function grouped(categories: { app: string; slug: string }[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const { app: name, slug } of categories) {
    const key = name.toLowerCase();
    groups[key] = [...(groups[key] ?? []), slug];
  }
  return groups;
}

/** A persona's theme in the form that browsers read: URLs also under keys in capitals. */
function themeForm(theme: Json, id: unknown): Json {
  const { accent_color, text_color, header_url, footer_url, preview_url, icon_url, update_url, detail_url, ...texts } =
    theme;
  return {
    id: String(id),
    ...texts,
    accentcolor: accent_color,
    textcolor: text_color,
    header: header_url,
    footer: footer_url,
    headerURL: header_url,
    footerURL: footer_url,
    previewURL: preview_url,
    iconURL: icon_url,
    updateURL: update_url,
    detailURL: detail_url,
    version: '1.0',
  };
}

/** An add-on in REST's form, with the keys that REST repeats, omits and adds. */
function addonForm(node: Json): Json {
  const {
    theme_data: theme,
    weekly_downloads: downloads,
    ...shown
  } = restForm(node) as Json & { theme_data: Json | null };
  return {
    ...shown,
    'developer comments': shown.developer_comments,
    ...(theme === null ? {} : { theme_data: themeForm(theme, shown.id) }),
    ...(shown.type === 'persona' ? {} : { weekly_downloads: downloads }),
  };
}

const rest = async <Body = Json>(path: string, client: Client = app.anonymous): Promise<Body> => {
  const reply = await client.get(`/api/v4/addons/${path}`);
  expect([reply.status, path]).toEqual([200, path]);
  return reply.json as Body;
};
const graphql = <Data>(query: string, client: Client = app.anonymous) => client.graphql<Data>(query);

describe.each([null, 'de'])('in REST and in GraphQL, with lang %s', (lang) => {
  const { text, version, detail, hit, unlisted } = selections(lang);
  const langQuery = lang === null ? '' : `lang=${lang}`;

  it('each add-on is the same', async () => {
    for (const { id } of Object.values(made)) {
      const { addon } = await graphql<{ addon: Json }>(`{ addon(by: { databaseId: ${id} }) { ${detail} } }`);
      expect(await rest(`addon/${id}/?${langQuery}`)).toEqual(addonForm(addon));
    }
  });

  it('the latest unlisted version is the same for its author', async () => {
    const { addon } = await graphql<{ addon: Json }>(
      `{ addon(by: { slug: "full" }) { ${detail} ${unlisted} } }`,
      author,
    );
    const shown = await rest(`addon/full/?${langQuery}`, author);
    expect(shown).toEqual(addonForm(addon));
    expect(shown.latest_unlisted_version).toMatchObject({ version: '1.1', channel: 'unlisted' });
  });

  it('featured add-ons are the same', async () => {
    const { featuredAddons } = await graphql<{ featuredAddons: Json[] }>(
      `{ featuredAddons(app: DESKTOP_BROWSER, first: 5${lang === null ? '' : `, locale: "${lang}"`}) { ${detail} } }`,
    );
    const { results } = await rest<{ results: Json[] }>(`featured/?app=desktop_browser&${langQuery}`);
    expect(results).toEqual(featuredAddons.map(addonForm));
    expect(results).toHaveLength(2);
  });

  it('versions are the same', async () => {
    const { addon } = await graphql<{
      addon: { versions: { totalCount: number; edges: { node: Json }[] } };
    }>(`{ addon(by: { slug: "full" }) { versions(first: 5) { totalCount edges { node { ${version} } } } } }`);
    const { totalCount: count, edges } = addon.versions;
    expect(await rest(`addon/full/versions/?page_size=5&${langQuery}`)).toEqual({
      next: null,
      previous: null,
      page_size: 5,
      page_count: 1,
      count,
      results: edges.map(({ node }) => restForm(node)),
    });
    for (const { id } of made.full.versions) {
      const found = await graphql<{ addon: { version: Json } }>(
        `{ addon(by: { slug: "full" }) { version(by: { databaseId: ${id} }) { ${version} } } }`,
        author,
      );
      expect(await rest(`addon/full/versions/${id}/?${langQuery}`, author)).toEqual(restForm(found.addon.version));
    }
  });

  it('policies and features are the same', async () => {
    const { addon } = await graphql<{ addon: Json }>(
      `{ addon(by: { slug: "full" }) { eula ${text} privacyPolicy ${text} } }`,
    );
    expect(await rest(`addon/full/eula_policy/?${langQuery}`)).toEqual(restForm(addon));
    const features = await graphql<{ addon: Json }>(
      '{ addon(by: { slug: "full" }) { featureCompatibility { e10s } } }',
    );
    expect(await rest('addon/full/feature_compatibility/')).toEqual(restForm(features.addon.featureCompatibility));
  });

  it('search results and suggestions are the same', async () => {
    const { search } = await graphql<{ search: { totalCount: number; edges: { score: number; node: Json }[] } }>(
      `{ search(q: "clock", first: 5) { totalCount edges { score node { ${hit} } } } }`,
    );
    const found = await rest<{ count: number; results: Json[] }>(`search/?q=clock&${langQuery}`);
    expect(found).toMatchObject({ count: search.totalCount });
    expect(found.results).toEqual(search.edges.map(({ score, node }) => ({ ...addonForm(node), _score: score })));
    expect(found.results).toHaveLength(1);
    const { autocomplete } = await graphql<{ autocomplete: Json[] }>(
      `{ autocomplete(q: "clo") { databaseId iconUrl name ${text} type url } }`,
    );
    expect(await rest(`autocomplete/?q=clo&${langQuery}`)).toEqual({
      results: autocomplete.map((shown) => restForm(shown)),
    });
  });

  it('recommendations are the same', async () => {
    const { recommendations } = await graphql<{ recommendations: { results: Json[] } }>(
      `{ recommendations { results { ${hit} } } }`,
    );
    const { results } = await rest<{ results: Json[] }>(`recommendations/?${langQuery}`);
    expect(results).toEqual(recommendations.results.map((shown) => ({ ...addonForm(shown), _score: 1 })));
    expect(results).toHaveLength(1);
  });

  it.each([
    ['language', 'LANGUAGE', 1],
    ['dictionary', 'DICTIONARY', 1],
  ])('language tools are the same: %s', async (type, word, count) => {
    const { languageTools } = await graphql<{ languageTools: Json[] }>(
      `{ languageTools(app: DESKTOP_BROWSER, type: ${word}, appVersion: "60.0") {
        compatibleVersion { databaseId files { ${file} } reviewed version }
        addon { databaseId defaultLocale name ${text} guid localeDisambiguation slug targetLocale type url } } }`,
    );
    const shown = languageTools.map((tool) => {
      const { compatible_version: compatible, addon } = restForm(tool) as { compatible_version: Json; addon: Json };
      const { locale_disambiguation: what, ...others } = addon;
      return {
        ...others,
        locale_disambiguation: what ?? '',
        ...(compatible === null ? {} : { current_compatible_version: compatible }),
      };
    });
    expect(shown).toHaveLength(count);
    expect(await rest(`language-tools/?app=desktop_browser&type=${type}&appversion=60.0&${langQuery}`)).toEqual({
      results: shown,
    });
  });
});

describe('in REST and in GraphQL', () => {
  it('compat overrides are the same', async () => {
    const { compatOverrides } = await graphql<{ compatOverrides: { nodes: Json[] } }>(
      `{ compatOverrides { nodes { addonDatabaseId addonGuid name versionRanges {
        addonMinVersion addonMaxVersion
        applications { app databaseId minVersion maxVersion guid } } } } }`,
    );
    const inWords = JSON.stringify(restForm(compatOverrides.nodes)).replace(
      /"app":"([A-Z_]+)"/g,
      (_all, name: string) => `"name":"${name.toLowerCase()}"`,
    );
    expect((await rest('compat-override/')).results).toEqual(JSON.parse(inWords));
  });

  it('replacements are the same', async () => {
    const { replacements } = await graphql<{ replacements: { nodes: Json[] } }>(
      '{ replacements { nodes { guid replacement } } }',
    );
    expect((await rest('replacement-addon/')).results).toEqual(replacements.nodes);
    expect(replacements.nodes).toEqual([{ guid: 'legacy@catalogue.example', replacement: [made.full.guid] }]);
  });
});
