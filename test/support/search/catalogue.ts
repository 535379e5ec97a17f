import type { AddonType, Application, Platform } from '../../../src/package/enums.ts';
/*
 * A small catalogue for search tests: similar names, popular and unpopular add-ons, misleading words. The judgement cases define
 * the expected results.
 */

export type Texts = Readonly<Record<string, string>>;

/** The properties of an add-on that search uses. */
export interface CatalogueAddon {
  id: number;
  name: Texts;
  users: number;
  summary: Texts;
  description: Texts;
  defaultLocale: string;
  type: AddonType;
  tags: readonly string[];
  authors: readonly { id: number; username: string }[];
  categories: readonly string[];
  compatibility: Readonly<Partial<Record<Application, { min: string; max: string }>>>;
  isStrict: boolean;
  platforms: readonly Platform[];
  isExperimental: boolean;
  featured: readonly { app: Application; locale: string | null; category: string | null }[];
  downloads: number;
  hotness: number;
  rating: number;
  /** ISO dates, whole seconds. */
  created: string;
  lastUpdated: string;
  /** Whether its file is of a format that today's clients install. */
  isInstallable?: boolean;
  /** Why it is not public. */
  hidden?: 'disabled' | 'unlisted';
}

const ada = { id: 11, username: 'ada' };
const bob = { id: 22, username: 'bob' };
const everywhere = { app: 'desktop_browser', locale: null, category: null } as const;

/** An add-on with this name and number of users, and defaults for the other properties. */
export function addon(
  id: number,
  name: string | Texts,
  users: number,
  summary = '',
  rest: Partial<CatalogueAddon> = {},
): CatalogueAddon {
  const defaultLocale = rest.defaultLocale ?? 'en-US';
  const day = new Date(Date.UTC(2018, 0, 1 + ((id * 37) % 300), 12, 0, id % 60)).toISOString();
  return {
    id,
    users,
    name: typeof name === 'string' ? { [defaultLocale]: name } : name,
    summary: summary === '' ? {} : { [defaultLocale]: summary },
    description: {},
    defaultLocale,
    type: 'extension',
    tags: [],
    authors: [ada],
    categories: [],
    compatibility: { desktop_browser: { min: '42.0', max: '*' } },
    isStrict: false,
    platforms: ['all'],
    isExperimental: false,
    featured: [],
    downloads: (users * 7 + id) % 100_000,
    hotness: ((id * 31) % 17) / 10,
    rating: ((id * 13) % 50) / 10,
    created: `${day.slice(0, 19)}Z`,
    lastUpdated: `${day.slice(0, 19)}Z`,
    ...rest,
  };
}

const only = (min: string, max: string) => ({ compatibility: { desktop_browser: { min, max } } });

