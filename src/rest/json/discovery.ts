import { z } from 'zod';
import type {
  BrowserMappingsQuery,
  DiscoveryQuery,
  HeroLinkFieldsFragment,
  HeroQuery,
} from '../../generated/operations/graphql.ts';
import { ADDON_TYPES } from '../../package/enums.ts';
import type { View } from '../view.ts';
import { hasLaterKeys } from '../words.ts';
import { addonHit, addonShape } from './addons.ts';
import { shape } from './shape.ts';
import { hitVersion } from './versions.ts';

type Item = DiscoveryQuery['discovery'][number];

/** The keys of an add-on that browsers read, in their order. */
const ADDON_KEYS = [
  ...(['id', 'authors', 'average_daily_users', 'current_version', 'guid', 'icon_url', 'name', 'previews'] as const),
  ...(['ratings', 'slug', 'theme_data', 'type', 'url'] as const),
];
const VERSION_KEYS = ['id', 'compatibility', 'is_strict_compatibility_enabled', 'files'] as const;

const picked = (names: readonly string[], from: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

const maskOf = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true as const]));

const discoveredSchema = addonHit.schema
  .pick(maskOf(ADDON_KEYS))
  .extend({ current_version: hitVersion.schema.pick(maskOf(VERSION_KEYS)).nullable() })
  .meta({ id: 'AddonOfDiscovery' });

function discovered(shown: Item['addon'], view: View): Record<string, unknown> {
  const json = picked(ADDON_KEYS, addonShape.write(shown, view));
  const version = json.current_version as Record<string, unknown> | null;
  return { ...json, current_version: version && picked(VERSION_KEYS, version) };
}

/** An add-on that the add-ons manager of browsers recommends. */
export const discoveryItem = shape<Item>(
  {
    heading: [z.string(), ({ heading }) => heading],
    description: [z.string().nullable(), ({ descriptionHtml }) => descriptionHtml],
    description_text: [
      z.string().nullable().optional(),
      ({ description }, { apiVersion }) => (apiVersion === 'v3' ? undefined : description),
    ],
    is_recommendation: [z.boolean(), ({ isRecommendation }) => isRecommendation],
    addon: [discoveredSchema, ({ addon: shown }, view) => discovered(shown, view)],
  },
  'DiscoveryItem',
);

const plain = (text: { value: string | null } | null | undefined): string | null => text?.value ?? null;

const cta = shape<HeroLinkFieldsFragment>({
  url: [z.url(), ({ url }) => url],
  text: [z.string().nullable(), ({ text }) => plain(text)],
});

type Linked = { cta: HeroLinkFieldsFragment | null };

const ctaKey = [
  z.union([cta.schema, z.null()]),
  ({ cta: link }: Linked, view: View) => link && cta.write(link, view),
] as const;

type Primary = HeroQuery['hero']['primary'];

const external = shape<NonNullable<Primary['external']>>({
  id: [z.int(), () => 0],
  guid: [z.string(), ({ guid }) => guid],
  homepage: [z.url(), ({ homepage }) => homepage],
  name: [z.string(), ({ name }) => name],
  type: [z.enum(ADDON_TYPES), ({ type }) => type.toLowerCase()],
});

/** Names that front ends have for the colours of gradients. They paint none of another name. */
const COLOR_NAMES: Readonly<Record<string, string>> = {
  '#20123a': 'color-ink-80',
  '#054096': 'color-blue-70',
  '#008787': 'color-green-70',
  '#c60084': 'color-pink-70',
  '#722291': 'color-purple-70',
  '#592acb': 'color-violet-70',
};

const color = (shown: string, view: View): string => (hasLaterKeys(view) ? (COLOR_NAMES[shown] ?? shown) : shown);

const gradient = shape<Primary>({
  start: [z.string(), ({ gradientStart }, view) => color(gradientStart, view)],
  end: [z.string(), ({ gradientEnd }, view) => color(gradientEnd, view)],
});

const primary = shape<Primary>({
  id: [z.int(), ({ databaseId }) => databaseId],
  gradient: [gradient.schema, (shown, view) => gradient.write(shown, view)],
  featured_image: [z.string().nullable(), ({ featuredImage }) => featuredImage],
  description: [z.string().nullable(), ({ description }) => plain(description)],
  addon: [
    addonHit.schema.optional(),
    ({ addon: shown }, view) => (shown === null ? undefined : addonShape.write(shown, view)),
  ],
  external: [
    external.schema.optional(),
    ({ addon: shown, external: other }, view) =>
      shown === null && other !== null ? external.write(other, view) : undefined,
  ],
});

type Secondary = HeroQuery['hero']['secondary'];

const heroModule = shape<Secondary['modules'][number]>({
  icon: [z.string(), ({ icon }) => icon],
  description: [z.string().nullable(), ({ description }) => plain(description)],
  cta: ctaKey,
});

const secondary = shape<Secondary>({
  headline: [z.string().nullable(), ({ headline }) => plain(headline)],
  description: [z.string().nullable(), ({ description }) => plain(description)],
  cta: ctaKey,
  modules: [z.array(heroModule.schema), ({ modules }, view) => modules.map((each) => heroModule.write(each, view))],
});

/** What the home page of front ends begins with. */
export const heroShape = shape<HeroQuery['hero']>(
  {
    primary: [primary.schema, ({ primary: shown }, view) => primary.write(shown, view)],
    secondary: [z.union([secondary.schema, z.null()]), ({ secondary: shown }, view) => secondary.write(shown, view)],
  },
  'Hero',
);

/** An add-on here for an extension of another browser. */
export const browserMapping = shape<BrowserMappingsQuery['browserMappings']['nodes'][number]>(
  {
    extension_id: [z.string(), ({ extensionId }) => extensionId],
    addon_guid: [z.string(), ({ addonGuid }) => addonGuid],
  },
  'BrowserMapping',
);
