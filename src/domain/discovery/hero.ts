import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { pool, prepared } from '../../infra/db.ts';
import type { AddonType } from '../../package/enums.ts';
import { API_TEXTS, type ApiTextKey } from '../../texts/api.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { translate } from '../../texts/translate.ts';
import { Addon } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { AddonTypeEnum } from '../addons/enums.ts';
import { loadDocuments } from '../addons/load-documents.ts';
import { Localized } from '../addons/localized.ts';
import { localized, type TextsByLocale } from '../addons/localized-text.ts';

/** The row of `service_state` with the second part of the home page. */
export const HERO_SECONDARY_ROW = 'hero_secondary';

/** An add-on that this service does not have. */
export interface ExternalAddon {
  guid: string;
  homepage: string;
  name: string;
  type: AddonType;
}

interface Cta {
  url: string;
  text: TextsByLocale;
}

/** The second part of the home page: texts and three modules. */
export interface HeroSecondary {
  headline: TextsByLocale;
  description: TextsByLocale;
  cta: Cta | null;
  modules: readonly { icon: string; description: TextsByLocale; cta: Cta | null }[];
}

interface HeroPrimary {
  id: number;
  gradientStart: string;
  gradientEnd: string;
  featuredImage: string | null;
  description: TextsByLocale;
  addon: AddonDocument | null;
  external: ExternalAddon | null;
}

interface StoredPrimary extends Omit<HeroPrimary, 'addon'> {
  addonId: number | null;
  rowVersion: string | null;
}

const GRADIENT = { gradientStart: '#20123a', gradientEnd: '#054096' } as const;

// An entry of the day; else a featured add-on of the day, else any public one.
const readPrimary = prepared<StoredPrimary>(
  pool,
  'hero-primary',
  `WITH edited AS (
      SELECT e.id, e.gradient_start, e.gradient_end, e.featured_image, e.description, e.external, e.addon_id
      FROM hero_entry e LEFT JOIN addon a ON a.id = e.addon_id
      WHERE (e.external IS NOT NULL OR (${IS_PUBLIC_ADDON} AND NOT a.type = ANY($2::text[]))) ORDER BY md5($1 || e.id) LIMIT 1
    ), featured AS (
      SELECT a.id FROM addon a WHERE a.id IN (SELECT addon_id FROM featured_entry) AND ${IS_PUBLIC_ADDON}
        AND NOT a.type = ANY($2::text[]) ORDER BY md5($1 || a.id) LIMIT 1
    ), any_public AS (
      SELECT a.id FROM addon a WHERE ${IS_PUBLIC_ADDON} AND NOT a.type = ANY($2::text[]) ORDER BY a.id LIMIT 1
    ), chosen AS (
      SELECT * FROM edited UNION ALL
      SELECT 0, '${GRADIENT.gradientStart}', '${GRADIENT.gradientEnd}', NULL::text, '{}'::jsonb, NULL::jsonb, (SELECT coalesce((SELECT id FROM featured), (SELECT id FROM any_public)))
      WHERE NOT EXISTS (SELECT FROM edited)
    )
    SELECT c.id, c.gradient_start AS "gradientStart", c.gradient_end AS "gradientEnd", c.featured_image AS "featuredImage",
      c.description, c.external, c.addon_id AS "addonId", d.row_version AS "rowVersion"
    FROM chosen c LEFT JOIN addon_document d ON d.addon_id = c.addon_id`,
);

/** The primary of this day, the same for all clients. Never null: front ends fail without one. */
async function loadPrimary(hidden: readonly string[]): Promise<HeroPrimary> {
  const [row] = await readPrimary(new Date().toISOString().slice(0, 10), hidden);
  const { addonId = null, rowVersion = null, ...stored } = row ?? { ...NOTHING, addonId: null, rowVersion: null };
  const [addon = null] = addonId === null ? [] : await loadDocuments([{ id: addonId, rowVersion }]);
  // Without any add-on, the site itself.
  return addon === null && stored.external === null ? { ...NOTHING, external: siteItself() } : { ...stored, addon };
}

const NOTHING = { id: 0, ...GRADIENT, featuredImage: null, description: {}, addon: null, external: null };

const siteItself = (): ExternalAddon => ({
  ...{ guid: '', homepage: `${config.BASE_URL}/`, name: config.SITE_NAME, type: 'extension' },
});

const readSecondary = prepared<{ value: HeroSecondary }>(
  pool,
  'hero-secondary',
  `SELECT value FROM service_state WHERE name = '${HERO_SECONDARY_ROW}' AND value <> 'null'`,
);

type HeroKey = Extract<ApiTextKey, `hero.${string}`>;

const constant = (key: HeroKey): TextsByLocale =>
  Object.fromEntries(LANGUAGES.map((language) => [language, translate(API_TEXTS, language, key)]));

const linkTo = (path: string, key: HeroKey): Cta => ({ url: config.BASE_URL + path, text: constant(key) });