export const CATALOGUE: readonly CatalogueAddon[] = [
  addon(1, 'Tab Garden', 480_000, 'Arrange open tabs in a tree.'),
  addon(2, 'Tab Center', 19_000, 'Move your tabs to the side of the window.'),
  addon(3, 'OneTab Shelf', 74_000, 'Too many tabs? Put them on a shelf.'),
  addon(4, 'Tabby Llama', 4_100, 'A new friend in every new window.', { featured: [everywhere] }),
  addon(5, 'Open Images in New Tab', 480, 'Adds a context menu entry.'),
  addon(6, 'Open Image in a New Tab', 2_600, 'A context menu entry.'),
  addon(7, 'Open Bookmarks in New Tab', 27_800),
  addon(8, 'Redux Inspector', 8_800, 'Action history, undo and replay.'),
  addon(9, 'Privacy Otter', 399_000, 'Blocks spying ads and invisible trackers.', { tags: ['privacy', 'blocker'] }),
  addon(10, 'Privacy Pass Keeper', 8_700, '', { tags: ['privacy'] }),
  addon(11, 'Privacy Switches', 15_400, 'Change privacy settings from a toolbar panel.'),
  addon(12, 'Ghost Lantern', 1_009_000, 'See who is tracking you and protect your privacy.'),
  addon(13, 'Blur Veil', 70_000, 'Protect your passwords, payments and privacy.'),
  addon(14, 'FireBeetle', 954_000, 'Edit, debug and monitor style sheets and scripts live.'),
  addon(15, 'FireBeetle Autocompleter', 10_800),
  addon(16, 'Finder for FireBeetle', 12_000),
  addon(17, 'Fire Drag', 8_200, 'Drag texts and links.'),
  addon(18, 'Menu Wizard', 61_000, 'Remove, move and rename menu items.'),
  addon(19, 'Context Menu Manager', 81_000),
  addon(20, 'reStyle', 99, 'A user style manager.'),
  addon(21, 'MegaFetch DownloadHelper', 150),
  addon(22, 'RapidFetch DownloadHelper', 2_800),
  addon(23, 'Download Video and Audio', 548_000, 'A great helper to save media.'),
  addon(24, 'DownThemEverything!', 209_000, 'The mass downloader for your browser.'),
  addon(25, 'Merge Windows', 1),
  addon(26, 'Merge All Windows', 1),
  addon(27, 'Riverside 1-Click Lock', 50),
  addon(28, '1-Click Video Grab', 566_000, '', {
    description: { 'en-US': 'Works well beside <b>Riverside 1-Click Lock</b>.' },
  }),
  addon(29, 'Gallery Yummy', 1),
  addon(30, 'Simple WebSocket Client', 3_000, 'Construct web socket requests by hand.'),
  addon(31, 'OpenDyslexia', 10),
  addon(32, 'Dyslexia Reader', 9_000_000, 'Shows pages in the OpenDyslexia typeface.', {
    featured: [everywhere],
    tags: ['opendyslexia'],
  }),
  addon(33, { fr: 'Jardin unique', 'en-US': 'Unique Orchard' }, 40, '', { defaultLocale: 'fr' }),
  addon(34, 'Müller Übersetzer', 700, '', { defaultLocale: 'de' }),
  addon(35, '日本語辞書', 900, '', { defaultLocale: 'ja', type: 'dictionary' }),
  addon(36, 'Startpage', 19, '', { type: 'persona' }),
  addon(37, 'Startpage Privacy Shield', 65_000),
  addon(38, 'Startpage Private Search', 226_000),
  addon(39, 'Dashboard Plus', 50_000),
  addon(40, 'JSON Lite', 20_000),
  addon(41, 'SQLite Browser', 500),
  addon(42, 'Twitch Overlay', 300_000),
  addon(43, 'Itch Helper', 20),
  addon(44, 'Ad Stopper Ultra', 2_000, '', { isExperimental: true }),
  addon(45, 'Ad Stopper Basic', 2_000),
  addon(46, 'Secret Beta Tool', 9_999_999, '', { hidden: 'disabled' }),
  addon(47, 'Hidden Beta Tool', 9_999_999, '', { hidden: 'unlisted' }),
  addon(48, 'Old Timer', 100, '', { ...only('38.0', '56.*'), isStrict: true }),
  addon(49, 'Old Loose Timer', 50, '', only('38.0', '56.*')),
  addon(50, 'Modern Timer', 70, '', only('57.0a1', '*')),
  addon(51, 'Mac Cleaner Tool', 30, '', { platforms: ['mac'], authors: [bob] }),
  addon(52, 'Any Cleaner Tool', 20, '', { authors: [ada, bob] }),
  addon(53, 'Pocket Cleaner Tool', 10, '', {
    compatibility: { mobile_browser: { min: '42.0', max: '*' } },
    platforms: ['android'],
  }),
  addon(54, 'Tab Manager', 106),
  addon(55, 'Tab Session Manager', 150_000),
  addon(56, 'Ballet Shoes', 5, '', { type: 'persona' }),
];
