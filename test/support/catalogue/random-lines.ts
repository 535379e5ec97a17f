/* Random catalogues: consistent lines of all kinds, with each optional value present, null or missing. */
import fc from 'fast-check';
import { listingFields } from '../../../src/domain/listing/fields.ts';

export type Line = Record<string, unknown> & { kind: string };

const APPS = ['desktop_browser', 'mobile_browser', 'suite_app', 'mail_client'] as const;
const TYPES = ['extension', 'theme', 'dictionary', 'search', 'language', 'persona', 'statictheme'] as const;
const STATUSES = [
  'public',
  'public',
  'public',
  'disabled',
  'incomplete',
  'nominated',
  'deleted',
  'lite',
  'pending',
] as const;
const LOCALES = ['en-US', 'de', 'fr', 'pt-BR', 'ja', 'he'];

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const phrase = fc.array(fc.oneof(word, fc.constantFrom('München', '日本語', "it's", 'C++', '\\', '"', '\t', '𝒳')), {
  minLength: 1,
  maxLength: 6,
});
const text = phrase.map((words) => words.join(' ').trim() || 'x');
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

/** A translated field: null, or some languages, some of them without a text. */
const texts = (of: fc.Arbitrary<string> = text) =>
  maybe(fc.dictionary(fc.constantFrom(...LOCALES), maybe(of), { maxKeys: 3, noNullPrototype: true }));