/** The default modules, about the service: signing, search and accounts. */
export const defaultSecondary = (): HeroSecondary => {
  const icon = `${config.BASE_URL}/favicon.svg`;
  return {
    ...{
      headline: constant('hero.headline'),
      description: constant('hero.description'),
      cta: linkTo('/docs/', 'hero.cta'),
    },
    modules: [
      { icon, description: constant('hero.signing'), cta: linkTo('/docs/verify/', 'hero.signing-cta') },
      { icon, description: constant('hero.search'), cta: linkTo('/search/', 'hero.search-cta') },
      { icon, description: constant('hero.accounts'), cta: linkTo('/account/', 'hero.accounts-cta') },
    ],
  };
};

/** The second part of the home page: that of curators, or the texts of the service. */
export async function shownSecondary(): Promise<HeroSecondary & { isEdited: boolean }> {
  const [stored] = await readSecondary();
  return stored === undefined ? { ...defaultSecondary(), isEdited: false } : { ...stored.value, isEdited: true };
}

const text = (all: TextsByLocale) => localized(all, 'en');

export const ExternalAddonType = builder.objectRef<ExternalAddon>('ExternalAddon').implement({
  description: 'An add-on that this service does not have.',
  fields: (t) => ({
    guid: t.exposeString('guid', { description: 'Its guid; empty without one.' }),
    homepage: t.exposeString('homepage', { description: 'Its page.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
    type: t.expose('type', { type: AddonTypeEnum, description: 'Its type.' }),
  }),
});

const HeroCta = builder.objectRef<Cta>('HeroLink').implement({
  description: 'A link with its text.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'The address.' }),
    text: t.field({ type: Localized, nullable: true, description: 'The text.', resolve: (cta) => text(cta.text) }),
  }),
});

const HeroModule = builder.objectRef<HeroSecondary['modules'][number]>('HeroModule').implement({
  description: 'One of three parts next to each other.',
  fields: (t) => ({
    icon: t.exposeString('icon', { description: 'Address of its picture.' }),
    description: t.field({
      type: Localized,
      nullable: true,
      description: 'The text.',
      resolve: (part) => text(part.description),
    }),
    cta: t.expose('cta', { type: HeroCta, nullable: true, description: 'A link; null for none.' }),
  }),
});

/** As it is shown. */
export const HeroSecondaryType = builder.objectRef<HeroSecondary & { isEdited: boolean }>('HeroSecondary').implement({
  description: 'The second part of the home page.',
  fields: (t) => ({
    headline: t.field({
      type: Localized,
      nullable: true,
      description: 'The headline.',
      resolve: (part) => text(part.headline),
    }),
    description: t.field({
      type: Localized,
      nullable: true,
      description: 'The text.',
      resolve: (part) => text(part.description),
    }),
    cta: t.expose('cta', { type: HeroCta, nullable: true, description: 'A link; null for none.' }),
    modules: t.field({
      type: [HeroModule],
      description: 'Three parts.',
      extensions: { items: 3 },
      resolve: ({ modules }) => [...modules],
    }),
    isEdited: t.exposeBoolean('isEdited', { description: 'Whether curators have written it, instead of the service.' }),
  }),
});

const HeroPrimaryType = builder.objectRef<HeroPrimary>('HeroPrimary').implement({
  description: 'What the home page of front ends shows first.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST; 0 if curators have chosen none.' }),
    gradientStart: t.exposeString('gradientStart', {
      description: 'The first colour of its background, such as #20123a.',
    }),
    gradientEnd: t.exposeString('gradientEnd', { description: 'The last colour of its background.' }),
    featuredImage: t.exposeString('featuredImage', {
      nullable: true,
      description: 'Address of a picture; null for none.',
    }),
    description: t.field({
      type: Localized,
      nullable: true,
      description: 'The words of curators; null for none.',
      resolve: (part) => text(part.description),
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null for one elsewhere.',
      resolve: ({ addon }) => addon,
    }),
    external: t.expose('external', {
      type: ExternalAddonType,
      nullable: true,
      description: 'An add-on elsewhere; null for one here.',
    }),
  }),
});

const HeroType = builder.objectRef<Record<never, never>>('Hero').implement({
  description: 'What the home page of front ends begins with.',
  fields: (t) => ({
    primary: t.field({
      type: HeroPrimaryType,
      description: 'An entry of curators, which changes each day; else a featured add-on of the day.',
      resolve: (_hero, _args, { hiddenTypes = [] }) => loadPrimary(hiddenTypes),
    }),
    secondary: t.field({
      type: HeroSecondaryType,
      description: 'Texts of curators, or of the service.',
      resolve: shownSecondary,
    }),
  }),
});

builder.queryField('hero', (t) =>
  t.field({ type: HeroType, description: 'What the home page of front ends begins with.', resolve: () => ({}) }),
);
