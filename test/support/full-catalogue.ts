import { type AddonFacts, addon, type MadeAddon } from './factories.ts';

/** A small catalogue in which every documented field has a value. */
export interface FullCatalogue {
  /** An extension with a value in every field. */
  full: MadeAddon;
  persona: MadeAddon;
  languagePack: MadeAddon;
  dictionary: MadeAddon;
}

const sha = (digit: string) => digit.repeat(64);
const EVERYWHERE = {
  desktop_browser: ['57.0', '*'],
  mobile_browser: ['58.0', '63.*'],
  suite_app: ['2.49', '2.*'],
  mail_client: ['60.0', '60.*'],
} as const;

/** The values of the extension. */
export const FULL: AddonFacts = {
  guid: 'full@catalogue.example',
  slug: 'full',
  name: { 'en-US': 'Clock', de: 'Uhr', 'pt-BR': 'Relógio' },
  summary: { 'en-US': 'Shows the time.', de: 'Zeigt die Zeit.' },
  description: { 'en-US': 'Shows <b>the</b> time.' },
  developerComments: { 'en-US': 'Thanks.' },
  homepage: { 'en-US': 'https://clock.example/' },
  supportEmail: { 'en-US': 'help@clock.example' },
  supportUrl: { 'en-US': 'https://clock.example/help', de: 'https://clock.example/hilfe' },
  contributionsUrl: 'https://pay.example/clock',
  eula: { 'en-US': 'Agree.' },
  privacyPolicy: { 'en-US': 'Nothing is kept.', de: 'Nichts wird behalten.' },
  iconSha256: sha('a'),
  isExperimental: true,
  requiresPayment: true,
  averageDailyUsers: 42,
  weeklyDownloads: 7,
  ratingCount: 3,
  ratingTextCount: 2,
  ratingAverage: 4.5,
  ratingBayesian: 4.25,
  e10s: 'compatible-webextension',
  tags: ['time', 'clock'],
  categories: [
    { app: 'desktop_browser', slug: 'tools' },
    { app: 'desktop_browser', slug: 'work' },
    { app: 'mobile_browser', slug: 'time' },
  ],
  featured: [{ app: 'desktop_browser' }],
  created: new Date('2018-01-02T03:04:05.678Z'),
  lastUpdated: new Date('2018-10-25T09:30:00Z'),
  previews: [
    {
      caption: { 'en-US': 'At noon', de: 'Mittags' },
      imageSha256: sha('b'),
      thumbnailSha256: sha('c'),
      imageWidth: 640,
      imageHeight: 480,
      thumbnailWidth: 200,
      thumbnailHeight: 150,
    },
  ],
  versions: [
    { version: '0.9', license: { builtin: 'MPL-2.0' } },
    {
      version: '1.0',
      releaseNotes: { 'en-US': 'The first.', de: 'Die erste.' },
      license: {
        name: { 'en-US': 'My own' },
        text: { 'en-US': 'Do as you like.' },
        url: 'https://clock.example/license',
      },
      compatibility: { ...structuredClone(EVERYWHERE) } as unknown as NonNullable<
        AddonFacts['versions']
      >[number]['compatibility'],
      files: ['all', 'mac', 'linux', 'android', 'windows'].map((platform) => ({
        platform,
        permissions: ['tabs', 'storage'],
      })),
    },
    { version: '1.1', channel: 'unlisted', releaseNotes: { 'en-US': 'For testers.' } },
  ],
};

/** Creates the catalogue; all add-ons have these authors. */
export async function fullCatalogue(authors: number[]): Promise<FullCatalogue> {
  const { db } = await import('../../src/infra/db.ts');
  const full = await addon({ ...FULL, authors });
  const persona = await addon({
    type: 'persona',
    slug: 'dusk',
    authors,
    name: { 'en-US': 'Dusk', de: 'Dämmerung' },
    description: { 'en-US': 'Dark.' },
    averageDailyUsers: 99,
    categories: [{ app: 'desktop_browser', slug: 'nature', name: { 'en-US': 'Nature', de: 'Natur' } }],
    featured: [{ app: 'desktop_browser' }],
    persona: { accentColor: '112233', textColor: '#ffffff', headerSha256: sha('1'), footerSha256: sha('2') },
  });
  const languagePack = await addon({
    type: 'language',
    slug: 'deutsch',
    targetLocale: 'de',
    name: { 'en-US': 'German', de: 'Deutsch' },
  });
  const dictionary = await addon({
    type: 'dictionary',
    slug: 'words',
    targetLocale: 'en-US',
    localeDisambiguation: 'American',
  });
  await db.compatOverride.create({
    data: {
      guid: full.guid,
      name: 'Crashes',
      ranges: {
        create: [
          {
            app: 'desktop_browser',
            minVersion: '40.0',
            maxVersion: '41.*',
            addonMinVersion: '0',
            addonMaxVersion: '0.9',
          },
          { app: 'mail_client', minVersion: '52.0', maxVersion: '*', addonMinVersion: '0', addonMaxVersion: '0.9' },
        ],
      },
    },
  });
  await db.replacement.create({ data: { guid: 'legacy@catalogue.example', guids: [full.guid] } });
  await db.recommendationFallback.create({ data: { position: 0, guid: full.guid } });
  return { full, persona, languagePack, dictionary };
}