const html = fc.oneof(
  text,
  text.map((words) => words.replaceAll(/[<>&"']/g, '')).map((words) => `<b>${words}</b> <script>x</script>&amp;`),
);

const moment = fc
  .integer({ min: 1_300_000_000, max: 1_600_000_000 })
  .map((seconds) => new Date(seconds * 1000).toISOString().replace('.000', ''));
const version = fc.constantFrom('45.0', '57.0', '57.0a1', '60.*', '*');
const count = fc.integer({ min: 0, max: 2_147_483_647 });
const rating = fc.integer({ min: 0, max: 500 }).map((number) => number / 100);
const address = word.map((name) => `https://${name}.example/?a=1&b=2`);
const color = fc.stringMatching(/^#[0-9a-f]{6}$/);

const file = fc.record(
  {
    created: moment,
    hash: fc.stringMatching(/^[0-9a-f]{64}$/).map((digits) => `sha256:${digits}`),
    is_vendor_signed_extension: fc.boolean(),
    is_restart_required: fc.boolean(),
    is_webextension: fc.boolean(),
    permissions: fc.array(fc.oneof(word, fc.constant('*://*/"\\{},*')), { maxLength: 3 }),
    optional_permissions: fc.array(word, { maxLength: 2 }),
    host_permissions: fc.array(word, { maxLength: 2 }),
    data_collection_permissions: fc.array(word, { maxLength: 2 }),
    optional_data_collection_permissions: fc.array(word, { maxLength: 2 }),
    status_when_enabled: fc.constantFrom(null, 1, 4),
    platform: fc.constantFrom('all', 'mac', 'linux', 'android', 'windows'),
    size: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    status: fc.constantFrom(4, 4, 4, 1, 5),
    url: fc.constant('https://elsewhere.example/file'),
  },
  { requiredKeys: ['hash', 'status', 'created'] },
);

const license = fc.oneof(
  fc.record({ builtin: fc.constantFrom('MPL-2.0', 'MIT', 'all-rights-reserved') }),
  fc.record({ name: texts(), text: texts(html), url: maybe(address) }, { requiredKeys: [] }),
);

const versionLine = fc.record(
  {
    channel: fc.constantFrom('listed', 'listed', 'unlisted'),
    compatibility: fc.dictionary(fc.constantFrom(...APPS), fc.record({ min: version, max: version }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    files: fc.array(file, { maxLength: 2 }),
    license: maybe(license),
    release_notes: texts(html),
    reviewed: maybe(moment),
    is_strict_compatibility_enabled: fc.boolean(),
    created: moment,
    deleted: fc.boolean(),
  },
  { requiredKeys: ['channel', 'created'] },
);

const preview = fc.record(
  {
    caption: texts(),
    image_size: fc.tuple(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 4_000 })),
    thumbnail_size: fc.constant([640, 480]),
  },
  { requiredKeys: ['image_size'] },
);

/** A value for each kind of listing field. */
const OF_KIND = { texts: texts(), html: texts(html), text: maybe(text), flag: fc.boolean() };
const listing = listingFields.map(({ column, kind }) => [column, OF_KIND[kind]] as const);

const addonBody = fc.record(
  {
    ...Object.fromEntries<fc.Arbitrary<unknown>>(listing),
    type: fc.constantFrom(...TYPES),
    status: fc.constantFrom(...STATUSES),
    homepage: texts(address),
    support_email: texts(word.map((name) => `${name}@example.org`)),
    support_url: texts(address),
    default_locale: fc.constantFrom(...LOCALES),
    created: moment,
    last_updated: moment,
    tags: fc.uniqueArray(text, { maxLength: 4 }),
    average_daily_users: count,
    weekly_downloads: count,
    hotness: rating,
    ratings: fc.record({ count, text_count: count, average: rating, bayesian_average: rating }, { requiredKeys: [] }),
    contributions_url: maybe(address),
    previews: fc.array(preview, { maxLength: 2 }),
    theme_data: maybe(
      fc.record(
        { accentcolor: maybe(color), textcolor: maybe(color), headerURL: fc.constant('x') },
        { requiredKeys: [] },
      ),
    ),
    e10s: fc.constantFrom('compatible', 'incompatible', 'unknown'),
    target_locale: maybe(fc.constantFrom('de', 'fr')),
    deleted: fc.boolean(),
    url: fc.constant('https://elsewhere.example/'),
    has_eula: fc.boolean(),
    versions: fc.array(versionLine, { maxLength: 3 }),
  },
  { requiredKeys: ['type', 'status', 'default_locale', 'created', 'last_updated'] },
);

const accountBody = fc.record(
  {
    display_name: maybe(text),
    biography: maybe(text),
    homepage: maybe(address),
    location: maybe(text),
    occupation: maybe(text),
    is_verified: fc.boolean(),
    read_dev_agreement: maybe(moment),
    deleted: fc.boolean(),
    created: moment,
    groups: fc.subarray(['Reviewers', 'Curators']),
  },
  { requiredKeys: ['created', 'groups'] },
);

const authors = fc.array(
  fc.record({ account: fc.nat(), role: fc.constantFrom('owner', 'developer'), listed: fc.boolean() }),
  { maxLength: 3 },
);

/** The parts from which `linesOf` creates a catalogue. */
export const parts = fc.record({
  categories: fc.array(fc.record({ app: fc.constantFrom(...APPS), slug: fc.constantFrom('a', 'b', 'other') }), {
    maxLength: 3,
  }),
  accounts: fc.array(accountBody, { minLength: 1, maxLength: 4 }),
  addons: fc.array(fc.tuple(addonBody, authors), { minLength: 1, maxLength: 6 }),
  featured: fc.array(
    fc.record({ addon: fc.nat(), app: fc.constantFrom(...APPS), locale: maybe(fc.constantFrom('de', 'fr')) }),
    { maxLength: 3 },
  ),
  statistics: fc.array(fc.record({ addon: fc.nat(), users: count, downloads: count }), { maxLength: 3 }),
  ranges: fc.array(fc.record({ app: fc.constantFrom(...APPS), min: version, max: version }), {
    minLength: 1,
    maxLength: 3,
  }),
});

type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

/** Creates lines with ids from `base` and names derived from them, so that catalogues do not overlap. */
export function linesOf(made: Parts, base: number): Line[] {
  let next = base;
  const id = () => (next += 1);
  const accounts: Line[] = made.accounts.map((account, index) => ({
    kind: 'account',
    id: id(),
    username: `user-${base + index}`,
    email: index % 2 ? null : `u${base + index}@example.org`,
    ...account,
  }));
  const categories: Line[] = ['a', 'b'].flatMap((slug) =>
    TYPES.map((type) => ({
      kind: 'category',
      id: id(),
      app: 'desktop_browser',
      type,
      slug: `${slug}-${base}`,
      name: { 'en-US': slug },
      weight: slug === 'a' ? 3 : 0,
    })),
  );
  const addons: Line[] = made.addons.map(([addon, wanted], index) => {
    const isDeleted = addon.status === 'deleted' || addon.deleted === true;
    const authors = new Map(
      wanted.map(({ account, role, listed }, position) => [
        String(accounts[account % accounts.length]?.username),
        { role, listed, position },
      ]),
    );
    return {
      kind: 'addon',
      id: id(),
      guid: `Addon-${base + index}@example`,
      slug: isDeleted && index % 2 ? null : `slug-${base + index}`,
      ...addon,
      versions: (addon.versions ?? []).map((each, number) => ({
        id: id(),
        version: `${number + 1}.0`,
        ...each,
        files: (each.files ?? []).map((one) => ({ id: id(), ...one })),
      })),
      previews: (addon.previews ?? []).map((each) => ({ id: id(), ...each })),
      theme_data: addon.type === 'persona' ? addon.theme_data : null,
      categories: index % 3 === 0 ? { desktop_browser: [`a-${base}`, `b-${base}`] } : {},
      authors: [...authors].map(([username, seat]) => ({ username, ...seat })),
    };
  });
  const guidOf = (index: number) => String(addons[index % addons.length]?.guid);
  const featured = new Map(
    made.featured.map(({ addon, app, locale }) => [
      `${guidOf(addon)} ${app} ${locale}`,
      {
        kind: 'featured',
        addon: guidOf(addon),
        app,
        locale,
        category: app === 'desktop_browser' && addon % 2 ? `a-${base}` : null,
      },
    ]),
  );
  const statistics = new Map(
    made.statistics.map(({ addon, users, downloads }) => [
      guidOf(addon),
      { kind: 'daily_statistics', guid: guidOf(addon), date: '2018-10-25', users, downloads },
    ]),
  );
  return [
    { kind: 'application_version', app: 'desktop_browser', version: '57.0.4' },
    ...categories,
    ...accounts,
    ...addons,
    ...featured.values(),
    { kind: 'recommendation_fallback', guid: guidOf(0), position: base },
    { kind: 'collection', path: `list-${base}`, guids: addons.map(({ guid }) => String(guid)) },
    {
      ...{ kind: 'account_collection', uuid: base.toString(16).padStart(32, '0'), account: accounts[0]?.username },
      ...{
        slug: `mine-${base}`,
        name: { 'en-US': 'Mine' },
        description: null,
        default_locale: 'en-US',
        public: base % 2 === 0,
      },
      ...{ created: '2018-10-25T09:30:00Z', modified: '2018-10-26T09:30:00Z' },
      addons: addons.map(({ guid }, index) => ({
        ...{ guid: String(guid), notes: index % 2 ? { de: 'Gut' } : null, added: '2018-10-26T09:30:00Z' },
      })),
    },
    {
      ...{ kind: 'discovery', edition: `edition-${base}`, locale: base % 2 ? 'de' : null },
      entries: addons.map(({ guid }, index) => ({
        ...{ addon: guid, heading: index % 2 ? { de: 'Gut', 'en-US': 'Good' } : null, description: null },
      })),
    },
    { kind: 'browser_mapping', browser: 'chrome', extension_id: `ext-${base}`, addon_guid: guidOf(0) },
    { kind: 'replacement', guid: `old-${base}@example`, path: `/collections/list-${base}/` },
    { kind: 'replacement', guid: `older-${base}@example`, replacement: [guidOf(0), 'gone@example'] },
    {
      kind: 'compat_override',
      addon_id: null,
      addon_guid: guidOf(0),
      name: 'Broken',
      version_ranges: [
        {
          addon_min_version: '0',
          addon_max_version: '1.*',
          applications: made.ranges.map(({ app, min, max }) => ({ name: app, min_version: min, max_version: max })),
        },
      ],
    },
    ...statistics.values(),
  ];
}
